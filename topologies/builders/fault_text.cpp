#include "topologies/builders/fault_text.h"

#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "topologies/builders/config_reading.h"

namespace ringspan {

std::string fault_text(const ConfigNode& table, std::string_view subject, double rate) {
  std::string text = table.text(subject);
  if (subject == "from") text += " - " + table.text("to");
  if (table.has("network")) text += " of the network " + table.text("network");
  text += ": ";
  if (subject == "from") {
    const std::int64_t cables =
        given(table, "cables")
            ? table.integer("cables", 1, std::numeric_limits<std::int64_t>::max())
            : 0;
    if (cables > 0) text += fmt::format("{} cable{} ", cables, cables == 1 ? "" : "s");
  }
  if (rate <= 0) return text + "dead";
  return text + fmt::format("at {:.4g} % of {} rate", rate * 100,
                            subject == "switch" ? "its cables'" : "the");
}

}  // namespace ringspan
