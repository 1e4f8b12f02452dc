#include "shared/counters.hpp"

#include <atomic>
#include <new>

#include "pg/shared_memory.hpp"
#include "pg/transaction.hpp"

namespace arbiter::shared {

namespace {

using Word = std::uint64_t;
static_assert(std::atomic<Word>::is_always_lock_free);

// Of one store. The owner is database and schema in one word, so that the place is taken in one
// step; 0 is nobody's. Statistics: no order is kept between one counter and another.
struct Place {
    std::atomic<Word> owner;
    std::array<std::array<std::atomic<Word>, kOutcomes>, kNouns> counts;
};

// Kept to the end of the server, also that of a store that is dropped: 250 kB in all.
constexpr std::size_t kPlaces = 1024;
using Places = std::array<Place, kPlaces>;

void prepare(void *memory)
{
    new (memory) Places{};
}

constinit pg::SharedArea area{"arbiter counters", sizeof(Places), prepare};

// Where there is no memory to share.
constinit Places own_places{};

Places &places() noexcept
{
    return area.memory ? *static_cast<Places *>(area.memory) : own_places;
}

Word owner_of(Oid schema) noexcept
{
    return static_cast<Word>(pg::current_database()) << 32 | schema;
}

Place *place_of(Word owner) noexcept
{
    Places &all = places();
    for (std::size_t i = 0; i < kPlaces; ++i) {
        Place &place = all[(owner + i) % kPlaces];
        Word found = place.owner.load(std::memory_order_relaxed);
        if (found == 0 && place.owner.compare_exchange_strong(found, owner))
            return &place;
        if (found == owner)
            return &place;
    }
    return nullptr;
}

} // namespace

void request_counters()
{
    pg::request_area(area);
}

void count(Oid schema, Noun noun, Outcome outcome) noexcept
{
    if (Place *const place = place_of(owner_of(schema)))
        place->counts[static_cast<std::size_t>(noun)][static_cast<std::size_t>(outcome)].fetch_add(
            1, std::memory_order_relaxed);
}

std::vector<Counted> counted()
{
    std::vector<Counted> all;
    for (const Place &place : places()) {
        Word const owner = place.owner.load();
        if (owner == 0 || owner >> 32 != pg::current_database())
            continue;
        for (std::size_t noun = 0; noun < kNouns; ++noun) {
            Counted found{
                .schema = static_cast<Oid>(owner), .noun = static_cast<Noun>(noun), .counts = {}};
            if ((found.schema == kNoStore) != (found.noun == Noun::lock))
                continue;
            for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome)
                found.counts[outcome] = place.counts[noun][outcome].load(std::memory_order_relaxed);
            all.push_back(found);
        }
    }
    return all;
}

bool counts_all_sessions() noexcept
{
    return area.memory != nullptr;
}

const char *name(Noun noun) noexcept
{
    switch (noun) {
    case Noun::append:
        return "append";
    case Noun::advance:
        return "advance";
    case Noun::handle:
        return "handle";
    case Noun::lock:
        return "lock";
    case Noun::claim:
        return "claim";
    case Noun::transition:
        return "transition";
    }
    return "";
}

} // namespace arbiter::shared
