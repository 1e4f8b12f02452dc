// The machines of a store, as every write of this session is judged by them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "machine/machine.hpp"
#include "store/store.hpp"

namespace arbiter::machine {

class Known {
public:
    explicit Known(std::vector<Machine> machines);
    Known(const Known &) = delete;
    Known &operator=(const Known &) = delete;
    ~Known() = default;

    const Machine *find(std::string_view name) const noexcept;
    // Those that govern streams of the category; most have none.
    const std::vector<const Machine *> &of(std::string_view category) const;

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept
        {
            return std::hash<std::string_view>{}(text);
        }
    };
    std::vector<Machine> const machines_;
    std::unordered_map<std::string, std::vector<const Machine *>, Hash, std::equal_to<>>
        by_category_;
    std::vector<const Machine *> const none_;
};

// What is committed now, and what this transaction has made, whatever the caller's snapshot shows
// and whatever privileges he has: which rules hold cannot depend on who asks. RB050 where the table
// is not what it should be; 55000 where somebody has got a machine past create_machine.
std::vector<Machine> load(store::Store &store);

// The same, looked at once. It lives as long as the store, which is thrown away when a machine is
// made or dropped; whoever holds the writer's lock on events has heard of that.
const Known &known(store::Store &store);

// 42704 where there is none.
const Machine &require(store::Store &store, std::string_view name);
// 42704 unless it has the command, in whatever state.
void require_command(const Machine &machine, std::string_view command);
[[noreturn]] void refuse_unknown(const store::Store &store, std::string_view name);

} // namespace arbiter::machine
