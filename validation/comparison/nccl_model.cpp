#include "validation/comparison/nccl_model.h"

#include <memory>

#include "app/scenario/communicator.h"

namespace ringspan {

BaselineTimes nccl_model_baseline(const RunScenario& scenario, const System& system,
                                  const Catalog& catalog) {
  const auto communicator = std::make_shared<const Communicator>(
      scenario, system, catalog, choose_ranks(system, scenario.nodes, scenario.gpus),
      make_transport(system));
  return [communicator, algorithm = scenario.algorithm,
          protocol = scenario.protocol](Bytes bytes) -> std::optional<Duration> {
    const TunerTable* const tuner = communicator->tuner();
    if (tuner == nullptr) return std::nullopt;
    const auto way = tuner->pick(bytes.count, [&](const TunerWay& candidate) {
      return (!algorithm || tuner_algorithm_name(candidate.algorithm) == *algorithm) &&
             (!protocol || candidate.protocol == *protocol);
    });
    if (!way) return std::nullopt;
    return duration_from_microseconds(tuner->time_us(*way, bytes.count));
  };
}

}  // namespace ringspan
