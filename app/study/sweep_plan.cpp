#include "app/study/sweep_plan.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <limits>

#include "app/study/design_sizing.h"
#include "app/study/study_plan.h"
#include "sim/base/quote.h"
#include "sim/base/version.h"
#include "sim/config/read_input.h"

namespace ringspan {

namespace {

// A value of one axis, with its place.
struct AxisValue {
  const std::string& key;
  const std::string& value;
  const SourcePosition& where;
};

[[noreturn]] void refuse(const AxisValue& value, const std::string& hint) {
  throw InputError(value.where, fmt::format("{} cannot be {}", value.key, quote_text(value.value)),
                   hint);
}

std::int64_t whole(const AxisValue& value, std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  const char* const end = value.value.data() + value.value.size();
  const auto [rest, error] = std::from_chars(value.value.data(), end, number);
  if (error != std::errc{} || rest != end || number < least || number > most) {
    refuse(value, fmt::format("a whole number from {} to {}", least, most));
  }
  return number;
}

template <typename Read>
auto at_value(const AxisValue& value, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    throw InputError(value.where, problem.message, problem.hint);
  }
}

void apply(const AxisValue& value, StudyDesign& design, WorkloadPart& part) {
  constexpr std::int64_t kMostCount = std::numeric_limits<std::int32_t>::max();
  if (value.key == "nodes") {
    design.nodes = static_cast<int>(whole(value, 1, kMostCount));
    design.size_at = value.where;
  } else if (value.key == "gpus") {
    design.gpus = static_cast<int>(whole(value, 1, kMostCount));
    design.size_at = value.where;
  } else if (value.key == "seed") {
    design.seed =
        static_cast<std::uint64_t>(whole(value, 0, std::numeric_limits<std::int64_t>::max()));
  } else if (value.key == "collective") {
    part.collective = at_value(value, [&] { return collective_from_name(value.value); });
  } else if (value.key == "size") {
    part.sizes = {at_value(value, [&] { return parse_size(value.value).size; })};
  } else if (value.key == "algorithm") {
    part.algorithm = value.value;
    part.where = value.where;
  } else if (value.key == "protocol") {
    part.protocol = at_value(value, [&] { return protocol_from_name(value.value); });
    part.where = value.where;
  } else if (value.key == "channels") {
    part.channels = static_cast<int>(whole(value, 1, 64));
    part.where = value.where;
  } else {
    design.overrides.push_back({value.key, value.value, value.where});
  }
}

// FNV-1a, 64 bits.
void mix(std::uint64_t& hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  hash = (hash ^ 0xff) * 0x100000001b3;
}

// The file behind a name, where it is one.
void mix_file(std::uint64_t& hash, const std::optional<std::string>& name) {
  if (!name) return;
  mix(hash, *name);
  const bool is_path = name->find('/') != std::string::npos || name->ends_with(".toml");
  if (is_path) mix(hash, read_input_file(std::filesystem::path(*name)));
}

std::uint64_t fingerprint_of(const Study& study) {
  std::uint64_t hash = 0xcbf29ce484222325;
  mix(hash, kVersion);
  mix(hash, study.text);
  for (const StudyDesign& design : study.designs) {
    mix_file(hash, design.system);
    mix_file(hash, design.profile);
    mix_file(hash, design.price_book);
  }
  return hash;
}

class SweepPlanner {
 public:
  SweepPlanner(const Study& study, const Catalog& catalog)
      : study_(study), catalog_(catalog), builder_(catalog) {}

  SweepPlan plan() {
    if (study_.sweep) axes_ = study_.sweep->axes;
    require_affordable();
    plan_.fingerprint = fingerprint_of(study_);
    for (std::size_t d = 0; d < study_.designs.size(); ++d) {
      plan_.priced |= study_.designs[d].price_book.has_value();
      for (std::size_t w = 0; w < study_.workloads.size(); ++w) ask(d, w);
    }
    for (const SweepCase& one : plan_.cases) check_case(one.one, catalog_);
    return std::move(plan_);
  }

 private:
  bool sweeps(std::string_view key) const {
    for (const SweepAxis& axis : axes_) {
      if (axis.key == key) return true;
    }
    return false;
  }

  double combinations() const {
    if (axes_.empty()) return 1;
    if (study_.sweep->zipped) return static_cast<double>(axes_.front().values.size());
    double product = 1;
    for (const SweepAxis& axis : axes_) product *= static_cast<double>(axis.values.size());
    return product;
  }

  void require_affordable() const {
    double points = 0;
    for (const StudyWorkload& work : study_.workloads) {
      if (work.kind == WorkloadKind::Known) {
        throw InputError(work.where, "times that are known cannot be swept",
                         "leave this [[workload]] out: 'ringspan compare' takes it");
      }
      for (const WorkloadPart& part : work.parts) {
        points += sweeps("size") ? 1 : static_cast<double>(part.sizes.size());
      }
    }
    points *= combinations() * static_cast<double>(study_.designs.size());
    if (points <= static_cast<double>(kMostPoints)) return;
    throw InputError(axes_.empty() ? study_.workloads.front().where : axes_.back().where,
                     fmt::format("the sweep has {:.6g} points", points),
                     fmt::format("up to {}: fewer values, or several sweeps", kMostPoints));
  }

  void ask(std::size_t design, std::size_t workload) {
    const StudyWorkload& work = study_.workloads[workload];
    for (std::size_t part = 0; part < work.parts.size(); ++part) {
      const auto count = static_cast<std::size_t>(combinations());
      for (std::size_t c = 0; c < count; ++c) add(design, workload, part, c);
    }
  }

  // The numbers of the values of a combination.
  std::vector<std::size_t> places_of(std::size_t combination) const {
    std::vector<std::size_t> places(axes_.size(), combination);
    if (axes_.empty() || study_.sweep->zipped) return places;
    for (std::size_t a = axes_.size(); a-- > 0;) {
      places[a] = combination % axes_[a].values.size();
      combination /= axes_[a].values.size();
    }
    return places;
  }

  void add(std::size_t d, std::size_t w, std::size_t p, std::size_t combination) {
    StudyDesign design = study_.designs[d];
    WorkloadPart part = study_.workloads[w].parts[p];
    std::vector<std::string> values;
    const std::vector<std::size_t> places = places_of(combination);
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      values.push_back(axes_[a].values[places[a]]);
      apply({axes_[a].key, axes_[a].values[places[a]], axes_[a].values_at[places[a]]}, design,
            part);
    }
    PlannedDesign planned = builder_.build(design);
    SweepCase swept;
    swept.one = {d,
                 w,
                 p,
                 std::move(values),
                 planned.system,
                 scenario_of(design, part, catalog_),
                 study_.workloads[w].jobs,
                 part.where};
    require_case(swept.one, design, planned.gpus);
    swept.first_point = plan_.points;
    swept.cost = std::move(planned.cost);
    if (swept.cost) swept.cost->lines.clear();
    plan_.points += swept.one.scenario.sizes.size();
    plan_.cases.push_back(std::move(swept));
  }

  const Study& study_;
  const Catalog& catalog_;
  DesignBuilder builder_;
  std::vector<SweepAxis> axes_;
  SweepPlan plan_;
};

}  // namespace

SweepPlan plan_sweep(const Study& study, const Catalog& catalog) {
  return SweepPlanner(study, catalog).plan();
}

}  // namespace ringspan
