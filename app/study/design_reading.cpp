// [[design]]: a system, how much of it, and what it is timed with.

#include <fmt/format.h>

#include <limits>

#include "app/study/study_sections.h"
#include "models/collectives/nccl_version.h"
#include "models/collectives/rank_ranges.h"
#include "models/nccl/version_note.h"
#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

constexpr std::size_t kMostDesigns = 1'000;
constexpr std::int64_t kMostCount = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostSeed = std::numeric_limits<std::int64_t>::max();

std::string read_nccl(const ConfigNode& table, const std::string& fallback) {
  if (!given(table, "nccl")) return fallback;
  const std::string text = table.text("nccl");
  return at_key(table, "nccl", [&] { return modelled_nccl_version(parse_nccl_version(text)); });
}

std::uint64_t read_seed(const ConfigNode& table, std::uint64_t fallback) {
  return static_cast<std::uint64_t>(
      table.integer_or("seed", static_cast<std::int64_t>(fallback), 0, kMostSeed));
}

void read_name_or_path(const ConfigNode& table, std::string_view key, const std::string& folder,
                       std::optional<std::string>& value, SourcePosition& where) {
  if (!given(table, key)) return;
  value = located(folder, table.text(key));
  where = table.position_of(key);
}

std::vector<StudyOverride> read_overrides(const ConfigNode& design) {
  std::vector<StudyOverride> overrides;
  const std::optional<ConfigNode> set = design.find_child("set");
  if (!set) return overrides;
  for (const std::string& key : set->keys()) {
    if (set->is_table(key)) {
      set->fail(key, fmt::format("the key below '{}' is not in quotes", key),
                "a key with dots is one key: set = { \"fabric.oversubscription\" = \"2:1\" }");
    }
    const ConfigScalar value = set->scalar(key, "\"2:1\"");
    overrides.push_back({key, value.text, value.where});
  }
  return overrides;
}

void read_count(const ConfigNode& table, const char* key, StudyDesign& design,
                std::optional<int>& count) {
  if (!given(table, key)) return;
  count = static_cast<int>(table.integer(key, 1, kMostCount));
  design.size_at = table.position_of(key);
}

StudyDesign read_design(const ConfigNode& table, const DesignDefaults& defaults,
                        const std::string& folder, const std::vector<std::string>& names) {
  StudyDesign design;
  design.where = table.position();
  design.name = read_unique_name(table, "design", names, {});
  design.system = located(folder, table.text("system"));
  design.system_at = table.position_of("system");
  if (design.system == "-") {
    table.fail("system", "a design's system is not read from standard input", "name its file");
  }
  design.overrides = read_overrides(table);
  design.size_at = design.system_at;
  read_count(table, "gpus", design, design.gpus);
  read_count(table, "nodes", design, design.nodes);
  if (given(table, "placement")) {
    design.placement_text = table.text("placement");
    design.placement_at = table.position_of("placement");
    design.placement =
        at_key(table, "placement", [&] { return parse_ranks(design.placement_text); });
  }
  design.price_book = defaults.price_book;
  design.price_book_at = defaults.price_book_at;
  read_name_or_path(table, "price_book", folder, design.price_book, design.price_book_at);
  design.profile = defaults.profile;
  design.profile_at = defaults.profile_at;
  read_name_or_path(table, "profile", folder, design.profile, design.profile_at);
  design.nccl = read_nccl(table, defaults.nccl);
  design.seed = read_seed(table, defaults.seed);
  return design;
}

}  // namespace

DesignDefaults read_design_defaults(const ConfigNode& root, const std::string& folder) {
  DesignDefaults defaults;
  read_name_or_path(root, "price_book", folder, defaults.price_book, defaults.price_book_at);
  read_name_or_path(root, "profile", folder, defaults.profile, defaults.profile_at);
  defaults.nccl = read_nccl(root, {});
  defaults.seed = read_seed(root, 0);
  return defaults;
}

std::vector<StudyDesign> read_designs(const ConfigNode& root, const DesignDefaults& defaults,
                                      const std::string& folder) {
  const std::vector<ConfigNode> tables = root.children("design");
  if (tables.empty()) {
    root.fail("design", "the study has no [[design]]",
              "one [[design]] for each, with `name` and `system`");
  }
  if (tables.size() > kMostDesigns) {
    root.fail("design", fmt::format("{} designs are too many", tables.size()),
              fmt::format("up to {}; a [sweep] varies one in many ways", kMostDesigns));
  }
  std::vector<StudyDesign> designs;
  std::vector<std::string> names;
  for (const ConfigNode& table : tables) {
    designs.push_back(read_design(table, defaults, folder, names));
    names.push_back(designs.back().name);
  }
  return designs;
}

}  // namespace ringspan
