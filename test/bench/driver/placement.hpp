#pragma once

#include <sched.h>

#include <cstddef>

namespace bench {

// Where this process and the backends run while it lives, and at what niceness.
//
// One client and its backend get a CPU each. Left alone the kernel puts a pair on one CPU or on
// two, or beside a busy neighbour, and leaves it there: seen to cost one of two equal variants a
// factor of four in every round. Several clients share all CPUs.
//
// A negative niceness keeps the neighbours out of the slices; it takes root, and a refusal is an
// error: half of the sessions at another priority would be worse than none.
class Placement {
public:
    Placement(size_t clients, int nice);
    ~Placement();
    Placement(const Placement &) = delete;
    Placement &operator=(const Placement &) = delete;

    void apply_to_backend(int pid) const;

private:
    int nice_;
    bool pinned_;
    cpu_set_t allowed_; // before
};

} // namespace bench
