#include "identity/sealed_derivation.hpp"

#include <memory>
#include <string>
#include <unordered_map>

namespace arbiter::identity {
namespace {

// More than a database has derivations; whoever makes seals in a loop must not fill the backend's
// memory.
constexpr std::size_t kMaxOpened = 1000;

using Opened = std::unordered_map<std::string, std::unique_ptr<SealedDerivation>>;

// Plain pointers, never freed: a destructor would run at backend exit.
constinit Opened *opened = nullptr;
constinit SealedDerivation *last = nullptr;

bool holds(const SealedDerivation &sealed, std::string_view spec, std::string_view vector,
           std::string_view digest) noexcept
{
    return sealed.seal.digest == digest && sealed.seal.spec == spec && sealed.seal.vector == vector;
}

std::unique_ptr<SealedDerivation> open(std::string_view spec, std::string_view vector,
                                       std::string_view digest)
{
    Seal seal{std::string(spec), std::string(vector), std::string(digest)};
    Derivation derivation = open_seal(seal);
    std::size_t const parts = derivation.spec().parts.size();
    return std::make_unique<SealedDerivation>(
        SealedDerivation{std::move(seal), std::move(derivation), std::vector<Value>(parts),
                         std::vector<std::vector<std::optional<std::string_view>>>(parts)});
}

} // namespace

SealedDerivation &open_sealed(std::string_view spec, std::string_view vector,
                              std::string_view digest)
{
    if (last != nullptr && holds(*last, spec, vector, digest))
        return *last;
    if (opened == nullptr)
        opened = new Opened;
    auto found = opened->find(std::string(digest));
    if (found == opened->end() || !holds(*found->second, spec, vector, digest)) {
        auto fresh = open(spec, vector, digest);
        if (opened->size() >= kMaxOpened) {
            last = nullptr;
            opened->clear();
        }
        found = opened->insert_or_assign(std::string(digest), std::move(fresh)).first;
    }
    last = found->second.get();
    return *last;
}

} // namespace arbiter::identity
