#include "app/study/design_system.h"

#include <fmt/format.h>

#include <algorithm>

namespace ringspan {

namespace {

// Of a problem with an override: where the study says it.
const StudyOverride* override_of(const DesignRequest& request, const SourcePosition& where) {
  for (const StudyOverride& one : request.overrides) {
    if (where.file == "--set " + one.key) return &one;
  }
  return nullptr;
}

// The problems of a system, as problems of the study where it is at fault.
InputError in_study(const DesignRequest& request, const InputError& error) {
  std::vector<InputProblem> problems = error.problems();
  for (InputProblem& problem : problems) {
    if (const StudyOverride* const one = override_of(request, problem.where)) {
      problem.where = one->where;
    } else if (problem.where.file.empty()) {
      problem.where = request.design->system_at;
    }
    problem.message = fmt::format("design '{}': {}", request.design->name, problem.message);
  }
  return InputError(std::move(problems));
}

SystemSize size_of(const DesignRequest& request) {
  SystemSize size{request.nodes, request.gpus, request.seed, request.size_at};
  const std::vector<std::int32_t>& placement = request.design->placement;
  if (size.servers || size.gpus || placement.empty()) return size;
  size.gpus = *std::max_element(placement.begin(), placement.end()) + 1;
  size.asked_at = request.design->placement_at;
  return size;
}

std::string identity_of(const DesignRequest& request, const SystemSize& size) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n", request.design->system,
                                 size.servers.value_or(0), size.gpus.value_or(0), size.seed);
  for (const StudyOverride& one : request.overrides) {
    text += fmt::format("{}={}\n", one.key, one.value);
  }
  return text;
}

}  // namespace

DesignRequest request_of(const StudyDesign& design) {
  return {&design, design.overrides, design.nodes, design.gpus, design.size_at, design.seed};
}

std::shared_ptr<const System> DesignSystems::load(const DesignRequest& request) {
  const SystemSize size = size_of(request);
  std::shared_ptr<const System>& system = systems_[identity_of(request, size)];
  if (system) return system;
  SystemOverrides overrides;
  for (const StudyOverride& one : request.overrides) overrides.emplace_back(one.key, one.value);
  try {
    system = std::make_shared<const System>(
        load_system(catalog_, request.design->system, overrides, size));
  } catch (const InputError& error) {
    throw in_study(request, error);
  }
  return system;
}

RankPlaces DesignSystems::places(const DesignRequest& request, const System& system) const {
  RankPlaces places;
  try {
    places = choose_ranks(system, request.nodes, request.gpus);
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    throw InputError(request.size_at,
                     fmt::format("design '{}': {}", request.design->name, problem.message),
                     "give `nodes` or `gpus` that fit, or set the system's node.count");
  }
  for (const std::int32_t rank : request.design->placement) {
    if (static_cast<std::size_t>(rank) < places.ranks.size()) continue;
    throw InputError(
        request.design->placement_at,
        fmt::format("design '{}': placement names GPU {}, and there are {} (0 to {})",
                    request.design->name, rank, places.ranks.size(), places.ranks.size() - 1),
        "more `nodes` or `gpus`, or other numbers");
  }
  return places;
}

}  // namespace ringspan
