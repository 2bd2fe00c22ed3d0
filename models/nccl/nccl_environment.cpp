#include "models/nccl/nccl_environment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "sim/base/input_error.h"
#include "sim/base/quote.h"

namespace ringspan {

namespace {

// NCCL's names in upper case and ours: ncclAlgoStr in src/graph/tuning.cc (2.28.9).
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kAlgorithms = {
    {{"TREE", "tree"},
     {"RING", "ring"},
     {"COLLNETDIRECT", "collnetdirect"},
     {"COLLNETCHAIN", "collnetchain"},
     {"NVLS", "nvls"},
     {"NVLSTREE", "nvlstree"},
     {"PAT", "pat"}}};

constexpr std::array<std::pair<std::string_view, Protocol>, 3> kProtocols = {
    {{"LL", Protocol::LL}, {"LL128", Protocol::LL128}, {"SIMPLE", Protocol::Simple}}};

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return upper;
}

std::optional<std::int64_t> number_in(std::string_view text, std::int64_t least,
                                      std::int64_t most) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value < least || value > most) return std::nullopt;
  return value;
}

// "ring,tree" allows these, "^tree" all others, without regard to case. Empty: it cannot be read.
template <typename Value, std::size_t count>
std::vector<Value> allowed(std::string_view text,
                           const std::array<std::pair<std::string_view, Value>, count>& choices) {
  const bool others = text.starts_with('^');
  if (others) text.remove_prefix(1);
  std::array<bool, count> named{};
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string name = upper_case(text.substr(0, comma));
    const auto found = std::find_if(choices.begin(), choices.end(),
                                    [&](const auto& choice) { return choice.first == name; });
    if (found == choices.end()) return {};
    named[static_cast<std::size_t>(found - choices.begin())] = true;
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < count; ++i) {
    if (named[i] != others) values.push_back(choices[i].second);
  }
  return values;
}

// Readers of one value each: false where it cannot be used.
bool read_algorithms(std::string_view value, NcclEnvironment& settings) {
  settings.algorithms.clear();
  for (const std::string_view name : allowed(value, kAlgorithms)) {
    settings.algorithms.emplace_back(name);
  }
  return !settings.algorithms.empty();
}

bool read_protocols(std::string_view value, NcclEnvironment& settings) {
  settings.protocols = allowed(value, kProtocols);
  return !settings.protocols.empty();
}

bool read_net(std::string_view value, NcclEnvironment& settings) {
  settings.net = std::string(value);
  return true;
}

bool read_nvls(std::string_view value, NcclEnvironment& settings) {
  const auto number = number_in(value, 0, 2);
  settings.nvls = std::nullopt;
  if (number && *number < 2) settings.nvls = *number == 1;
  return number.has_value();
}

bool read_collnet(std::string_view value, NcclEnvironment& settings) {
  const auto number = number_in(value, 0, 1);
  settings.collnet = std::nullopt;
  if (number) settings.collnet = *number == 1;
  return number.has_value();
}

bool read_p2p_disable(std::string_view value, NcclEnvironment& settings) {
  const auto number = number_in(value, 0, 1);
  settings.p2p_disabled = number == 1;
  return number.has_value();
}

bool read_channels(std::string_view value, std::optional<int>& channels) {
  constexpr std::int64_t kMost = 64;  // MAXCHANNELS from 2.25 on (src/include/device.h)
  const auto number = number_in(value, 1, kMost);
  channels = std::nullopt;
  if (number) channels = static_cast<int>(*number);
  return number.has_value();
}

bool read_min_channels(std::string_view value, NcclEnvironment& settings) {
  return read_channels(value, settings.min_channels);
}

bool read_max_channels(std::string_view value, NcclEnvironment& settings) {
  return read_channels(value, settings.max_channels);
}

bool read_buffer(std::string_view value, NcclEnvironment& settings) {
  const auto number = number_in(value, 1, std::int64_t{1} << 40);
  settings.buffer = std::nullopt;
  if (number) settings.buffer = Bytes{*number};
  return number.has_value();
}

struct Setting {
  std::string_view name;
  bool (*read)(std::string_view value, NcclEnvironment& settings);
};

constexpr std::array kSettings = {Setting{"NCCL_ALGO", read_algorithms},
                                  Setting{"NCCL_PROTO", read_protocols},
                                  Setting{"NCCL_NET", read_net},
                                  Setting{"NCCL_NVLS_ENABLE", read_nvls},
                                  Setting{"NCCL_COLLNET_ENABLE", read_collnet},
                                  Setting{"NCCL_P2P_DISABLE", read_p2p_disable},
                                  Setting{"NCCL_MIN_NCHANNELS", read_min_channels},
                                  Setting{"NCCL_MAX_NCHANNELS", read_max_channels},
                                  Setting{"NCCL_BUFFSIZE", read_buffer}};

const Setting* find_setting(std::string_view name) {
  const auto found = std::find_if(kSettings.begin(), kSettings.end(),
                                  [&](const Setting& setting) { return setting.name == name; });
  return found == kSettings.end() ? nullptr : &*found;
}

void read_setting(std::string_view word, NcclEnvironment& settings) {
  const std::size_t equals = word.find('=');
  const Setting* const setting = find_setting(word.substr(0, equals));
  if (setting == nullptr || equals == std::string_view::npos) {
    settings.notes.push_back(quote_text(word) + " is not used: it is no setting known here");
  } else if (!setting->read(word.substr(equals + 1), settings)) {
    settings.notes.push_back(quote_text(word) + " is not used: the value has no meaning here");
  }
}

}  // namespace

bool is_nccl_setting(std::string_view name) { return find_setting(name) != nullptr; }

NcclEnvironment read_nccl_environment(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  NcclEnvironment settings;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    read_setting(text.substr(at, end - at), settings);
    at = end;
  }
  return settings;
}

}  // namespace ringspan
