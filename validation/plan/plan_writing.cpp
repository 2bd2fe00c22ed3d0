#include "validation/plan/plan_writing.h"

#include <fmt/format.h>

#include <iterator>

#include "models/collectives/rank_ranges.h"
#include "sim/base/version.h"
#include "sim/config/toml_text.h"

namespace ringspan {

namespace {

void append_head(const Plan& plan, std::string& text) {
  fmt::format_to(std::back_inserter(text),
                 "# Collectives to simulate and to measure, by ringspan {}; docs/plans.md.\n"
                 "plan = {}\n",
                 kVersion, kPlanVersion);
  const auto line = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += fmt::format("{} = {}\n", key, toml_string(value));
  };
  line("system", plan.system);
  if (plan.nodes) text += fmt::format("nodes = {}\n", *plan.nodes);
  text += fmt::format("ranks = {}\n", plan.ranks);
  line("nccl", plan.nccl);
  line("launch", plan.launch);
  text += fmt::format("repeats = {}\n", plan.repeats);
}

void append_collective(const PlannedCollective& item, std::string& text) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "\n[[collective]]\ncollective = \"{}\"\nsize = {}\n",
                 collective_name(item.collective), item.size.count);
  if (item.dtype != "float") fmt::format_to(out, "dtype = {}\n", toml_string(item.dtype));
  if (collective_reduces(item.collective) && item.op != "sum") {
    fmt::format_to(out, "op = {}\n", toml_string(item.op));
  }
  if (collective_has_root(item.collective) && item.root != 0) {
    fmt::format_to(out, "root = {}\n", item.root);
  }
  if (!item.ranks.empty()) {
    fmt::format_to(out, "ranks = \"{}\"\n", ranks_text(item.ranks));
  }
  if (item.algorithm) fmt::format_to(out, "algorithm = {}\n", toml_string(*item.algorithm));
  if (item.protocol) fmt::format_to(out, "protocol = \"{}\"\n", protocol_name(*item.protocol));
  if (item.channels) fmt::format_to(out, "channels = {}\n", *item.channels);
  if (item.together) text += "together = true\n";
  if (item.gap > Duration{}) fmt::format_to(out, "gap = {}\n", toml_duration(item.gap));
  fmt::format_to(out, "warmup = {}\niterations = {}\n", item.warmup, item.iterations);
}

}  // namespace

std::string plan_text(const Plan& plan) {
  std::string text;
  append_head(plan, text);
  for (const PlannedCollective& item : plan.collectives) append_collective(item, text);
  return text;
}

}  // namespace ringspan
