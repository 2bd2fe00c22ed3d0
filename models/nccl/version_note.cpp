#include "models/nccl/version_note.h"

#include <fmt/format.h>

#include "models/nccl/tuner_constants.h"

namespace ringspan {

std::string nccl_version_note(const NcclVersion& version) {
  const auto note = [&](const NcclVersion& as, std::string_view which) {
    return fmt::format("NCCL {} is taken as {}, the {} one modelled", nccl_version_text(version),
                       nccl_version_text(as), which);
  };
  if (version < kOldestNccl) return note(kOldestNccl, "oldest");
  if (version > newest_nccl_version()) return note(newest_nccl_version(), "newest");
  return {};
}

std::string modelled_nccl_version(const NcclVersion& version) {
  return nccl_version_text(version < kOldestNccl ? kOldestNccl : version);
}

}  // namespace ringspan
