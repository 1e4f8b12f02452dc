#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// What a :name in a statement can stand for. The README lists them for authors of suites.
enum class Source {
    new_stream, // a stream nobody has written yet
    stream,     // one of the client's own streams, in turn
    revision,   // the next revision of :stream
    expected,   // the one before it: what an append would be computed from
    key,        // a name nobody has used yet
    uuid,       // a random UUID
    payload,    // a JSON object of the scenario's size
    number,     // counts the client's calls
    client,     // which client this is
    count,      // events in this call
    events,     // :count events as one JSON array
    uuids,      // :count random UUIDs as a PostgreSQL array
    payloads,   // :count payloads as a PostgreSQL array
};

std::optional<Source> source_named(std::string_view name);

// Makes the values of one client's calls. Equal seeds give equal values, so every variant of a
// scenario is given the same keys in the same order.
class Generator {
public:
    Generator(uint64_t seed, size_t client, size_t streams, size_t payload_bytes);

    // Begins a call of so many events; the values stay as they are until the next one begins.
    void begin_call(size_t events);
    // The call was accepted: its events are in the stream.
    void end_call();

    std::string value(Source source);
    // The same, for row n of a COPY.
    std::string value(Source source, size_t row);

private:
    std::string random_uuid();
    std::string event_array();
    std::string array_of(std::string (Generator::*element)());
    std::string quoted_payload();

    std::mt19937_64 keys_;   // drawn from twice a call, whatever the statements ask for
    std::mt19937_64 random_; // for the rest
    size_t client_;
    std::vector<uint64_t> lengths_; // of the client's own streams
    std::string payload_;
    uint64_t calls_ = 0;
    size_t events_ = 1;
    std::string key_;
    std::string uuid_;
};

} // namespace bench
