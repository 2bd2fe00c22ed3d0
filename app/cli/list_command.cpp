#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <iterator>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/scenario/scenario.h"
#include "sim/base/input_error.h"
#include "sim/base/quantity.h"
#include "topologies/fabrics/fabric_input.h"
#include "topologies/fabrics/fabric_routings.h"
#include "topologies/routing/path_choice.h"

namespace ringspan {

namespace {

std::string systems_text(const Catalog& catalog) {
  std::string text;
  for (const std::string& name : catalog.system_names) {
    const System system = load_system(catalog, name);
    const std::string size =
        system.cluster.domain_count() == 1 && system.cluster.server_count() == 1
            ? fmt::format("{:3} GPUs", system.info.gpus)
            : fmt::format("{} GPUs in {} servers", system.cluster.gpu_count(),
                          system.cluster.server_count());
    text += fmt::format("  {:<20} {}  {}\n", name, size, system.info.description);
  }
  return text;
}

std::string collectives_text(const Catalog&) {
  std::string text;
  for (const CollectiveKind kind : kAllCollectives) {
    fmt::format_to(std::back_inserter(text), "  {:<16} {}\n", collective_name(kind),
                   collective_description(kind));
  }
  return text;
}

std::string algorithms_text(const Catalog& catalog) {
  std::string text;
  for (const auto& entry : catalog.algorithms.entries()) {
    fmt::format_to(std::back_inserter(text), "  {:<16} {}\n{:19}for", entry.name, entry.description,
                   "");
    for (const CollectiveKind kind : entry.factory()->collectives()) {
      text += ' ';
      text += collective_name(kind);
    }
    text += '\n';
  }
  return text;
}

// Fabric kinds with the routings they take, then what those are.
std::string fabrics_text(const Catalog&) {
  std::string text;
  const auto fabrics = builtin_fabrics();
  for (const auto& entry : fabrics.entries()) {
    text += fmt::format("  {:<16} {}\n", entry.name, entry.description);
    const std::vector<std::string> routings = fabric_routings(entry.name);
    if (routings.empty()) continue;
    text += fmt::format("{:19}routings {}\n", "", fmt::join(routings, " "));
  }
  text += "  routings\n";
  const auto routings = builtin_path_choices();
  for (const auto& entry : routings.entries()) {
    text += fmt::format("    {:<16} {}\n", entry.name, entry.description);
  }
  return text;
}

// "pcie4 x16": one link with the lanes it has unless a file says otherwise.
std::string link_name(const LinkPreset& link) {
  if (link.link_class != LinkClass::Pcie) return link.name;
  return fmt::format("{} x{}", link.name, link.default_lanes);
}

std::string links_text(const Catalog& catalog) {
  std::string text =
      fmt::format("  {:<16} {:<8} {:>12} {:>12} {:>12} {:>8}  {}\n", "name", "class", "raw",
                  "nominal", "payload", "latency", "(one link or port, per direction)");
  for (const LinkPreset& link : catalog.links.all()) {
    const Bandwidth nominal = link.nominal * link.default_lanes;
    fmt::format_to(std::back_inserter(text), "  {:<16} {:<8} {:>12} {:>12} {:>12} {:>8}  {}\n",
                   link_name(link), link_class_name(link.link_class),
                   format_bandwidth(link.raw * link.default_lanes), format_bandwidth(nominal),
                   format_bandwidth(scaled(nominal, link.efficiency)),
                   format_duration(link.latency), link.description);
  }
  return text;
}

std::string profiles_text(const Catalog& catalog) {
  std::string text;
  for (const Profile& profile : catalog.profiles) {
    fmt::format_to(std::back_inserter(text), "  {:<16} NCCL {:<8} {}\n", profile.name, profile.nccl,
                   profile.description);
  }
  return text;
}

struct Kind {
  std::string_view name;
  std::string (*text)(const Catalog&);
};

constexpr std::array kKinds = {
    Kind{"systems", systems_text},       Kind{"collectives", collectives_text},
    Kind{"algorithms", algorithms_text}, Kind{"fabrics", fabrics_text},
    Kind{"links", links_text},           Kind{"profiles", profiles_text}};

std::string everything(const Catalog& catalog) {
  std::string text;
  for (const Kind& kind : kKinds) {
    fmt::format_to(std::back_inserter(text), "{}{}:\n{}", text.empty() ? "" : "\n", kind.name,
                   kind.text(catalog));
  }
  return text;
}

std::string one_kind(const Catalog& catalog, const std::string& name) {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return kind.text(catalog);
    names.emplace_back(kind.name);
  }
  throw InputError("nothing to list is called '" + name + "'", name_hint(name, names));
}

int run(std::span<const std::string> arguments) {
  const ParsedOptions options = parse_options("list", {}, arguments);
  if (options.positionals.size() > 1) {
    throw InputError("unexpected argument '" + options.positionals[1] + "'",
                     "'ringspan list' takes one kind, or none for all");
  }
  const Catalog catalog = builtin_catalog();
  Output("").write(options.positionals.empty() ? everything(catalog)
                                               : one_kind(catalog, options.positionals[0]));
  return kExitDone;
}

}  // namespace

Command list_command() {
  return {"list",
          "what can be named in the other commands",
          "list [systems|collectives|algorithms|fabrics|links|profiles]",
          "Prints the names of one kind, each with a line about it; without a kind, all of them.\n"
          "Rates of links are per direction: raw is the signalling rate times the lanes, nominal\n"
          "what the line code leaves, payload what bulk copies get through.",
          {},
          "ringspan list systems\nringspan list algorithms",
          run};
}

}  // namespace ringspan
