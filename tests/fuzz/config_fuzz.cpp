// Any bytes are either a TOML document or refused with InputErrors, whatever is asked of the
// document afterwards.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "sim/config/config_node.h"

namespace {

using namespace ringspan;

// Any other exception ends the program: that is a bug.
template <typename Act>
void value_or_refusal(Act act) {
  try {
    act();
  } catch (const InputError& error) {
    for (const InputProblem& problem : error.problems()) {
      RINGSPAN_CHECK(!format_problem(problem).empty(), "a refusal says why");
    }
  }
}

void ask_everything(const ConfigNode& node);

void ask_about(const ConfigNode& node, const std::string& key) {
  RINGSPAN_CHECK(node.has(key), "a listed key is there");
  value_or_refusal([&] { node.text(key); });
  value_or_refusal([&] {
    node.integer(key, std::numeric_limits<std::int64_t>::min(),
                 std::numeric_limits<std::int64_t>::max());
  });
  value_or_refusal([&] {
    const double value = node.number(key, -1e308, 1e308);
    RINGSPAN_CHECK(value >= -1e308 && value <= 1e308, "numbers are finite and in range");
  });
  value_or_refusal([&] { node.boolean(key); });
  value_or_refusal([&] {
    RINGSPAN_CHECK(node.bandwidth(key).bits_per_second > 0, "rates in files are positive");
  });
  value_or_refusal([&] {
    RINGSPAN_CHECK(node.duration(key) >= Duration::zero(), "durations are not negative");
  });
  value_or_refusal([&] { RINGSPAN_CHECK(node.bytes(key).count >= 0, "sizes are not negative"); });
  value_or_refusal([&] { node.texts(key); });
  value_or_refusal([&] { node.numbers(key); });
  value_or_refusal([&] { node.durations(key); });
  value_or_refusal([&] { node.choice(key, {"ring", "tree"}); });
  value_or_refusal([&] { node.fail(key, "refused"); });
  value_or_refusal([&] { ask_everything(node.child(key)); });
  value_or_refusal([&] {
    for (const ConfigNode& child : node.children(key)) ask_everything(child);
  });
}

void ask_everything(const ConfigNode& node) {
  for (const std::string& key : node.keys()) ask_about(node, key);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  value_or_refusal([&] {
    const ConfigDocument document = ConfigDocument::parse_text(text, "fuzz.toml");
    value_or_refusal([&] { document.finish(); });
    ask_everything(document.root());
  });
  // The same bytes as an override: "key=value" up to the first line.
  value_or_refusal([&] {
    ConfigDocument document =
        ConfigDocument::parse_text("[a]\nb = 1\n[[c]]\nd = \"x\"\n", "set.toml");
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return;
    document.set(line.substr(0, equals), line.substr(equals + 1));
    ask_everything(document.root());
  });
  return 0;
}
