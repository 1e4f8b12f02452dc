#include "pg/postgres.hpp"

#include "pg/key_names.hpp"

#include "pg/shared_memory.hpp"

namespace arbiter::pg {

namespace {

constexpr std::size_t kPlaces = 4096;

// Two cache lines. The key stands alone to be looked at without the lock: who locks a hot entity
// again and again finds it there.
struct Place {
    std::uint64_t key;
    slock_t lock;
    std::uint8_t size;
    char name[128 - sizeof(std::uint64_t) - sizeof(slock_t) - sizeof(std::uint8_t)];
};
static_assert(sizeof(Place) == 128);

void prepare(void *memory)
{
    auto *const places = static_cast<Place *>(memory);
    for (std::size_t i = 0; i < kPlaces; ++i) {
        places[i] = {};
        SpinLockInit(&places[i].lock);
    }
}

constinit SharedArea area{"arbiter entity names", kPlaces * sizeof(Place), prepare};

Place *place_of(std::uint64_t key) noexcept
{
    return area.memory ? static_cast<Place *>(area.memory) + key % kPlaces : nullptr;
}

} // namespace

void request_key_names()
{
    request_area(area);
}

void remember_name(std::uint64_t key, std::string_view name) noexcept
{
    Place *const place = place_of(key);
    if (!place || *static_cast<volatile std::uint64_t *>(&place->key) == key)
        return;
    // Not in the middle of a character.
    auto const size = static_cast<std::uint8_t>(
        pg_mbcliplen(name.data(), static_cast<int>(name.size()), sizeof(place->name)));
    SpinLockAcquire(&place->lock);
    place->key = key;
    place->size = size;
    memcpy(place->name, name.data(), size);
    SpinLockRelease(&place->lock);
}

std::optional<std::string> name_of(std::uint64_t key)
{
    Place *const place = place_of(key);
    if (!place)
        return std::nullopt;
    Place copy{};
    SpinLockAcquire(&place->lock);
    copy = *place;
    SpinLockRelease(&place->lock);
    if (copy.key != key || copy.size == 0)
        return std::nullopt;
    return std::string(copy.name, copy.size);
}

} // namespace arbiter::pg
