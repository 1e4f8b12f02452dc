#include "identity/injectivity.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/failure.hpp"
#include "identity/arguments.hpp"
#include "identity/derivation.hpp"
#include "identity/json_string.hpp"
#include "identity/language.hpp"

namespace arbiter::identity {
namespace {

// The whole name: separators and parts one after the other. Inside a segment everything is
// determined; the only choice a reader has is where a segment ends.
struct Segment {
    Automaton language;
    std::optional<std::size_t> part; // nothing for a separator
};

struct Position {
    std::size_t segment;
    int state;
};

std::vector<Segment> segments_of(const Spec &spec)
{
    std::vector<Segment> segments;
    const bool json = spec.layout == Layout::json;
    if (json)
        segments.push_back({literal_language('['), std::nullopt});
    for (std::size_t i = 0; i < spec.parts.size(); ++i) {
        if (i > 0)
            segments.push_back({literal_language(json ? ',' : ':'), std::nullopt});
        segments.push_back({part_language(spec.parts[i], spec.layout), i});
    }
    if (json)
        segments.push_back({literal_language(']'), std::nullopt});
    return segments;
}

// Symbols that no segment tells apart need one representative only.
std::vector<std::size_t> representatives(const std::vector<Segment> &segments)
{
    std::map<std::vector<int>, std::size_t> classes;
    for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) {
        std::vector<int> behaviour;
        for (const Segment &segment : segments)
            for (const auto &row : segment.language.next)
                behaviour.push_back(row[symbol]);
        // The last one wins: a letter reads better than a control character.
        if (std::any_of(behaviour.begin(), behaviour.end(), [](int to) { return to != kNowhere; }))
            classes.insert_or_assign(std::move(behaviour), symbol);
    }
    std::vector<std::size_t> symbols;
    symbols.reserve(classes.size());
    for (const auto &[behaviour, symbol] : classes)
        symbols.push_back(symbol);
    std::sort(symbols.begin(), symbols.end());
    return symbols;
}

// Two readers follow one word. They have disagreed once they were in different positions; if both
// can then reach the end, the word has two readings.
class Search {
public:
    explicit Search(std::vector<Segment> segments)
        : segments_(std::move(segments)), symbols_(representatives(segments_))
    {
        for (std::size_t s = 0; s < segments_.size(); ++s)
            for (std::size_t state = 0; state < segments_[s].language.next.size(); ++state)
                positions_.push_back({s, static_cast<int>(state)});
        for (std::size_t id = positions_.size(); id-- > 0;)
            if (positions_[id].state == 0)
                first_id_[positions_[id].segment] = id;
    }

    // The shortest word with two readings: for each, the text of every segment.
    std::optional<std::pair<std::vector<std::string>, std::vector<std::string>>> run()
    {
        visit({0, 0, false}, {0, 0, false}, 0);
        while (!queue_.empty()) {
            const Node node = queue_.front();
            queue_.pop_front();
            if (node.differ && can_end(node.left) && can_end(node.right))
                return std::pair{read_back(node, true), read_back(node, false)};
            expand(node);
        }
        return std::nullopt;
    }

private:
    struct Node {
        std::size_t left, right; // position ids
        bool differ;

        friend bool operator==(const Node &, const Node &) = default;
    };

    struct NodeHash {
        std::size_t operator()(const Node &node) const noexcept
        {
            return (node.left * 1000003 + node.right) * 2 + (node.differ ? 1 : 0);
        }
    };

    struct Step {
        Node from;
        std::size_t symbol;
    };

    const Automaton &language(std::size_t id) const
    {
        return segments_[positions_[id].segment].language;
    }

    bool accepts(std::size_t id) const
    {
        return language(id).accepting[static_cast<std::size_t>(positions_[id].state)];
    }

    // Where reading the symbol can lead: on in this segment, or, where it may end here, into a
    // following one.
    std::vector<std::size_t> moves(std::size_t id, std::size_t symbol) const
    {
        std::vector<std::size_t> targets;
        for (;;) {
            const Position &position = positions_[id];
            const int to = language(id).next[static_cast<std::size_t>(position.state)][symbol];
            if (to != kNowhere)
                targets.push_back(first_id_.at(position.segment) + static_cast<std::size_t>(to));
            if (!accepts(id) || position.segment + 1 == segments_.size())
                return targets;
            id = first_id_.at(position.segment + 1);
        }
    }

    bool can_end(std::size_t id) const
    {
        for (;;) {
            if (!accepts(id))
                return false;
            if (positions_[id].segment + 1 == segments_.size())
                return true;
            id = first_id_.at(positions_[id].segment + 1);
        }
    }

    void visit(const Node &node, const Node &from, std::size_t symbol)
    {
        if (steps_.try_emplace(node, Step{from, symbol}).second)
            queue_.push_back(node);
    }

    void expand(const Node &node)
    {
        for (const std::size_t symbol : symbols_) {
            const std::vector<std::size_t> right = moves(node.right, symbol);
            for (const std::size_t l : moves(node.left, symbol))
                for (const std::size_t r : right)
                    visit({l, r, node.differ || l != r}, node, symbol);
        }
    }

    // Each symbol belongs to the segment it led into.
    std::vector<std::string> read_back(Node node, bool left) const
    {
        std::vector<std::string> texts(segments_.size());
        const Node start{0, 0, false};
        while (!(node == start)) {
            const Step &step = steps_.at(node);
            std::string &text = texts[positions_[left ? node.left : node.right].segment];
            text.insert(0, step.symbol == kBeyondAscii
                               ? "é"
                               : std::string(1, static_cast<char>(step.symbol)));
            node = step.from;
        }
        return texts;
    }

    std::vector<Segment> segments_;
    std::vector<std::size_t> symbols_;
    std::vector<Position> positions_;
    std::map<std::size_t, std::size_t> first_id_;
    std::unordered_map<Node, Step, NodeHash> steps_;
    std::deque<Node> queue_;
};

// The reading as arguments. In a name a list is JSON already, and so is everything in the json
// layout.
std::string arguments_text(const Spec &spec, const std::vector<Segment> &segments,
                           const std::vector<std::string> &texts)
{
    std::string out;
    for (std::size_t s = 0; s < segments.size(); ++s) {
        if (!segments[s].part)
            continue;
        const Part &part = spec.parts[*segments[s].part];
        out += out.empty() ? "{\"" : ",\"";
        out += part.name + "\":";
        const bool bare = spec.layout == Layout::prefix &&
                          (part.type == PartType::text || part.type == PartType::uuid);
        if (bare)
            append_json_string(out, texts[s]);
        else
            out += texts[s];
    }
    out += '}';
    return out;
}

std::string real_name(const Spec &spec, const std::string &args)
{
    const Arguments arguments(spec, read_json(args));
    return std::string(Derivation(spec).name(arguments.values()));
}

} // namespace

std::optional<Collision> find_collision(const Spec &spec)
{
    std::vector<Segment> segments = segments_of(spec);
    const auto readings = Search(segments).run();
    if (!readings)
        return std::nullopt;
    std::string name;
    for (const std::string &text : readings->first)
        name += text;
    return Collision{arguments_text(spec, segments, readings->first),
                     arguments_text(spec, segments, readings->second), std::move(name)};
}

bool collides(const Spec &spec, const Collision &collision)
{
    return collision.first != collision.second &&
           real_name(spec, collision.first) == collision.name &&
           real_name(spec, collision.second) == collision.name;
}

void check_injective(const Spec &spec)
{
    const std::optional<Collision> collision = find_collision(spec);
    if (!collision)
        return;
    throw Failure(sqlstate::kNotInjective,
                  "layout " + std::string(to_string(spec.layout)) +
                      " gives different parts the same name",
                  collides(spec, *collision)
                      ? collision->first + " and " + collision->second + " are both hashed as " +
                            collision->name + "."
                      : "No proof was found that " + collision->name + " has one reading only.",
                  "Use the layout json, or let at most one part be free text.");
}

} // namespace arbiter::identity
