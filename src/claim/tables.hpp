// The tables of this noun that are read and written straight; their SQL is in src/store/steps/.
#pragma once

#include "store/store.hpp"

namespace arbiter::claim {

enum LedgerColumn : int { kLedgerName = 1, kTakeover, kLease, kDurable };
inline constexpr pg::Column kLedgerColumns[] = {
    {"ledger", pg::Type::text},
    {"takeover", pg::Type::text},
    {"lease", pg::Type::interval},
    {"durable", pg::Type::boolean},
};
inline constexpr store::Table kLedgers{.name = "ledgers",
                                       .columns = kLedgerColumns,
                                       .key = "ledgers_pkey",
                                       .key_columns = {kLedgerName}};

enum ClaimColumn : int {
    kLedger = 1,
    kDigest,
    kKey,
    kToken,
    kState,
    kClaimedAt,
    kLeaseUntil,
    kSettledAt,
    kFingerprint,
    kClaimant,
    kResult,
};
inline constexpr pg::Column kClaimColumns[] = {
    {"ledger", pg::Type::text},
    {"digest", pg::Type::uuid},
    {"key", pg::Type::text},
    {"token", pg::Type::bigint},
    {"state", pg::Type::text},
    {"claimed_at", pg::Type::timestamptz},
    {"lease_until", pg::Type::timestamptz},
    {"settled_at", pg::Type::timestamptz},
    {"fingerprint", pg::Type::text},
    {"claimant", pg::Type::text},
    {"result", pg::Type::jsonb},
};
inline constexpr store::Table kClaims{.name = "claims",
                                      .columns = kClaimColumns,
                                      .key = "claims_pkey",
                                      .key_columns = {kLedger, kDigest}};

} // namespace arbiter::claim
