// The row of a claim, found by its key and read into what the rules speak of.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "claim/decision.hpp"
#include "claim/tables.hpp"
#include "pg/keyed_row.hpp"

namespace arbiter::claim {

// The key of the table's index for a key of any length. Keeps its values alive: RowKey has views.
class Place {
public:
    Place(store::Store &store, std::string_view ledger, std::string_view key);
    // Valid as long as the place stays where it is.
    pg::RowKey row_key() const noexcept { return {at_.table, at_.key, values_}; }
    // The order in which everybody takes several; neighbours in the index are neighbours here.
    const Uuid &digest() const noexcept { return digest_; }
    // The columns that make the place, for a new row.
    void fill(pg::Draft &draft) const noexcept;
    // False if the row is of another key with the same digest.
    bool is_at(const pg::FoundRow &row) const;
    std::string_view key() const noexcept { return key_; }

private:
    store::TableAt at_;
    std::string_view key_;
    Uuid digest_;
    std::array<pg::IndexKey, 2> values_;
    Datum key_datum_;
};

std::vector<pg::RowKey> row_keys(std::span<const Place> places);

// Many places in the one order in which everybody takes several, so that two batches never wait for
// each other in a ring. A key that is given twice keeps its turns.
struct OrderedPlaces {
    OrderedPlaces(store::Store &store, std::string_view ledger,
                  std::span<const std::string_view> keys);
    std::vector<Place> places;
    std::vector<std::size_t> positions; // of each place's key among those given
};

// Inside the reader of decide_row only: fingerprint is a view of the row.
Found read(const pg::FoundRow &row);

// RB043: two keys, one digest. Nobody has seen it happen with SHA-256.
[[noreturn]] void refuse_collision(std::string_view key);

} // namespace arbiter::claim
