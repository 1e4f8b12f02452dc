// The calls that hash, and not those that first find out who hashes: OpenSSL deprecates them since
// version 3, and shows them to who asks for version 1.1.1.
#define OPENSSL_API_COMPAT 10101

#include "base/digest.hpp"

#include <openssl/sha.h>

namespace arbiter {

// Their context is plain memory: nothing is fetched, kept between calls or inherited from a
// preloading postmaster, and nothing can fail. doc/design/identity.md has what EVP costs instead.
Sha1 sha1(std::string_view head, std::string_view tail) noexcept
{
    SHA_CTX context;
    SHA1_Init(&context);
    SHA1_Update(&context, head.data(), head.size());
    SHA1_Update(&context, tail.data(), tail.size());
    Sha1 digest;
    SHA1_Final(digest.data(), &context);
    return digest;
}

Sha256 sha256(std::string_view head, std::string_view tail) noexcept
{
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, head.data(), head.size());
    SHA256_Update(&context, tail.data(), tail.size());
    Sha256 digest;
    SHA256_Final(digest.data(), &context);
    return digest;
}

std::string to_hex(std::string_view octets)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(octets.size() * 2);
    for (const char c : octets) {
        text += kDigits[static_cast<std::uint8_t>(c) >> 4];
        text += kDigits[static_cast<std::uint8_t>(c) & 0x0F];
    }
    return text;
}

std::string to_hex(const Sha256 &digest)
{
    return to_hex({reinterpret_cast<const char *>(digest.data()), digest.size()});
}

} // namespace arbiter
