#include "guard/known.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "guard/wording.hpp"
#include "pg/catalog.hpp"
#include "pg/unique_index.hpp"
#include "pg/unique_violation.hpp"

namespace arbiter::guard {

namespace {

struct Known {
    std::string schema, table, index;
    Wording wording;
};

// Of a table or, for a partitioned one, of all its partitions.
struct Guards {
    // A stale entry keeps its guards: a statement that began with them may still need them.
    bool stale = true;
    std::vector<Known> guards;
};

struct Cache {
    std::unordered_map<Oid, Guards> tables;
    // Partitions and guards, and the table whose entry rests on them.
    std::unordered_multimap<Oid, Oid> watched;
    std::size_t purge_at = 1024;
};
// Reached by pointer: a static destructor would run at backend exit.
constinit Cache *cache = nullptr;

void mark_all_stale()
{
    for (auto &[table, guards] : cache->tables)
        guards.stale = true;
}

void mark_stale(Oid relation)
{
    if (relation == pg::kNoOid)
        return mark_all_stale();
    auto const mark = [](Oid table) {
        if (auto const found = cache->tables.find(table); found != cache->tables.end())
            found->second.stale = true;
    };
    mark(relation);
    auto const [from, to] = cache->watched.equal_range(relation);
    for (auto watched = from; watched != to; ++watched)
        mark(watched->second);
}

// A session may outlive many temporary tables.
void purge()
{
    if (cache->tables.size() < cache->purge_at)
        return;
    std::erase_if(cache->tables, [](const auto &entry) {
        return entry.second.stale && entry.second.guards.empty();
    });
    cache->purge_at = 2 * cache->tables.size() + 1024;
}

std::vector<Known> read(Oid table)
{
    std::vector<Known> guards;
    for (Oid const part : pg::with_partitions(table)) {
        if (part != table)
            cache->watched.emplace(part, table);
        for (auto &index : pg::commented_unique_indexes(part))
            if (auto wording = from_comment(index.comment)) {
                cache->watched.emplace(index.index, table);
                guards.push_back({std::move(index.schema), std::move(index.table),
                                  std::move(index.name), std::move(*wording)});
            }
    }
    return guards;
}

bool is_prepared(Oid table, bool *any) noexcept
{
    auto const found = cache->tables.find(table);
    if (found == cache->tables.end() || found->second.stale)
        return false;
    *any = !found->second.guards.empty();
    return true;
}

bool prepare(Oid table)
{
    purge();
    Guards &known = cache->tables[table];
    std::erase_if(cache->watched, [=](const auto &entry) { return entry.second == table; });
    // Before reading: what changes meanwhile makes it stale again.
    known.stale = false;
    try {
        known.guards = read(table);
    } catch (...) {
        known.stale = true;
        throw;
    }
    return !known.guards.empty();
}

bool find(Oid table, const char *schema, const char *name, const char *index,
          pg::Rewording *found) noexcept
{
    auto const known = cache->tables.find(table);
    if (known == cache->tables.end())
        return false;
    for (const Known &guard : known->second.guards)
        if (guard.index == index && guard.table == name && guard.schema == schema) {
            found->message = guard.wording.message.c_str();
            found->hint = guard.wording.hint ? guard.wording.hint->c_str() : nullptr;
            return true;
        }
    return false;
}

} // namespace

void reword_violations()
{
    cache = new Cache;
    pg::on_relation_change(mark_stale);
    pg::on_schema_change(mark_all_stale);
    pg::reword_unique_violations({.is_prepared = is_prepared, .prepare = prepare, .find = find});
}

} // namespace arbiter::guard
