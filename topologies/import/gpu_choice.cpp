#include <fmt/format.h>

#include "sim/base/quote.h"
#include "topologies/import/plan_parts.h"

namespace ringspan {

namespace {

constexpr std::uint32_t kNvidia = 0x10de;
constexpr const char* kOther = "; --gpu NAME takes another";

// What GPUs a PCIe link of that speed suggests: the data center GPU of its time.
int capability_of_speed(std::int64_t transfers) {
  constexpr std::int64_t kGiga = 1'000'000'000;
  if (transfers >= 64 * kGiga) return 100;
  if (transfers >= 32 * kGiga) return 90;
  if (transfers >= 16 * kGiga || transfers == 0) return 80;
  return 70;
}

// 90 -> "9.0"
std::string capability_text(int compute_capability) {
  return fmt::format("{}.{}", compute_capability / 10, compute_capability % 10);
}

GpuEntry with_capability(GpuEntry entry, int compute_capability) {
  if (entry.compute_capability == compute_capability) return entry;
  entry.name = "compute capability " + capability_text(compute_capability);
  entry.compute_capability = compute_capability;
  return entry;
}

class Chooser {
 public:
  explicit Chooser(const ServerPlanInput& input) : input_(input) {
    if (input.options.gpu) asked_ = &input.gpus.at(*input.options.gpu);
  }

  GpuEntry choose(const NcclPciDevice& device) const {
    if (asked_ != nullptr) return *asked_;
    const auto& capability = device.gpu.compute_capability;
    const GpuEntry* known =
        device.vendor == kNvidia ? input_.gpus.find_device(device.device) : nullptr;
    if (known != nullptr) {
      if (capability) return with_capability(*known, *capability);
      return *known;
    }
    if (capability) return of_capability(device, *capability);
    const GpuEntry& guess = input_.gpus.of_capability(capability_of_speed(device.speed.transfers));
    note(device,
         fmt::format("the file does not say which GPU this is: taken as {}{}", guess.name, kOther));
    return guess;
  }

 private:
  GpuEntry of_capability(const NcclPciDevice& device, int capability) const {
    const GpuEntry& like = input_.gpus.of_capability(capability);
    const bool same = like.compute_capability == capability;
    note(device, same ? fmt::format("a GPU of compute capability {}: taken as {}{}",
                                    capability_text(capability), like.name, kOther)
                      : fmt::format("no GPU of compute capability {} is known: memory and NVLinks "
                                    "as of {}{}",
                                    capability_text(capability), like.name, kOther));
    return with_capability(like, capability);
  }

  void note(const NcclPciDevice& device, std::string text) const {
    input_.notes.add(device.where.line, device.where.column, std::move(text));
  }

  const ServerPlanInput& input_;
  const GpuEntry* asked_ = nullptr;
};

}  // namespace

void plan_gpus(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan) {
  const Chooser chooser(input);
  bool direct = false;
  for (const GpuSite& site : sites.gpus) {
    plan.gpus.push_back(chooser.choose(*site.device));
    plan.gpu_comments.push_back(format_pci_address(site.device->address));
    direct = direct || site.device->gpu.gpu_direct;
  }
  if (!direct) {
    plan.gpu_direct = "off";
    input.notes.add("no GPU has gdr=\"1\": gpu_direct = \"off\"");
  }
}

}  // namespace ringspan
