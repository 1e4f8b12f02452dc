// Events on their way through a projection's handler: all at once, and where that fails, narrowed
// down to the one that is to blame.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "pg/error.hpp"
#include "projection/source.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// The administrator's or the clock's doing, or a defeat that the whole transaction shares.
bool is_about_more_than_an_event(const pg::Error &error);

// All or an error. Returns how many events were new and shown to the handler.
std::int64_t advance_and_handle(store::Store &store, const Runnable &projection,
                                std::span<const Event> events);

class Batch {
public:
    Batch(store::Store &store, const Runnable &projection) : store_(store), projection_(projection)
    {
    }

    // Leaves out the streams that are held back, then and later.
    void hold(std::string_view stream) { held_.emplace(stream); }
    void take_up(std::string_view stream) { held_.erase(held_.find(stream)); }
    bool holds(std::string_view stream) const { return held_.contains(stream); }

    // The attempt at this revision of the only stream that is not held back.
    void was_counted(std::int64_t revision) { counted_ = revision; }

    // In the order given, which has to be that of each stream. What cannot be applied holds its
    // stream back, or is passed where somebody will make up for it. What is wrong with more than an
    // event is thrown on: a cancelled statement, a transaction that has to be run again.
    void apply(std::span<const Event> events);

    // Past its offset, to make up for what is owed: why it was refused, or nothing.
    std::optional<std::string> offer(const Event &event);

    std::int64_t held() const noexcept { return static_cast<std::int64_t>(held_.size()); }
    std::int64_t applied() const noexcept { return applied_; }
    std::int64_t failed() const noexcept { return failed_; }

private:
    struct Reason {
        std::string text;
        bool may_be_passed;
    };
    std::optional<std::string> attempt(const std::function<void()> &body);
    std::optional<Reason> try_all(std::span<const Event> events);
    void give_up(const Event &event, const Reason &reason);

    store::Store &store_;
    const Runnable &projection_;
    std::set<std::string, std::less<>> held_;
    std::optional<std::int64_t> counted_;
    std::int64_t applied_ = 0;
    std::int64_t failed_ = 0;
};

} // namespace arbiter::projection
