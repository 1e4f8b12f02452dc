#include "shared/progress.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>

#include "pg/clock.hpp"
#include "pg/shared_memory.hpp"
#include "pg/transaction.hpp"
#include "pg/worker.hpp"

namespace arbiter::shared {

namespace {

using Word = std::uint64_t;
using Number = std::int64_t;
constexpr std::size_t kNameWords = 32;
constexpr std::size_t kNameBytes = kNameWords * sizeof(Word);
constexpr Number kUnknown = -1;

using Name = std::array<Word, kNameWords>;

// As much as there is room for, in whole characters, and zeros behind.
Name to_words(std::string_view text) noexcept
{
    std::size_t length = std::min(text.size(), kNameBytes);
    if (length < text.size())
        while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
            --length;
    Name words{};
    std::memcpy(words.data(), text.data(), length);
    return words;
}

std::string to_text(const Name &words)
{
    std::array<char, kNameBytes + 1> text{};
    std::memcpy(text.data(), words.data(), kNameBytes);
    return text.data();
}

} // namespace

// Its process is written last and taken away first, so what is read between two equal looks at it
// is that call's; in words, so that a reader in between is no data race.
struct Place {
    std::atomic<Number> process; // 0: nobody's
    std::atomic<Word> where;     // database and schema
    std::atomic<std::uint32_t> call;
    std::atomic<Number> done, total;
    std::atomic<Word> since;
    std::array<std::atomic<Word>, kNameWords> object;
};

namespace {

constexpr std::size_t kPlaces = 64;
using Places = std::array<Place, kPlaces>;
constexpr Number kTaken = -1; // and not told yet

void prepare(void *memory)
{
    new (memory) Places{};
}

constinit pg::SharedArea area{"arbiter progress", sizeof(Places), prepare};

// Of this session.
constinit Place *mine = nullptr;
constinit bool leaves_at_end = false;

// A session that is terminated runs no destructor.
void leave()
{
    if (mine)
        mine->process.store(0);
    mine = nullptr;
}

Place *take_place() noexcept
{
    for (Place &place : *static_cast<Places *>(area.memory)) {
        Number nobody = 0;
        if (place.process.load(std::memory_order_relaxed) == 0 &&
            place.process.compare_exchange_strong(nobody, kTaken))
            return &place;
    }
    return nullptr;
}

Going read(const Place &place)
{
    Name name{};
    for (std::size_t i = 0; i < kNameWords; ++i)
        name[i] = place.object[i].load(std::memory_order_relaxed);
    Number const total = place.total.load(std::memory_order_relaxed);
    return {.process = place.process.load(),
            .schema = static_cast<Oid>(place.where.load(std::memory_order_relaxed)),
            .call = static_cast<LongCall>(place.call.load(std::memory_order_relaxed)),
            .object = to_text(name),
            .done = place.done.load(std::memory_order_relaxed),
            .total = total == kUnknown ? std::nullopt : std::optional(total),
            .since = static_cast<Datum>(place.since.load(std::memory_order_relaxed))};
}

} // namespace

void request_progress()
{
    pg::request_area(area);
}

bool tells_progress() noexcept
{
    return area.memory != nullptr;
}

Progress::Progress(LongCall call, Oid schema, std::string_view object, std::optional<Number> total)
{
    if (!tells_progress() || mine)
        return;
    if (!leaves_at_end)
        pg::at_end_of_process(leave);
    leaves_at_end = true;
    mine = place_ = take_place();
    if (!place_)
        return;
    place_->where.store(static_cast<Word>(pg::current_database()) << 32 | schema);
    place_->call.store(static_cast<std::uint32_t>(call));
    place_->done.store(0);
    place_->total.store(total.value_or(kUnknown));
    place_->since.store(pg::clock_timestamp());
    Name const name = to_words(object);
    for (std::size_t i = 0; i < kNameWords; ++i)
        place_->object[i].store(name[i], std::memory_order_relaxed);
    place_->process.store(pg::this_process());
}

// While an error unwinds too: it asks nothing of the server.
Progress::~Progress()
{
    if (place_)
        leave();
}

void Progress::add(Number more) noexcept
{
    if (place_)
        place_->done.fetch_add(more, std::memory_order_relaxed);
}

void Progress::set(Number done) noexcept
{
    if (place_)
        place_->done.store(done, std::memory_order_relaxed);
}

void Progress::set_total(Number total) noexcept
{
    if (place_)
        place_->total.store(total, std::memory_order_relaxed);
}

std::vector<Going> going_on()
{
    std::vector<Going> all;
    if (!tells_progress())
        return all;
    for (const Place &place : *static_cast<Places *>(area.memory)) {
        Number const before = place.process.load();
        if (before <= 0 || place.where.load() >> 32 != pg::current_database())
            continue;
        Going found = read(place);
        if (place.process.load() == before)
            all.push_back(std::move(found));
    }
    return all;
}

const char *name(LongCall call) noexcept
{
    switch (call) {
    case LongCall::create_projection:
        return "create_projection";
    case LongCall::import_events:
        return "import_events";
    case LongCall::prune_claims:
        return "prune_claims";
    case LongCall::rebuild_projection:
        return "rebuild_projection";
    case LongCall::return_stale:
        return "return_stale";
    case LongCall::run_projections:
        return "run_projections";
    case LongCall::run_sweep:
        return "run_sweep";
    }
    return "";
}

const char *unit(LongCall call) noexcept
{
    switch (call) {
    case LongCall::import_events:
        return "events";
    case LongCall::prune_claims:
        return "65536ths of the ledger";
    case LongCall::create_projection:
    case LongCall::rebuild_projection:
    case LongCall::run_projections:
        return "positions";
    case LongCall::return_stale:
    case LongCall::run_sweep:
        return "rows";
    }
    return "";
}

} // namespace arbiter::shared
