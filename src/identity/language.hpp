// The texts a part can be rendered as, as an automaton: what the injectivity check reasons about.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "identity/spec.hpp"

namespace arbiter::identity {

// ASCII by itself; one symbol stands for everything beyond, since no rule tells two of those apart.
inline constexpr std::size_t kSymbols = 129;
inline constexpr std::size_t kBeyondAscii = 128;
inline constexpr int kNowhere = -1;

// Deterministic; state 0 is the start.
struct Automaton {
    std::vector<std::array<int, kSymbols>> next;
    std::vector<bool> accepting;

    int add_state(bool accepts);
    void on(int from, std::size_t symbol, int to)
    {
        next[static_cast<std::size_t>(from)][symbol] = to;
    }
};

Automaton literal_language(char c);

// What append_name writes for the part in this layout. A text[] is taken to hold any list of
// normalized texts, repeated and unsorted ones too: a superset, which makes the check stricter,
// never laxer.
Automaton part_language(const Part &part, Layout layout);

} // namespace arbiter::identity
