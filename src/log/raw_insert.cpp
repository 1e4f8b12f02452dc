#include "log/raw_insert.hpp"

#include <string>

#include "base/failure.hpp"
#include "log/governor.hpp"
#include "log/head.hpp"
#include "log/position.hpp"
#include "log/stream_name.hpp"
#include "pg/json.hpp"

namespace arbiter::log {

namespace {

void refuse_given(const store::Store &store, const char *column)
{
    throw Failure(sqlstate::kAppendOnly,
                  std::string("column \"") + column + "\" of \"" + store.name +
                      "\".events is not for the writer to choose",
                  std::string("The log draws ") + column + " itself, at the write.",
                  "Leave the column out. Events that have their positions and times already come "
                  "into an empty store by arbiter.import_events.");
}

// At or before the head a row may be missing: truncation leaves such holes, and nobody fills them.
bool continues(const store::Store &store, std::string_view stream, std::int64_t revision,
               const Head &head)
{
    if (revision > head.revision)
        return revision - 1 == head.revision;
    return revision >= 0 && is_taken(store, stream, revision);
}

void check_contiguous(const store::Store &store, std::string_view stream, std::int64_t revision,
                      const Head &head)
{
    if (continues(store, stream, revision, head))
        return;
    throw Failure(sqlstate::kNoncontiguousRevision,
                  "revision " + std::to_string(revision) + " does not continue stream \"" +
                      std::string(stream) + "\"",
                  "The stream's last revision is " + std::to_string(head.revision) +
                      ", so the next one is " + describe_next(head) + ".",
                  "Use arbiter.append, which finds the next revision and checks yours.");
}

void check_metadata(const RawRow &row)
{
    if (!pg::json_is_object(row.metadata))
        throw Failure(sqlstate::kInvalidParameterValue, "metadata must be a JSON object");
}

void judge_as_event(store::Store &store, const RawRow &row, const Head &head)
{
    NewEvent const event{.type = row.type, .data = 0, .metadata = row.metadata, .id = std::nullopt};
    governor().judge(store, row.stream, head, {&event, 1});
}

} // namespace

std::int64_t admit(store::Store &store, const RawRow &row)
{
    check_stream_name(row.stream);
    if (!row.own)
        check_event_type(row.type);
    check_metadata(row);
    if (row.position)
        refuse_given(store, "position");
    if (row.recorded_at_given)
        refuse_given(store, "recorded_at");
    Head const head = find_head(store, row.stream);
    if (head.closed && !row.own)
        refuse_closed(row.stream, head.revision);
    check_contiguous(store, row.stream, row.revision, head);
    if (!row.own && row.revision > head.revision)
        judge_as_event(store, row, head);
    return draw_position(store, head);
}

void admit_recorded(const store::Store &store, const RawRow &row)
{
    check_stream_name(row.stream);
    check_imported_type(row.type);
    check_metadata(row);
    // Without position or time the table itself refuses it.
    if (row.position)
        refuse_unless_follows({*row.position, row.stream, row.revision, row.type},
                              find_predecessor(store, row.stream));
}

} // namespace arbiter::log
