#pragma once

#include <sched.h>

#include <cstddef>

namespace bench {

// On which CPUs this process and the backends run while it lives, and whether before all others.
//
// One client and its backend get a CPU each. Left alone the kernel puts a pair on one CPU or on
// two, or beside a busy neighbour, and leaves it there: seen to cost one of two equal variants a
// factor of four in every round. Several clients share all CPUs.
//
// Real-time scheduling keeps the neighbours out of the slices. It takes root, and a refusal is an
// error: half of the sessions before the others would be worse than none.
class Placement {
public:
    Placement(size_t clients, bool realtime);
    ~Placement();
    Placement(const Placement &) = delete;
    Placement &operator=(const Placement &) = delete;

    void apply_to_backend(int pid) const;

private:
    bool realtime_;
    bool pinned_;
    cpu_set_t allowed_; // before
};

} // namespace bench
