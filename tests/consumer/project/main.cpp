// What a user of the library writes first: one question, its answer, and what limits it.

#include <cstdint>
#include <exception>
#include <iostream>

#include "app/scenario/scenario.h"
#include "sim/base/units.h"
#include "sim/base/version.h"

int main() try {
  using namespace ringspan;
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx-h100");
  RunScenario scenario;
  scenario.sizes = {Bytes{std::int64_t{1} << 30}};
  const RunReport report = run_scenario(scenario, system, catalog);
  const RunRow& row = report.rows.at(0);
  std::cout << "Ringspan " << kVersion << ": 1 GiB all_reduce on " << report.system << " takes "
            << to_microseconds(row.time) << " us with " << row.algorithm << ", limited by "
            << row.bottleneck << "\n";
  return row.time >= row.lower_bound ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
