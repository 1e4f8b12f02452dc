#include "claim/row.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/digest.hpp"
#include "base/failure.hpp"

namespace arbiter::claim {

namespace {

// As the table computes it.
Uuid digest_of(std::string_view key)
{
    Sha256 const hash = sha256(key);
    Uuid digest;
    std::copy_n(hash.begin(), digest.octets.size(), digest.octets.begin());
    return digest;
}

} // namespace

Place::Place(store::Store &store, std::string_view ledger, std::string_view key)
    : at_(store.table(kClaims)), key_(key),
      digest_(digest_of(key)), values_{pg::IndexKey(ledger), pg::IndexKey(digest_)},
      key_datum_(pg::Value(key).datum())
{
}

void Place::fill(pg::Draft &draft) const noexcept
{
    draft.set(kLedger, values_[0].datum());
    draft.set(kDigest, values_[1].datum());
    draft.set(kKey, key_datum_);
}

bool Place::is_at(const pg::FoundRow &row) const
{
    return row.text(kKey) == key_;
}

std::vector<pg::RowKey> row_keys(std::span<const Place> places)
{
    std::vector<pg::RowKey> keys;
    keys.reserve(places.size());
    for (const Place &place : places)
        keys.push_back(place.row_key());
    return keys;
}

OrderedPlaces::OrderedPlaces(store::Store &store, std::string_view ledger,
                             std::span<const std::string_view> keys)
    : positions(keys.size())
{
    std::vector<Place> as_given;
    as_given.reserve(keys.size());
    for (std::string_view key : keys)
        as_given.emplace_back(store, ledger, key);
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    std::ranges::stable_sort(positions, {}, [&](std::size_t i) { return as_given[i].digest(); });
    places.reserve(keys.size());
    for (std::size_t i : positions)
        places.push_back(as_given[i]);
}

Found read(const pg::FoundRow &row)
{
    // The table's CHECK knows no other state.
    State const state = state_named(row.text(kState)).value_or(State::unknown);
    Found found{.standing = {row.bigint(kToken), state},
                .lease_until = std::nullopt,
                .fingerprint = std::nullopt,
                .mine = row.written_by_me()};
    if (!row.is_null(kLeaseUntil))
        found.lease_until = row.bigint(kLeaseUntil);
    if (!row.is_null(kFingerprint))
        found.fingerprint = row.text(kFingerprint);
    return found;
}

void refuse_collision(std::string_view key)
{
    throw Failure(sqlstate::kKeyCollision, "another key has the digest of the key given",
                  "The key given has " + std::to_string(key.size()) + " bytes.",
                  "Somebody has found a collision of SHA-256, or has written a digest by hand.");
}

} // namespace arbiter::claim
