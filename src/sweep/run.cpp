#include "sweep/run.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "log/append.hpp"
#include "machine/known.hpp"
#include "machine/transition.hpp"
#include "pg/clock.hpp"
#include "pg/error.hpp"
#include "pg/json.hpp"
#include "pg/memory.hpp"
#include "pg/subtransaction.hpp"
#include "shared/progress.hpp"
#include "sweep/registry.hpp"
#include "sweep/rest.hpp"
#include "sweep/rows.hpp"

namespace arbiter::sweep {

namespace {

constexpr std::int64_t kBatch = 1000;
// How often a row is found before it counts as one that is never to be had.
constexpr int kPatience = 20;

struct Tried {
    After after;
    std::optional<std::string> error;
};

// What ends the whole run and is not the row's own fault: cancelled, shut down.
bool is_of_all(const pg::Error &error)
{
    return error.code().starts_with("57");
}

// An error takes back what the command has written, and nothing else.
Tried give_command(store::Store &store, const Definition &definition, std::string_view key)
{
    Tried tried{After::done, std::nullopt};
    try {
        auto const error = pg::attempt([&] {
            auto const done =
                machine::transition(store, machine::require(store, *definition.machine),
                                    {.entity = key,
                                     .name = *definition.command,
                                     .data = pg::empty_json_object(),
                                     .id = std::nullopt});
            if (done.outcome == machine::Outcome::already)
                tried.after = After::already;
        });
        if (error && is_of_all(*error))
            throw *error;
        if (error)
            tried = {After::failed, error->what() + (" (SQLSTATE " + error->code()) + ")"};
    } catch (const Failure &failure) {
        tried = {After::failed, failure.message()};
    }
    return tried;
}

// What is kept over a commit is what is said here, and nothing of the server's.
class Run {
public:
    Run(pg::Procedure &procedure, const std::string &store, const std::string &sweep)
        : procedure_(procedure), store_(store), sweep_(sweep),
          began_(static_cast<Time>(pg::clock_timestamp())),
          definition_(find(*store::open_for_writing(store), sweep))
    {
        if (!definition_.machine)
            throw Failure(sqlstate::kNotInPrerequisiteState,
                          "sweep \"" + sweep + "\" has no command to give",
                          "It was created without a machine.",
                          "Take its rows with arbiter.due_rows, and do with them what is due.");
    }

    Swept run(std::int64_t max_count)
    {
        auto const schema = [&] {
            auto const store = store::open_for_writing(store_);
            forget_old_rests(*store, sweep_);
            return store->schema;
        }();
        procedure_.commit();
        shared::Progress progress(shared::LongCall::run_sweep, schema, sweep_);
        while (swept_.done < max_count && try_some(max_count, progress))
            continue;
        return swept_;
    }

private:
    // False where there was nothing new: all that is due rests, or others are at it. Where others
    // were faster with all that was found, there is more behind it; what is found again and again
    // and is never to be had ends the run.
    bool try_some(std::int64_t max_count, shared::Progress &progress)
    {
        auto const keys = find_due(*store::open_for_writing(store_), sweep_, definition_, began_,
                                   std::min(max_count - swept_.done, kBatch));
        procedure_.commit();
        bool any = false;
        for (const std::string &key : keys) {
            if (swept_.done == max_count)
                break;
            any |= try_one(key) || ++missed_[key] < kPatience;
            progress.set(swept_.done + swept_.already + swept_.failed);
            procedure_.commit();
        }
        return any;
    }

    bool try_one(const std::string &key)
    {
        pg::Memory const memory;
        auto const store = log::open_for_append(store_);
        if (!lock_if_due(*store, sweep_, definition_, began_, key))
            return false;
        Tried const tried = give_command(*store, definition_, key);
        rest(*store, sweep_, key, tried.after, tried.error);
        ++(tried.after == After::done      ? swept_.done
           : tried.after == After::already ? swept_.already
                                           : swept_.failed);
        return true;
    }

    pg::Procedure &procedure_;
    const std::string &store_, &sweep_;
    // A row that has been tried rests beyond this moment, so that it is not found a second time.
    Time const began_;
    Definition const definition_;
    std::map<std::string, int> missed_;
    Swept swept_;
};

} // namespace

void check_max_count(std::int64_t max_count)
{
    if (max_count < 1)
        throw Failure(sqlstate::kInvalidParameterValue, "argument \"max_count\" must be positive",
                      "It is " + std::to_string(max_count) + ".");
}

Swept run(pg::Procedure &procedure, const std::string &store, const std::string &sweep,
          std::int64_t max_count)
{
    check_max_count(max_count);
    return Run(procedure, store, sweep).run(max_count);
}

} // namespace arbiter::sweep
