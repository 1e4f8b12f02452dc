// The rules that recorded events keep among each other, for those that come with their positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace arbiter::log {

// Where an event stands, and what the rules ask of it.
struct Place {
    std::int64_t position;
    std::string_view stream;
    std::int64_t revision;
    std::string_view type;
};

// The event before it in its stream.
struct Predecessor {
    std::int64_t revision;
    std::int64_t position;
    bool closes;
};

// RB002, RB004. A stream may begin at any revision: where it should not, History tells at the end.
void refuse_unless_follows(const Place &event, const std::optional<Predecessor> &before);

// A whole store, event by event in the order of positions. What it keeps of each stream is dropped
// when it becomes too much, so that memory does not grow with the number of streams; whoever adds
// an event looks a forgotten stream up.
class History {
public:
    // Whoever follows the store may have been told that nothing will come at the positions that
    // have been handed out.
    History(std::int64_t handed_out, std::size_t max_streams) noexcept
        : handed_out_(handed_out), max_streams_(max_streams)
    {
    }

    std::optional<Predecessor> find(std::string_view stream) const;
    bool has_forgotten() const noexcept { return has_forgotten_; }
    // 22023, 23505, 55000 for the position; RB002, RB004 for the rest.
    void add(const Place &event, const std::optional<Predecessor> &before);
    // Between two adds, once what has been added can be looked up.
    void forget_some();
    // RB004 for a stream that begins above revision 0 without ever having been truncated.
    void finish() const;

    std::int64_t last_position() const noexcept { return last_position_; }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept
        {
            return std::hash<std::string_view>{}(text);
        }
    };
    void check_position(const Place &event) const;

    std::int64_t const handed_out_;
    std::size_t const max_streams_;
    std::int64_t last_position_ = 0;
    bool has_forgotten_ = false;
    std::unordered_map<std::string, Predecessor, Hash, std::equal_to<>> streams_;
    // Begun above revision 0, and not known to be truncated yet.
    std::unordered_set<std::string, Hash, std::equal_to<>> beheaded_;
};

} // namespace arbiter::log
