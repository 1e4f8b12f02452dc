// An order that is taken is written so that it is read back as the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/failure.hpp"
#include "pool/order.hpp"

using namespace arbiter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    try {
        const auto order = pool::read_order({reinterpret_cast<const char *>(data), size});
        if (order.empty() || pool::read_order(pool::to_sql(order)) != order)
            std::abort();
    } catch (const Failure &) {
    }
    return 0;
}
