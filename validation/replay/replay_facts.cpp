#include "validation/replay/replay_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>

namespace ringspan {

std::vector<std::pair<std::string, std::string>> machine_facts() {
  std::vector<std::pair<std::string, std::string>> facts;
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  char date[32];
  if (::gmtime_r(&now, &utc) != nullptr &&
      std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0) {
    facts.emplace_back("date", date);
  }
  struct utsname kernel {};
  if (::uname(&kernel) == 0) {
    facts.emplace_back("kernel", std::string(kernel.sysname) + " " + kernel.release);
  }
  std::ifstream control("/proc/sys/net/ipv4/tcp_congestion_control");
  std::string name;
  if (control >> name) facts.emplace_back("tcp_congestion_control", name);
  return facts;
}

std::vector<std::string> listed_environment(std::span<const std::string_view> names) {
  std::vector<std::string> settings;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view setting = *entry;
    const std::string_view name = setting.substr(0, setting.find('='));
    const bool listed = std::any_of(names.begin(), names.end(), [&](std::string_view wanted) {
      if (!wanted.ends_with('*')) return name == wanted;
      return name.starts_with(wanted.substr(0, wanted.size() - 1));
    });
    if (listed) settings.emplace_back(setting);
  }
  std::sort(settings.begin(), settings.end());
  return settings;
}

}  // namespace ringspan
