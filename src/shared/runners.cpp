#include "shared/runners.hpp"

#include <atomic>
#include <new>

#include "pg/shared_memory.hpp"

namespace arbiter::shared {

namespace {

// A post in one word, so that it is taken in one step; 0 is nobody's.
using Word = std::uint64_t;
static_assert(std::atomic<Word>::is_always_lock_free);
static_assert(std::atomic<bool>::is_always_lock_free);

struct Place {
    std::atomic<Word> post;
    std::atomic<bool> occupied;
};

void prepare(void *memory)
{
    for (std::int32_t i = 0; i < kMostRunners; ++i)
        new (static_cast<Place *>(memory) + i) Place{0, false};
}

constinit pg::SharedArea area{"arbiter runners", kMostRunners * sizeof(Place), prepare};

Word word(const Post &post) noexcept
{
    return static_cast<Word>(post.database) << 32 | post.role;
}

Post post_of(Word word) noexcept
{
    return {.database = static_cast<Oid>(word >> 32), .role = static_cast<Oid>(word)};
}

Place *places() noexcept
{
    return static_cast<Place *>(area.memory);
}

} // namespace

void request_runners()
{
    pg::request_area(area);
}

Reservation reserve(const Post &post, std::int32_t most) noexcept
{
    std::int32_t there = 0;
    for (std::int32_t i = 0; i < kMostRunners; ++i)
        there += places()[i].post.load() == word(post);
    if (there >= most)
        return {.place = {}, .refusal = Refusal::enough};
    for (std::int32_t i = 0; i < kMostRunners; ++i) {
        Word nobody = 0;
        if (places()[i].post.compare_exchange_strong(nobody, word(post)))
            return {.place = i, .refusal = {}};
    }
    return {.place = {}, .refusal = Refusal::full_house};
}

Post occupy(std::int32_t place) noexcept
{
    places()[place].occupied = true;
    return post_of(places()[place].post);
}

void vacate(std::int32_t place) noexcept
{
    places()[place].occupied = false;
    places()[place].post = 0;
}

// The process may have come, ended and made room for another: then the place is occupied, or
// somebody else's.
void give_up(std::int32_t place, const Post &post) noexcept
{
    Word expected = word(post);
    if (!places()[place].occupied)
        places()[place].post.compare_exchange_strong(expected, 0);
}

bool is_served(Oid database) noexcept
{
    if (!places())
        return false;
    for (std::int32_t i = 0; i < kMostRunners; ++i)
        if (auto const post = post_of(places()[i].post.load(std::memory_order_relaxed));
            post.database == database && post.role != 0)
            return true;
    return false;
}

} // namespace arbiter::shared
