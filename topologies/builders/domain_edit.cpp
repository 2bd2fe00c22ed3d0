#include "topologies/builders/domain_edit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/quantity.h"
#include "topologies/builders/limits.h"

namespace ringspan {

namespace {

// Parallel NVLinks are one cable each; the lanes of PCIe are one cable together.
std::int64_t cables_in(const Link& link) {
  return link.link_class == LinkClass::Pcie ? 1 : link.count;
}

// `hit` of the bundle's cables keep `rate` of what they carried.
void lessen(const ConfigNode& table, Cable& cable, std::int64_t hit, double rate,
            DomainDraft& draft) {
  Link link = draft.links[cable.link];
  const std::int64_t all = cables_in(link);
  if (hit == all && rate == 0) {
    cable.dead = true;
    return;
  }
  const double left =
      (static_cast<double>(all - hit) + rate * static_cast<double>(hit)) / static_cast<double>(all);
  link.raw = scaled(link.raw, left);
  link.nominal = scaled(link.nominal, left);
  if (rate == 0) link.count = static_cast<std::int32_t>(all - hit);
  if (link.nominal < kMinLinkRate) {
    table.fail("rate", fmt::format("{} is no rate of a link", format_bandwidth(link.nominal)),
               fmt::format("at least {}, or 0 for a dead link", format_bandwidth(kMinLinkRate)));
  }
  cable.link = static_cast<std::uint32_t>(draft.links.size());
  draft.links.push_back(std::move(link));
}

void edit_device(const DomainEdit& edit, const ConfigNode& table, DomainDraft& draft) {
  if (edit.rate == 0) {
    draft.dead[edit.a.index()] = true;
    return;
  }
  for (Cable& cable : draft.cables) {
    if (cable.dead || (cable.a != edit.a && cable.b != edit.a)) continue;
    lessen(table, cable, cables_in(draft.links[cable.link]), edit.rate, draft);
  }
}

void edit_cables(const DomainEdit& edit, const ConfigNode& table, DomainDraft& draft) {
  std::vector<Cable*> between;
  std::int64_t there = 0;
  for (Cable& cable : draft.cables) {
    const bool joins =
        (cable.a == edit.a && cable.b == edit.b) || (cable.a == edit.b && cable.b == edit.a);
    if (!joins || cable.dead) continue;
    between.push_back(&cable);
    there += cables_in(draft.links[cable.link]);
  }
  const std::string& a = draft.devices[edit.a.index()].name;
  const std::string& b = draft.devices[edit.b.index()].name;
  if (there == 0) {
    table.fail("to", fmt::format("no link joins {} and {}", a, b),
               "name two devices that a [[node.link]] joins");
  }
  if (edit.cables > there) {
    table.fail("cables",
               fmt::format("{} and {} are joined by {} link{}", a, b, there, there == 1 ? "" : "s"),
               fmt::format("at most {}", there));
  }
  std::int64_t left = edit.cables == 0 ? there : edit.cables;
  for (Cable* cable : between) {
    const std::int64_t hit = std::min(left, cables_in(draft.links[cable->link]));
    if (hit > 0) lessen(table, *cable, hit, edit.rate, draft);
    left -= hit;
  }
}

}  // namespace

void apply_edit(const DomainEdit& edit, const ConfigNode& table, DomainDraft& draft) {
  if (edit.rate == 1) return;
  if (edit.what == DomainEdit::What::Device) {
    edit_device(edit, table, draft);
  } else {
    edit_cables(edit, table, draft);
  }
}

}  // namespace ringspan
