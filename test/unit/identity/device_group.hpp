// The derivation that the shared vectors belong to, and short ways to make others.
#pragma once

#include <string>

#include "base/json.hpp"
#include "identity/arguments.hpp"
#include "identity/derivation.hpp"
#include "identity/spec.hpp"

namespace arbiter::identity {

inline constexpr const char *kDeviceGroupNamespace = "6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11";
inline constexpr const char *kDeviceGroupParts =
    R"([{"name":"organization_id","type":"uuid"},{"name":"serial_numbers","type":"text[]",)"
    R"("each":["trim_js25","lower_ascii","drop_empty"],"set":["dedup","sort_utf16"]}])";

inline Spec make_spec(const std::string &parts, Layout layout)
{
    return {*parse_uuid(kDeviceGroupNamespace), layout, parse_parts(read_json(parts))};
}

inline Spec device_group()
{
    return make_spec(kDeviceGroupParts, Layout::prefix);
}

inline std::string name_of(const Spec &spec, const std::string &args)
{
    const Arguments arguments(spec, read_json(args));
    return std::string(Derivation(spec).name(arguments.values()));
}

} // namespace arbiter::identity
