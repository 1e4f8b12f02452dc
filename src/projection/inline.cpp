#include "projection/inline.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "pg/acting_role.hpp"
#include "pg/catalog.hpp"
#include "pg/lock_manager.hpp"
#include "pg/memory.hpp"
#include "pg/snapshot.hpp"
#include "pg/table_scan.hpp"
#include "pg/text.hpp"
#include "pg/text_array.hpp"
#include "pg/transaction.hpp"
#include "projection/batch.hpp"
#include "projection/filter.hpp"
#include "projection/offset.hpp"
#include "projection/tables.hpp"
#include "projection/turn.hpp"

namespace arbiter::projection {

namespace {

constexpr std::int64_t kBatch = 1000;

// A row of the registry, kept while handlers run, who could change it.
class Registered {
public:
    explicit Registered(const pg::TableScan &row)
        : name_(pg::text_view(row.datum(kName))), handler_(pg::text_view(row.datum(kHandler))),
          owner_(pg::find_role(pg::text_view(row.datum(kOwner)))), strict_(row.datum(kStrict) != 0)
    {
        if (!row.is_null(kCategory))
            category_ = pg::text_view(row.datum(kCategory));
        if (!row.is_null(kTypes))
            keep_types(row.datum(kTypes));
    }

    const std::string &name() const noexcept { return name_; }
    Oid owner() const noexcept { return owner_; }
    Runnable runnable() const
    {
        return {.name = name_,
                .kind = Kind::inline_,
                .strict = strict_,
                .max_attempts = 1,
                .handler = handler_,
                .types = types_,
                .category = category_,
                .position = std::numeric_limits<std::int64_t>::max()};
    }

private:
    void keep_types(Datum types)
    {
        std::vector<std::optional<std::string_view>> elements;
        pg::read_text_array(types, elements);
        std::vector<std::string_view> given;
        given.reserve(elements.size());
        for (auto const &element : elements)
            given.push_back(element.value_or(std::string_view()));
        types_ = pg::Value::of(pg::text_array(given));
    }

    std::string name_;
    std::string handler_;
    Oid owner_;
    bool strict_;
    std::optional<std::string> category_;
    pg::Value types_ = pg::Value::null();
};

std::vector<Registered> inline_projections(store::Store &store)
{
    std::vector<Registered> found;
    for (pg::TableScan row(store.table(kProjections).table); row.next();)
        if (pg::text_view(row.datum(kKind)) == "inline")
            found.emplace_back(row);
    std::ranges::sort(found, {}, &Registered::name);
    return found;
}

// Where rows of one statement are of one stream, and a handler or trigger on the way appends to it
// once more, that event comes here before the rows between. They go first: an offset passes nothing
// that has not been shown.
void show(store::Store &store, const Runnable &projection, const Written &written)
{
    Projection const rules = open_offsets(store, projection.name);
    std::int64_t applied = kNothingApplied;
    look(store, rules, {projection.name, written.stream}, written.revision, applied);
    if (applied >= written.revision)
        return;
    if (applied == written.revision - 1) {
        Event const event{.position = 0,
                          .stream = written.stream,
                          .revision = written.revision,
                          .is_shown = Filter(projection).shows(written.type, written.metadata),
                          .row = written.row};
        advance_and_handle(store, projection, {&event, 1});
        return;
    }
    require_all_events(store);
    pg::Spi spi;
    auto const events =
        read_stream(spi, store, projection, written.stream, applied, written.revision - applied);
    // One by one: what a handler appends meanwhile comes after all of them.
    for (const Event &event : events)
        advance_and_handle(store, projection, {&event, 1});
}

} // namespace

void apply_inline(store::Store &store, const Written &event)
{
    for (const Registered &registered : inline_projections(store)) {
        Runnable const projection = registered.runnable();
        if (!Filter(projection).wants(event.stream, event.type))
            continue;
        require_vouched(store, registered.owner());
        pg::ActingAs const acting(registered.owner(), pg::ActingAs::Rights::lent);
        pg::increment_command_counter();
        pg::StatementSnapshot const now;
        show(store, projection, event);
    }
}

namespace {

constexpr store::Query kLast{
    "SELECT COALESCE(pg_catalog.max(e.\"position\"), 0) FROM ONLY {store}.events AS e"};

std::int64_t last_position(store::Store &store)
{
    pg::Spi spi;
    return spi.run(store.statement(kLast), {}, pg::Sees::fresh).bigint(0, 0);
}

} // namespace

void lock_out_writers(const store::Store &store)
{
    pg::require_owner(store.events);
    pg::lock_table_against_writers(store.events);
}

void catch_up(store::Store &store, std::string_view name, shared::LongCall call)
{
    for (const Registered &registered : inline_projections(store)) {
        if (registered.name() != name)
            continue;
        pg::ActingAs const acting(registered.owner());
        open_offsets(store, name);
        require_all_events(store);
        Runnable projection = registered.runnable();
        projection.position = 0;
        shared::Progress progress(call, store.schema, name, last_position(store));
        bool is_more = true;
        while (is_more) {
            pg::Memory memory;
            auto const events = read_log(store, projection, kBatch);
            is_more = !events.empty();
            if (is_more) {
                advance_and_handle(store, projection, events);
                projection.position = events.back().position;
                progress.set(projection.position);
            }
        }
    }
}

} // namespace arbiter::projection
