// [sweep]: keys that take several values.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/study/study_sections.h"
#include "sim/base/quote.h"
#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

constexpr std::array kRunKeys = {"nodes", "gpus",      "seed",     "collective",
                                 "size",  "algorithm", "protocol", "channels"};

void require_key(const ConfigNode& table, const SweepAxis& axis,
                 const std::vector<SweepAxis>& before) {
  const std::vector<std::string> names(kRunKeys.begin(), kRunKeys.end());
  const bool of_system = axis.key.find('.') != std::string::npos;
  if (!of_system && std::find(names.begin(), names.end(), axis.key) == names.end()) {
    table.fail(
        "key", fmt::format("{} is no key that can be swept", quote_text(axis.key)),
        name_hint(axis.key, names) + "; keys of the system have a dot: fabric.oversubscription");
  }
  for (const SweepAxis& other : before) {
    if (other.key != axis.key) continue;
    table.fail("key", fmt::format("two axes sweep {}", quote_text(axis.key)),
               "give all values to one axis");
  }
}

SweepAxis read_axis(const ConfigNode& table, const std::vector<SweepAxis>& before) {
  SweepAxis axis;
  axis.where = table.position();
  axis.key = table.text("key");
  require_key(table, axis, before);
  if (table.is_table("values")) {
    axis.values = read_number_range(table.child("values"));
    axis.values_at.assign(axis.values.size(), table.position_of("values"));
    return axis;
  }
  for (ConfigScalar& value : table.scalars("values", "[\"1:1\", \"2:1\"]")) {
    axis.values.push_back(std::move(value.text));
    axis.values_at.push_back(value.where);
  }
  if (axis.values.empty()) {
    table.fail("values", "the list of values is empty", "for example: values = [1, 2, 4]");
  }
  return axis;
}

}  // namespace

Sweep read_sweep(const ConfigNode& table) {
  Sweep sweep;
  if (given(table, "mode")) sweep.zipped = table.choice("mode", {"grid", "zip"}) == "zip";
  for (const ConfigNode& node : table.children("axis")) {
    sweep.axes.push_back(read_axis(node, sweep.axes));
  }
  if (sweep.axes.empty()) {
    table.fail("axis", "the sweep has no axis", "one [[sweep.axis]] with `key` and `values` each");
  }
  if (!sweep.zipped) return sweep;
  for (const SweepAxis& axis : sweep.axes) {
    if (axis.values.size() == sweep.axes.front().values.size()) continue;
    throw InputError(
        axis.where,
        fmt::format("zipped axes are equally long: {} has {} values, {} has {}", axis.key,
                    axis.values.size(), sweep.axes.front().key, sweep.axes.front().values.size()),
        "mode = \"grid\" takes every combination");
  }
  return sweep;
}

}  // namespace ringspan
