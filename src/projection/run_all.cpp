#include "projection/run_all.hpp"

#include <exception>
#include <optional>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "pg/acting_role.hpp"
#include "pg/error.hpp"
#include "pg/spi.hpp"
#include "pg/subtransaction.hpp"
#include "pg/transaction.hpp"
#include "projection/mark.hpp"
#include "projection/registry.hpp"
#include "projection/retry.hpp"
#include "projection/runner.hpp"
#include "projection/tables.hpp"
#include "shared/progress.hpp"

namespace arbiter::projection {

namespace {

constexpr store::Query kRunHere{"SELECT p.projection FROM {store}.projections AS p "
                                "WHERE p.handler IS NOT NULL "
                                "AND (p.kind OPERATOR(pg_catalog.=) 'transactional' "
                                "OR p.kind OPERATOR(pg_catalog.=) 'async') ORDER BY p.projection"};

// One projection's way to the end of the feed, transaction by transaction. What is kept over a
// commit is what is said here, and nothing of the server's.
class CatchUp {
public:
    CatchUp(pg::Procedure &procedure, std::string_view store, std::string_view name,
            std::int64_t max_count, RanAll &total)
        : procedure_(procedure), store_(store), name_(name), max_count_(max_count), total_(total)
    {
    }

    void run()
    {
        retry_what_is_due();
        Mark left = leave_mark();
        while (left == Mark::handed_over) {
            retry_what_is_due();
            left = leave_mark();
        }
        has_mark_ = left == Mark::left;
        if (has_mark_)
            follow_the_feed();
    }

    // After an error: that is what ended the batch.
    void take_mark_back()
    {
        if (has_mark_)
            in_transaction([](Turn &turn) { turn.leave(turn.projection().position); });
    }

private:
    // False where another session runs it. An error is thrown once what it left is rolled back.
    template <typename Body>
    bool in_transaction(Body body)
    {
        bool is_busy = false;
        auto const error = pg::attempt([&] {
            auto const store = store::open_for_writing(store_);
            Turn turn(*store, name_);
            is_busy = turn.is_busy();
            if (!is_busy)
                body(turn);
        });
        if (error)
            throw *error;
        procedure_.commit();
        return !is_busy;
    }

    void retry_what_is_due()
    {
        std::vector<std::string> due;
        in_transaction([&](Turn &turn) {
            for (Held &held : held_back(turn.store(), name_))
                if (held.is_due)
                    due.push_back(std::move(held.stream));
        });
        for (const std::string &stream : due)
            retry(stream);
    }

    void retry(std::string_view stream)
    {
        bool is_more = true;
        while (is_more) {
            is_more = false;
            std::optional<Retry> counted;
            in_transaction([&](Turn &turn) { counted = count_retry(turn, stream); });
            if (!counted)
                return;
            in_transaction([&](Turn &turn) {
                auto const retried = make_retry(turn, *counted, max_count_);
                total_.applied += retried.applied;
                total_.failed += retried.failed;
                is_more = retried.is_more;
            });
        }
    }

    Mark leave_mark()
    {
        Mark left = Mark::not_needed;
        in_transaction([&](Turn &turn) { left = mark(turn, max_count_); });
        return left;
    }

    void follow_the_feed()
    {
        Ran ran;
        std::int64_t began = 0;
        std::optional<shared::Progress> progress;
        while (!ran.is_caught_up && in_transaction([&](Turn &turn) {
            if (!progress) {
                began = turn.projection().position;
                progress.emplace(shared::LongCall::run_projections, turn.store().schema, name_,
                                 turn.settled() - began);
            }
            ran = run_marked(turn, max_count_);
        })) {
            progress->set(ran.position - began);
            total_.applied += ran.applied;
            total_.failed += ran.failed;
        }
    }

    pg::Procedure &procedure_;
    std::string_view const store_;
    std::string_view const name_;
    std::int64_t const max_count_;
    RanAll &total_;
    bool has_mark_ = false;
};

std::vector<std::string> run_here(std::string_view store_name)
{
    auto const store = store::open_for_writing(store_name);
    store->table(kProjections); // and not a view, whose code would run as the caller
    pg::Spi spi;
    pg::Rows const rows = spi.run(store->statement(kRunHere), {}, pg::Sees::fresh);
    std::vector<std::string> names;
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        names.emplace_back(rows.text(row, 0));
    return names;
}

bool is_of_another(std::string_view store_name, const std::string &name)
{
    auto const store = store::open_for_writing(store_name);
    Oid const owner = handler_owner(*store, name);
    if (pg::has_rights_of(pg::current_role(), owner))
        return false;
    pg::notice("projection \"" + name + "\" belongs to role \"" + pg::role_name(owner) +
               "\", skipping");
    return true;
}

// What was the matter with one of them, and whether that concerns them all.
struct Problem {
    std::exception_ptr error;
    bool is_of_all;
};

std::optional<Problem> run_one(CatchUp &catch_up, const std::string &name)
{
    Problem problem{};
    std::string words;
    try {
        catch_up.run();
        return std::nullopt;
    } catch (const pg::Error &error) {
        problem = {std::current_exception(), error.code().starts_with("57")};
        words = error.what();
    } catch (const Failure &failure) {
        problem = {std::current_exception(), false};
        words = failure.message();
    }
    catch_up.take_mark_back();
    pg::warning("projection \"" + name + "\" could not be run: " + words);
    return problem;
}

} // namespace

RanAll run_all(pg::Procedure &procedure, const std::string &store, std::int64_t max_count)
{
    check_max_count(max_count);
    RanAll total;
    std::exception_ptr first;
    for (const std::string &name : run_here(store)) {
        if (is_of_another(store, name))
            continue;
        CatchUp catch_up(procedure, store, name, max_count, total);
        auto const problem = run_one(catch_up, name);
        if (problem && !first)
            first = problem->error;
        if (problem && problem->is_of_all)
            break;
    }
    if (first)
        std::rethrow_exception(first);
    return total;
}

} // namespace arbiter::projection
