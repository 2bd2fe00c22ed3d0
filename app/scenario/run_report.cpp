#include "app/scenario/run_report.h"

namespace ringspan {

std::string_view granularity_name(Granularity granularity) {
  return granularity == Granularity::Stream ? "stream" : "chunk";
}

std::string_view network_name(NetworkKind network) {
  return network == NetworkKind::Fluid ? "fluid" : "queueing";
}

}  // namespace ringspan
