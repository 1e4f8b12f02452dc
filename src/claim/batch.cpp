#include "claim/batch.hpp"

#include <algorithm>
#include <numeric>

namespace arbiter::claim {

std::vector<Answer> claim_keys(store::Store &store, const Ledger &ledger,
                               std::span<const std::string_view> keys, const Request &request,
                               const Deadline &deadline)
{
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return keys[i]; });
    std::vector<Answer> answers(keys.size());
    for (std::size_t i : order)
        answers[i] = claim(store, ledger, keys[i], request, deadline);
    return answers;
}

} // namespace arbiter::claim
