#include "validation/logs/nccl_tests_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/nccl/nccl_environment.h"
#include "sim/base/quote.h"
#include "validation/logs/cell_reading.h"
#include "validation/logs/csv_line.h"
#include "validation/logs/nccl_tests_setup.h"

namespace ringspan {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostCount = 100'000;  // threads, GPUs: more is no log

bool recognises_json(std::string_view text) {
  text = without_byte_order_mark(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

// The root's values and its results, as far as the text can be read: a log that is cut off keeps
// what comes before the cut.
struct JsonParts {
  std::map<std::string, Json> values;  // by key, without `results`
  std::vector<Json> results;
  bool has_results = false;
  std::string mistake;  // of syntax; empty: none
  int line = 0, column = 0;
};

// The line and column of the byte with this number, from 1.
void set_place(std::string_view text, std::size_t byte, JsonParts& parts) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const std::size_t line_start = before.find_last_of('\n') + 1;  // npos + 1 is 0
  parts.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  parts.column = static_cast<int>(before.size() - line_start) + 1;
}

JsonParts parse_parts(std::string_view text) {
  JsonParts parts;
  std::string key;
  using Event = Json::parse_event_t;
  const auto collect = [&](int depth, Event event, Json& parsed) {
    // Nothing of nccl-tests is nested deeper, and copies are made by recursion.
    constexpr int kDeepest = 8;
    if (depth > kDeepest) return false;
    // Values of the root arrive at depth 1; elements of its lists at depth 2.
    if (event == Event::key && depth == 1) {
      key = parsed.get<std::string>();
      if (key == "results") parts.has_results = true;
    } else if (key == "results" && depth == 2 && event == Event::object_end) {
      parts.results.push_back(parsed);
    } else if (key != "results" && depth == 1 &&
               (event == Event::value || event == Event::object_end || event == Event::array_end)) {
      parts.values[key] = parsed;
    }
    return true;
  };
  try {
    // The document itself is not kept: its parts are.
    [[maybe_unused]] const Json document = Json::parse(text.begin(), text.end(), collect);
  } catch (const Json::parse_error& error) {
    parts.mistake =
        error.byte >= text.size() ? "the log is cut off: its JSON does not end" : "this is no JSON";
    set_place(text, std::min(error.byte, text.size()), parts);
  } catch (const Json::exception&) {
    parts.mistake = "this is no JSON that can be used: a number is too large";
  }
  return parts;
}

const Json* member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::string text_member(const Json& object, const char* name) {
  const Json* const value = member(object, name);
  if (value == nullptr || !value->is_string()) return {};
  return std::string(trimmed(value->get_ref<const std::string&>()));
}

// A number, or a text of one.
std::optional<double> number_of(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  if (value->is_string()) return decimal_number(trimmed(value->get_ref<const std::string&>()));
  return std::nullopt;
}

std::optional<std::int64_t> whole_of(const Json* value, std::int64_t least) {
  if (value == nullptr) return std::nullopt;
  // Also of an unsigned number above the largest signed one, and of 1e3.
  if (value->is_number_integer() || value->is_number_float()) {
    return whole_number(value->dump(), least);
  }
  if (value->is_string()) {
    return whole_number(trimmed(value->get_ref<const std::string&>()), least);
  }
  return std::nullopt;
}

class JsonReader {
 public:
  JsonReader(const std::string& file, const LogOptions& options) : file_(file), options_(options) {}

  LogContents read(std::string_view text) {
    text = without_byte_order_mark(text);
    parts_ = parse_parts(text);
    options_.system = system();
    if (read_setup()) read_results();
    contents_.refused = parts_.results.size() - contents_.rows.size();
    if (!parts_.mistake.empty()) {
      fail({file_, parts_.line, parts_.column}, parts_.mistake,
           "give the whole log, or --keep-going for the rows that are there");
    }
    return std::move(contents_);
  }

 private:
  void fail(SourcePosition where, std::string message, std::string hint) {
    contents_.problems.push_back({std::move(where), std::move(message), std::move(hint)});
  }

  // nlohmann-json keeps no positions: a path names the place.
  void fail_at(const std::string& path, std::string_view message, std::string hint) {
    fail({file_, 0, 0}, fmt::format("{}: {}", path, message), std::move(hint));
  }

  const Json& value(const char* key) const {
    static const Json kNone;
    const auto found = parts_.values.find(key);
    return found == parts_.values.end() ? kNone : found->second;
  }

  // The option is for logs that name none.
  std::string system() const {
    const Json& named = value("system");
    return named.is_string() ? named.get<std::string>() : options_.system;
  }

  bool read_setup() {
    if (!parts_.has_results && parts_.mistake.empty()) {
      fail_at("results", "is missing", "nccl-tests writes it with -J FILE");
      return false;
    }
    if (!find_collective()) return false;
    if (options_.system.empty()) {
      contents_.problems.push_back(system_missing({file_, 0, 0}));
      return false;
    }
    read_config();
    read_version();
    read_environment();
    setup_.case_name =
        fmt::format("{}_{}", file_ == "<standard input>" ? "stdin" : file_stem(file_),
                    collective_name(*setup_.collective));
    return true;
  }

  bool find_collective() {
    setup_.collective = options_.collective;
    if (setup_.collective) return true;
    for (const Json& argument : value("args")) {
      if (!argument.is_string()) continue;
      const std::string name = collective_of_program(argument.get_ref<const std::string&>());
      if (name.empty()) continue;
      try {
        setup_.collective = collective_from_name(name);
      } catch (const InputError& error) {
        fail_at("args", error.problems().front().message, error.problems().front().hint);
        return false;
      }
      return true;
    }
    fail_at("args", "no program of nccl-tests is named", "give --collective NAME");
    return false;
  }

  void read_config() {
    const Json& config = value("config");
    const auto count = [&](const char* name) {
      const auto number = whole_of(member(config, name), 1);
      return static_cast<int>(number && *number <= kMostCount ? *number : 1);
    };
    setup_.threads = count("nthreads");
    setup_.gpus = count("ngpus");
    const Json* const devices = member(config, "devices");
    if (devices == nullptr || !devices->is_array()) return;
    std::set<std::string> hosts;
    std::set<std::string> processes;
    for (const Json& device : *devices) {
      // Of several groups, which run the same side by side, the first.
      if (whole_of(member(device, "group"), 0).value_or(0) != 0) continue;
      const std::string host = text_member(device, "hostname");
      const Json* const pid = member(device, "pid");
      hosts.insert(host);
      processes.insert(fmt::format("{} {}", host, whole_of(pid, 0).value_or(-1)));
      ++setup_.ranks;
    }
    setup_.hosts = static_cast<int>(hosts.size());
    setup_.processes = static_cast<int>(processes.size());
  }

  void read_version() {
    const Json& version = value("nccl_version");
    if (const auto code = whole_of(&version, 1)) {
      setup_.nccl = nccl_version_of_code(*code);
    } else if (version.is_string()) {
      setup_.nccl = version.get<std::string>();
    }
  }

  void read_environment() {
    for (const Json& variable : value("env")) {
      if (!variable.is_string()) continue;
      const std::string& text = variable.get_ref<const std::string&>();
      const std::size_t equals = text.find('=');
      const bool one_word = text.find_first_of(" \t\r\n") == std::string::npos;
      if (equals == std::string::npos || !one_word || !is_nccl_setting(text.substr(0, equals))) {
        continue;
      }
      setup_.env += (setup_.env.empty() ? "" : " ") + text;
    }
  }

  void read_results() {
    if (parts_.results.empty() && parts_.mistake.empty()) {
      fail_at("results", "has no rows", "did the test end before its first size?");
    }
    for (std::size_t i = 0; i < parts_.results.size(); ++i) read_result(i);
  }

  void read_result(std::size_t index) {
    const Json& result = parts_.results[index];
    const std::string path = fmt::format("results[{}]", index);
    MeasuredRow row = row_of(setup_, options_, file_);
    row.number = static_cast<int>(index) + 1;
    const std::string type = text_member(result, "type");
    if (!type.empty()) row.dtype = type;
    const auto bytes = whole_of(member(result, "size"), 0);
    if (!bytes || *bytes > kMostBytes) {
      fail_at(path + ".size", "is no whole number of bytes", "nccl-tests writes bytes");
      return;
    }
    row.bytes = *bytes;
    if (!read_time(result, path, row)) return;
    if (row.bytes <= last_) ++cycle_;  // -N runs all sizes again
    last_ = row.bytes;
    if (cycle_ > 1) row.case_name += fmt::format("#{}", cycle_);
    contents_.rows.push_back(std::move(row));
  }

  bool read_time(const Json& result, const std::string& path, MeasuredRow& row) {
    const Json* const half = member(result, "out_of_place");
    const Json none;
    const Json* const time = member(half == nullptr ? none : *half, "time");
    const auto number = number_of(time);
    if (number && is_possible_time(*number)) {
      row.time_us = *number;
      row.time_text =
          time->is_string() ? std::string(trimmed(time->get<std::string>())) : time->dump();
      return true;
    }
    const bool cpu_time = half != nullptr && member(*half, "cpu_time") != nullptr;
    fail_at(path + ".out_of_place.time",
            time == nullptr ? "is missing" : "is no time in microseconds",
            cpu_time ? "measure without -C: cpu_time is that of the host"
                     : "nccl-tests writes microseconds above 0");
    return false;
  }

  const std::string& file_;
  LogOptions options_;
  LogContents contents_;
  JsonParts parts_;
  NcclTestsSetup setup_;
  std::int64_t last_ = -1;
  int cycle_ = 1;
};

LogContents read_json(std::string_view text, const std::string& file, const LogOptions& options) {
  return JsonReader(file, options).read(text);
}

}  // namespace

LogFormat nccl_tests_json_format() { return {recognises_json, read_json}; }

}  // namespace ringspan
