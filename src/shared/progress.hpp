// How far a call is that takes long, for other sessions to see: the numbers behind
// arbiter.progress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pg/types.hpp"

namespace arbiter::shared {

enum class LongCall : std::uint32_t {
    create_projection,
    import_events,
    prune_claims,
    rebuild_projection,
    return_stale,
    run_projections,
    run_sweep
};

// Called once from _PG_init.
void request_progress();
bool tells_progress() noexcept;

// Lives while the call works, over its commits too. Nothing in it can fail but the beginning, out
// of memory; where the library is not preloaded, or everything is taken, nobody is told. Of one
// inside another the outer one is told.
class Progress {
public:
    Progress(LongCall call, Oid schema, std::string_view object,
             std::optional<std::int64_t> total = std::nullopt);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    void add(std::int64_t more) noexcept;
    void set(std::int64_t done) noexcept;
    void set_total(std::int64_t total) noexcept;

private:
    struct Place *place_ = nullptr;
};

struct Going {
    std::int64_t process;
    Oid schema;
    LongCall call;
    std::string object; // cut off where it is very long
    std::int64_t done;
    std::optional<std::int64_t> total;
    Datum since; // timestamptz
};
// Of this database.
std::vector<Going> going_on();

const char *name(LongCall call) noexcept;
const char *unit(LongCall call) noexcept;

} // namespace arbiter::shared
