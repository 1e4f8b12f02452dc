// The SQLSTATEs this extension raises on purpose. doc/errors.md says what a caller does with each.
#pragma once

#include <cstdint>

namespace arbiter {

// Packed the way the server packs them, six bits a character; src/pg/ asserts that it is the same.
class Sqlstate {
public:
    constexpr explicit Sqlstate(const char (&code)[6]) noexcept : packed_(0)
    {
        for (int i = 0; i < 5; ++i)
            packed_ += ((code[i] - '0') & 0x3F) << (6 * i);
    }
    constexpr int packed() const noexcept { return packed_; }
    friend constexpr bool operator==(Sqlstate, Sqlstate) = default;

private:
    int packed_;
};

namespace sqlstate {

// Our own class.
inline constexpr Sqlstate kWrongExpectedRevision{"RB001"};
inline constexpr Sqlstate kStreamClosed{"RB002"};
inline constexpr Sqlstate kAppendOnly{"RB003"};
inline constexpr Sqlstate kNoncontiguousRevision{"RB004"};
inline constexpr Sqlstate kEventIdReused{"RB005"};
inline constexpr Sqlstate kOffsetGap{"RB010"};
inline constexpr Sqlstate kTokenLost{"RB020"};
inline constexpr Sqlstate kFingerprintMismatch{"RB021"};
inline constexpr Sqlstate kIllegalTransition{"RB030"};
inline constexpr Sqlstate kDerivationDrift{"RB040"};
inline constexpr Sqlstate kNotInjective{"RB041"};
inline constexpr Sqlstate kUnderivableKey{"RB042"};
inline constexpr Sqlstate kKeyCollision{"RB043"};
inline constexpr Sqlstate kStoreFormat{"RB050"};

// The standard's, where it has one.
inline constexpr Sqlstate kFeatureNotSupported{"0A000"};
inline constexpr Sqlstate kNumericValueOutOfRange{"22003"};
inline constexpr Sqlstate kNullValueNotAllowed{"22004"};
inline constexpr Sqlstate kInvalidParameterValue{"22023"};
inline constexpr Sqlstate kNotNullViolation{"23502"};
inline constexpr Sqlstate kUniqueViolation{"23505"};
inline constexpr Sqlstate kReadOnlyTransaction{"25006"};
inline constexpr Sqlstate kNoActiveTransaction{"25P01"};
inline constexpr Sqlstate kDependentObjectsStillExist{"2BP01"};
inline constexpr Sqlstate kInvalidSchemaName{"3F000"};
inline constexpr Sqlstate kSerializationFailure{"40001"};
inline constexpr Sqlstate kInsufficientPrivilege{"42501"};
inline constexpr Sqlstate kUndefinedColumn{"42703"};
inline constexpr Sqlstate kAmbiguousFunction{"42725"};
inline constexpr Sqlstate kUndefinedObject{"42704"};
inline constexpr Sqlstate kDuplicateObject{"42710"};
inline constexpr Sqlstate kUndefinedFunction{"42883"};
inline constexpr Sqlstate kWrongObjectType{"42809"};
inline constexpr Sqlstate kReservedName{"42939"};
inline constexpr Sqlstate kOutOfMemory{"53200"};
inline constexpr Sqlstate kProgramLimitExceeded{"54000"};
inline constexpr Sqlstate kNotInPrerequisiteState{"55000"};
inline constexpr Sqlstate kLockNotAvailable{"55P03"};
inline constexpr Sqlstate kTriggerProtocolViolated{"39P01"};
inline constexpr Sqlstate kInternalError{"XX000"};

} // namespace sqlstate
} // namespace arbiter
