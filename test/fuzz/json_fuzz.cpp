// What the reader takes, the writer writes so that it is read back as the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/failure.hpp"
#include "base/json.hpp"
#include "identity/json_string.hpp"

using namespace arbiter;

static void require_same_strings(const Json &json)
{
    if (json.is(Json::Kind::string)) {
        std::string written;
        identity::append_json_string(written, json.text);
        if (read_json(written).text != json.text)
            std::abort();
    }
    for (const Json &item : json.items)
        require_same_strings(item);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    try {
        require_same_strings(read_json({reinterpret_cast<const char *>(data), size}));
    } catch (const Failure &) {
    }
    return 0;
}
