#include "validation/logs/nccl_tests_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "models/nccl/nccl_environment.h"
#include "validation/logs/cell_reading.h"
#include "validation/logs/csv_line.h"
#include "validation/logs/nccl_tests_line.h"
#include "validation/logs/nccl_tests_setup.h"

namespace ringspan {

namespace {

constexpr std::int64_t kMostPerProcess = 100'000;  // threads, GPUs: more is no log

// One test: from its header to the next one's.
struct Section {
  int first_line = 0;
  NcclTestsSetup setup;
  std::set<std::string> hosts;
  std::set<std::pair<std::string, std::string>> processes;  // host, pid
  bool has_header = false;
  std::int64_t most = 0;  // maxBytes; 0: unknown
  double factor = 1;      // next size = size x factor + step
  double step = 0;
  RowLayout layout;
  std::vector<TestRow> rows;
  bool ended = false;  // its last lines are there
};

std::string_view field_after(const std::vector<LineField>& fields, std::string_view name) {
  for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
    if (fields[i].text == name) return fields[i + 1].text;
  }
  return {};
}

// What stands in front of the first character that cannot be part of a version.
std::string version_at(std::string_view text) {
  return std::string(text.substr(0, text.find_first_not_of("0123456789.")));
}

bool recognises_nccl_tests(std::string_view text) {
  return text.find("# nThread") != std::string_view::npos ||
         text.find("nccl-tests version") != std::string_view::npos ||
         (text.find("algbw") != std::string_view::npos &&
          text.find("busbw") != std::string_view::npos);
}

class TextReader {
 public:
  TextReader(const std::string& file, const LogOptions& options) : file_(file), options_(options) {}

  LogContents read(std::string_view text) {
    text = without_byte_order_mark(text);
    while (!text.empty()) {
      ++line_;
      read_line(next_line(text));
    }
    end_section();
    if (tests_ == 0 && contents_.problems.empty()) {
      fail({file_, line_, 0}, "the log has no rows", "did the test end before its first size?");
    }
    return std::move(contents_);
  }

 private:
  void fail(SourcePosition where, std::string message, std::string hint) {
    contents_.problems.push_back({std::move(where), std::move(message), std::move(hint)});
  }

  void read_line(std::string_view line) {
    read_nccl_info(line);
    const std::vector<LineField> fields = output_fields(line);
    if (fields.empty()) return;
    if (fields.front().text.starts_with('#')) {
      read_comment(fields);
    } else if (begins_row(fields)) {
      read_row(fields);
    } else {
      for (const LineField& field : fields) note_program(field.text);
    }
  }

  // In the lines of NCCL, wherever they are on the line.
  void read_nccl_info(std::string_view line) {
    constexpr std::string_view kVersion = "NCCL version ";
    const std::size_t version = line.find(kVersion);
    constexpr std::string_view kSetting = " set by environment to ";
    const std::size_t setting = line.find(kSetting);
    if (version == std::string_view::npos && setting == std::string_view::npos) return;
    if (section_.ended) end_section();
    if (version != std::string_view::npos) {
      nccl_ = version_at(line.substr(version + kVersion.size()));
    }
    if (setting == std::string_view::npos) return;
    const std::string_view before = line.substr(0, setting);
    const std::string_view name = before.substr(before.find_last_of(' ') + 1);
    std::string_view value = line.substr(setting + kSetting.size());
    value = value.substr(0, value.find_first_of(" \t\r"));
    if (value.ends_with('.')) value.remove_suffix(1);
    if (is_nccl_setting(name) && !value.empty()) settings_.emplace(name, value);
  }

  void read_comment(const std::vector<LineField>& fields) {
    if (begins_with(fields, {"#", "nccl-tests", "version"}) ||
        begins_with(fields, {"#", "Collective", "test", "starting:"})) {
      if (section_.has_header || !section_.rows.empty()) end_section();
      for (const LineField& field : fields) note_program(field.text);
      note_library(fields);
    } else if (begins_with(fields, {"#", "nThread"})) {
      read_header(fields);
    } else if (begins_with(fields, {"#", "Rank"})) {
      read_device(fields);
    } else if (begins_with(fields, {"#", "Out", "of", "bounds"}) ||
               begins_with(fields, {"#", "Avg", "bus", "bandwidth"})) {
      section_.ended = true;
    } else if (const auto layout = row_layout(fields)) {
      section_.layout = *layout;
    }
  }

  static bool begins_with(const std::vector<LineField>& fields,
                          std::initializer_list<std::string_view> words) {
    return fields.size() >= words.size() &&
           std::equal(
               words.begin(), words.end(), fields.begin(),
               [](std::string_view word, const LineField& field) { return word == field.text; });
  }

  // "all_reduce_perf", also with a path before it.
  void note_program(std::string_view word) {
    const std::string name = collective_of_program(word);
    if (name.empty()) return;
    if (section_.ended) end_section();
    if (section_.rows.empty()) program_ = name;
  }

  void note_library(const std::vector<LineField>& fields) {
    constexpr std::string_view kLibrary = "nccl-library=";
    for (const LineField& field : fields) {
      if (!field.text.starts_with(kLibrary)) continue;
      const auto code = whole_number(field.text.substr(kLibrary.size()), 1);
      if (code) nccl_ = nccl_version_of_code(*code);
    }
  }

  void read_header(const std::vector<LineField>& fields) {
    if (section_.has_header || !section_.rows.empty()) end_section();
    section_.has_header = true;
    section_.first_line = line_;
    const auto count = [&](std::string_view name) {
      const auto value = whole_number(field_after(fields, name), 1);
      return static_cast<int>(value && *value <= kMostPerProcess ? *value : 1);
    };
    section_.setup.threads = count("nThread");
    section_.setup.gpus = count("nGpus");
    section_.most = whole_number(field_after(fields, "maxBytes"), 1).value_or(0);
    const std::string_view step = field_after(fields, "step:");
    const std::size_t unit = step.find('(');
    if (unit == std::string_view::npos) return;
    const double value = decimal_number(step.substr(0, unit)).value_or(1);
    (step.substr(unit) == "(factor)" ? section_.factor : section_.step) = value;
  }

  // "# Rank 0 Group 0 Pid 123 on host device 0 [...] NVIDIA ..."; of several groups, which run the
  // same side by side, the first.
  void read_device(const std::vector<LineField>& fields) {
    const std::string_view group = field_after(fields, "Group");
    if (!group.empty() && group != "0") return;
    const std::string host(field_after(fields, "on"));
    section_.hosts.insert(host);
    section_.processes.emplace(host, field_after(fields, "Pid"));
    ++section_.setup.ranks;
  }

  void read_row(const std::vector<LineField>& fields) {
    if (section_.first_line == 0) section_.first_line = line_;
    TestRow row;
    row.line = line_;
    if (const auto mistake = read_test_row(fields, section_.layout, row)) {
      fail({file_, line_, mistake->column}, mistake->message,
           "rows are size, count, type, redop, root, then time, algbw, busbw and #wrong twice");
      spoilt_row_ = true;
      ++contents_.refused;
      return;
    }
    section_.rows.push_back(std::move(row));
  }

  void end_section() {
    Section section = std::exchange(section_, Section{});
    const bool spoilt = std::exchange(spoilt_row_, false);
    const std::string program = std::exchange(program_, {});
    section.setup.nccl = std::exchange(nccl_, {});
    for (const auto& [name, value] : std::exchange(settings_, {})) {
      if (!section.setup.env.empty()) section.setup.env += ' ';
      section.setup.env += fmt::format("{}={}", name, value);
    }
    if (section.rows.empty()) {
      if (!section.has_header) return;
      ++tests_;
      if (spoilt) return;
      fail({file_, section.first_line, 0}, "no row follows this header",
           "did the test end before its first size?");
      return;
    }
    ++tests_;
    section.setup.hosts = static_cast<int>(section.hosts.size());
    section.setup.processes = static_cast<int>(section.processes.size());
    if (!find_collective(section, program) || !check_section(section)) {
      contents_.refused += section.rows.size();
      return;
    }
    append_rows(section);
    if (!spoilt) check_end(section);
  }

  bool find_collective(Section& section, const std::string& program) {
    const SourcePosition where{file_, section.first_line, 0};
    if (options_.collective) {
      section.setup.collective = options_.collective;
    } else if (!program.empty()) {
      try {
        section.setup.collective = collective_from_name(program);
      } catch (const InputError& error) {
        fail(where, program + "_perf: " + error.problems().front().message,
             error.problems().front().hint);
        return false;
      }
    } else {
      section.setup.collective = collective_of_rows(section.rows, ranks_of(section.setup));
    }
    if (section.setup.collective) return true;
    fail(where, "the log does not say which collective it is of", "give --collective NAME");
    return false;
  }

  bool check_section(const Section& section) {
    const SourcePosition where{file_, section.first_line, 0};
    if (options_.system.empty()) {
      contents_.problems.push_back(system_missing(where));
      return false;
    }
    if (section.setup.ranks == 0 && !section.has_header) {
      fail(where, "the log does not say how many GPUs took part",
           "keep its lines '# nThread' and '# Rank'");
      return false;
    }
    if (section.layout.cpu_time) {
      fail(where, "the times are those of the host (-C 1)", "measure without -C");
      return false;
    }
    return true;
  }

  void append_rows(Section& section) {
    std::string name = file_ == "<standard input>" ? "stdin" : file_stem(file_);
    name += fmt::format("_{}", collective_name(*section.setup.collective));
    if (tests_ > 1) name += fmt::format("_{}", tests_);
    int cycle = 1;
    std::int64_t last = -1;
    for (const TestRow& test : section.rows) {
      // -N runs all sizes again.
      if (test.bytes <= last) ++cycle;
      last = test.bytes;
      section.setup.case_name = cycle == 1 ? name : fmt::format("{}#{}", name, cycle);
      MeasuredRow row = row_of(section.setup, options_, file_);
      row.dtype = test.type;
      row.bytes = test.bytes;
      row.time_us = test.time_us;
      row.time_text = test.time_text;
      row.line = test.line;
      row.number = static_cast<int>(contents_.rows.size()) + 1;
      row.at[static_cast<std::size_t>(MeasuredColumn::Bytes)] = test.bytes_column;
      row.at[static_cast<std::size_t>(MeasuredColumn::TimeUs)] = test.time_column;
      contents_.rows.push_back(std::move(row));
    }
  }

  // A log without its last lines is whole where the next size would be above the largest.
  void check_end(const Section& section) {
    if (section.ended || section.most == 0) return;
    const TestRow& last = section.rows.back();
    const double next = static_cast<double>(last.bytes) * section.factor + section.step;
    if (next > static_cast<double>(section.most) || next <= static_cast<double>(last.bytes)) return;
    fail({file_, last.line, last.bytes_column},
         fmt::format("the log is cut off: its last row is of size {}, its header names sizes up "
                     "to {}",
                     last.bytes, section.most),
         "give the whole log, or --keep-going for the rows that are there");
  }

  const std::string& file_;
  const LogOptions& options_;
  LogContents contents_;
  int line_ = 0;
  int tests_ = 0;
  Section section_;
  bool spoilt_row_ = false;  // the section has a row that could not be read
  std::string program_;      // the collective that the next rows are of
  std::string nccl_;         // of the next rows, as settings_ are
  std::map<std::string, std::string> settings_;
};

LogContents read_nccl_tests(std::string_view text, const std::string& file,
                            const LogOptions& options) {
  return TextReader(file, options).read(text);
}

}  // namespace

LogFormat nccl_tests_text_format() { return {recognises_nccl_tests, read_nccl_tests}; }

}  // namespace ringspan
