// What a user of the library writes first.

#include <iostream>

#include "sim/base/units.h"
#include "sim/base/version.h"

int main() {
  using namespace ringspan;
  // 50 GB at 50 GB/s: one second.
  const Duration time = transfer_time(Bytes{50'000'000'000}, bandwidth_from_gbytes_per_second(50));
  std::cout << "Ringspan " << kVersion << ": " << to_seconds(time) << " s\n";
  return time == duration_from_seconds(1.0) ? 0 : 1;
}
