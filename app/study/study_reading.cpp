#include "app/study/study_reading.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/study/study_sections.h"
#include "sim/config/config_node.h"
#include "sim/config/read_input.h"
#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

void require_one_line(const ConfigNode& root, std::string_view key, const std::string& text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (!text.empty() && std::none_of(text.begin(), text.end(), is_control)) return;
  root.fail(key, fmt::format("`{}` is one line of text", key),
            "for example: title = \"One rack or nine servers?\"");
}

}  // namespace

Study parse_study(std::string_view text, const std::string& name, const std::string& folder) {
  const ConfigDocument document = ConfigDocument::parse_text(text, name);
  const ConfigNode root = document.root();
  Study study;
  study.file = name;
  study.text = text;
  study.title = root.text("title");
  require_one_line(root, "title", study.title);
  const DesignDefaults defaults = read_design_defaults(root, folder);
  study.designs = read_designs(root, defaults, folder);
  study.workloads = read_workloads(root, study.designs, folder);
  if (given(root, "sweep")) study.sweep = read_sweep(root.child("sweep"));
  if (study.sweep && root.has("constraint")) {
    root.fail("constraint", "a sweep says how large its designs are", "leave out one of the two");
  }
  if (given(root, "constraint")) study.constraint = read_constraint(root.child("constraint"));
  document.finish();
  return study;
}

Study read_study(const std::string& path) {
  if (path == "-") return parse_study(read_standard_input(), "<standard input>");
  const std::string text = read_input_file(std::filesystem::path(path));
  return parse_study(text, path, std::filesystem::path(path).parent_path().string());
}

}  // namespace ringspan
