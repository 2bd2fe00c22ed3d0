#include "app/report/version.h"

namespace ringspan {

std::string_view ringspan_version() { return RINGSPAN_VERSION; }

}  // namespace ringspan
