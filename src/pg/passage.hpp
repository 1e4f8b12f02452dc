// The way of a call of ours past a trigger that stops everybody else.
#pragma once

#include "pg/types.hpp"

namespace arbiter::pg {

enum class Command { insert, update, remove };

// While one lives, the next statement of that kind on that table is a call's own. Made right before
// the statement, on the stack. It is no setting, which anyone could set, and lets one pass: the
// first firing of the trigger takes it, so that nothing else that runs inside the statement comes
// along with it. It holds in the (sub)transaction that made it, not in one inside, and ends with it
// should the destructor be jumped over.
class Passage {
public:
    Passage(Oid table, Command command);
    ~Passage();
    Passage(const Passage &) = delete;
    Passage &operator=(const Passage &) = delete;

    struct Permit {
        Oid table;
        Command command;
        int level; // of nested transactions; 0 is none
    };

private:
    Permit const outer_;
};

// For the trigger: true once if a Passage is open for this.
bool take_passage(Oid table, Command command) noexcept;

} // namespace arbiter::pg
