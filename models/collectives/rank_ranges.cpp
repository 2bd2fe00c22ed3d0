#include "models/collectives/rank_ranges.h"

#include <charconv>
#include <unordered_set>

#include <fmt/format.h>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

// No system of this tool is larger; keeps a mistyped range from filling the memory.
constexpr std::int32_t kMostRanks = 1 << 24;

constexpr const char* kHint = "ranks are 3, 0-7, 0-56/8 (every 8th), and several joined by +";

[[noreturn]] void refuse(std::string_view part, std::string_view what) {
  throw InputError(fmt::format("'{}' is {}", part, what), kHint);
}

std::int32_t read_number(std::string_view digits, std::string_view part) {
  std::int32_t value = -1;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || rest != end || value < 0 || digits.front() == '-') {
    if (error == std::errc::result_out_of_range) refuse(part, "beyond any rank");
    refuse(part, "no rank and no range of ranks");
  }
  if (value >= kMostRanks) refuse(part, "beyond any rank");
  return value;
}

void append_range(std::string_view part, std::vector<std::int32_t>& ranks) {
  const std::size_t slash = part.find('/');
  const std::string_view range = part.substr(0, slash);
  const std::size_t dash = range.find('-');
  const std::int32_t first = read_number(range.substr(0, dash), part);
  const std::int32_t last =
      dash == std::string_view::npos ? first : read_number(range.substr(dash + 1), part);
  const std::int32_t step =
      slash == std::string_view::npos ? 1 : read_number(part.substr(slash + 1), part);
  if (last < first) refuse(part, "a range that runs backwards");
  if (step == 0) refuse(part, "a range with step 0");
  for (std::int32_t rank = first; rank <= last; rank += step) ranks.push_back(rank);
}

}  // namespace

std::vector<std::int32_t> parse_ranks(std::string_view text) {
  std::vector<std::int32_t> ranks;
  for (std::string_view rest = text;;) {
    const std::size_t plus = rest.find('+');
    append_range(rest.substr(0, plus), ranks);
    if (plus == std::string_view::npos) break;
    rest.remove_prefix(plus + 1);
  }
  std::unordered_set<std::int32_t> seen;
  for (const std::int32_t rank : ranks) {
    if (!seen.insert(rank).second) {
      throw InputError(fmt::format("rank {} stands twice in '{}'", rank, text),
                       "a job has each of its ranks once");
    }
  }
  return ranks;
}

std::string ranks_text(std::span<const std::int32_t> ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (!text.empty()) text += '+';
    text += std::to_string(ranks[i]);
    if (end - i > 1) text += fmt::format("-{}", ranks[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace ringspan
