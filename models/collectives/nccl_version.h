#pragma once

// A version of NCCL as people write it: "2.27" or "2.27.3".

#include <compare>
#include <string>
#include <string_view>

namespace ringspan {

struct NcclVersion {
  int major = 0;
  int minor = 0;
  int patch = -1;  // -1: not named, the newest known of that minor is meant

  auto operator<=>(const NcclVersion&) const = default;
};

// The oldest one whose choices are modelled; what is older is taken as this.
inline constexpr NcclVersion kOldestNccl{2, 18, -1};

// "X.Y" or "X.Y.Z", whole numbers up to 9999. Throws InputError.
NcclVersion parse_nccl_version(std::string_view text);

std::string nccl_version_text(const NcclVersion& version);  // "2.27", "2.27.3"

}  // namespace ringspan
