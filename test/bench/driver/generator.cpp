#include "generator.hpp"

#include "text.hpp"

#include <array>
#include <utility>

namespace bench {
namespace {

using namespace std::string_view_literals;

constexpr std::array kSources = {
    std::pair{"new_stream"sv, Source::new_stream},
    std::pair{"stream"sv, Source::stream},
    std::pair{"revision"sv, Source::revision},
    std::pair{"expected"sv, Source::expected},
    std::pair{"key"sv, Source::key},
    std::pair{"uuid"sv, Source::uuid},
    std::pair{"payload"sv, Source::payload},
    std::pair{"number"sv, Source::number},
    std::pair{"client"sv, Source::client},
    std::pair{"count"sv, Source::count},
    std::pair{"events"sv, Source::events},
    std::pair{"uuids"sv, Source::uuids},
    std::pair{"payloads"sv, Source::payloads},
};

// No backslash and no quote inside the text: the same characters serve COPY and array literals.
std::string make_payload(size_t bytes)
{
    const std::string head = R"({"amount": 1250, "currency": "EUR", "note": ")";
    const std::string tail = R"("})";
    std::string note;
    while (head.size() + note.size() + tail.size() < bytes)
        note += static_cast<char>('a' + note.size() * 7 % 26);
    return head + note + tail;
}

std::string make_uuid(std::mt19937_64 &random)
{
    static constexpr char kHex[] = "0123456789abcdef";
    std::string result(36, '-');
    uint64_t bits = 0;
    int left = 0;
    for (size_t i = 0; i < result.size(); ++i) {
        if (i == 8 || i == 13 || i == 18 || i == 23)
            continue;
        if (left == 0) {
            bits = random();
            left = 16;
        }
        result[i] = kHex[bits & 15];
        bits >>= 4;
        --left;
    }
    result[14] = '4';
    result[19] = '8';
    return result;
}

} // namespace

std::optional<Source> source_named(std::string_view name)
{
    for (const auto &[known, source] : kSources)
        if (known == name)
            return source;
    return std::nullopt;
}

Generator::Generator(uint64_t seed, size_t client, size_t streams, size_t payload_bytes)
    : keys_(seed * 1000003 + client), random_(seed * 1000033 + client), client_(client),
      lengths_(streams), payload_(make_payload(payload_bytes))
{
}

void Generator::begin_call(size_t events)
{
    ++calls_;
    events_ = events;
    key_ = make_uuid(keys_);
    uuid_ = make_uuid(keys_);
}

void Generator::end_call()
{
    lengths_[calls_ % lengths_.size()] += events_;
}

std::string Generator::value(Source source)
{
    return value(source, 0);
}

std::string Generator::value(Source source, size_t row)
{
    const size_t stream = calls_ % lengths_.size();
    const int64_t revision = static_cast<int64_t>(lengths_[stream] + row);
    switch (source) {
    case Source::new_stream:
        return "order-" + key_;
    case Source::stream:
        return text("order-%zu-%zu", client_, stream);
    case Source::revision:
        return std::to_string(revision);
    case Source::expected:
        return std::to_string(revision - 1);
    case Source::key:
        return key_;
    case Source::uuid:
        return row == 0 ? uuid_ : random_uuid();
    case Source::payload:
        return payload_;
    case Source::number:
        return std::to_string(calls_);
    case Source::client:
        return std::to_string(client_);
    case Source::count:
        return std::to_string(events_);
    case Source::events:
        return event_array();
    case Source::uuids:
        return array_of(&Generator::random_uuid);
    case Source::payloads:
        return array_of(&Generator::quoted_payload);
    }
    return {};
}

std::string Generator::random_uuid()
{
    return make_uuid(random_);
}

std::string Generator::event_array()
{
    std::string result = "[";
    for (size_t i = 0; i < events_; ++i) {
        if (i > 0)
            result += ',';
        result += R"({"type":"Counted","data":)" + payload_ + "}";
    }
    return result + "]";
}

std::string Generator::array_of(std::string (Generator::*element)())
{
    std::string result = "{";
    for (size_t i = 0; i < events_; ++i) {
        if (i > 0)
            result += ',';
        result += (this->*element)();
    }
    return result + "}";
}

std::string Generator::quoted_payload()
{
    std::string result = "\"";
    for (const char c : payload_) {
        if (c == '"')
            result += '\\';
        result += c;
    }
    return result + "\"";
}

} // namespace bench
