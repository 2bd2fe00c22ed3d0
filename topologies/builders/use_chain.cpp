#include "topologies/builders/use_chain.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "topologies/builders/config_reading.h"
#include "topologies/builders/override_router.h"
#include "topologies/builders/system_header.h"

namespace ringspan {

namespace {

namespace fs = std::filesystem;

bool is_path(std::string_view target) {
  constexpr std::string_view kExtension = ".toml";
  return target.find('/') != std::string_view::npos ||
         (target.size() > kExtension.size() &&
          target.substr(target.size() - kExtension.size()) == kExtension);
}

// The same for every path to a file; the name itself for what is no file (catalogue, stdin).
std::string file_identity(const std::string& file) {
  std::error_code error;
  const fs::path canonical = fs::canonical(file, error);
  return error ? file : canonical.string();
}

}  // namespace

UseChain::UseChain(ConfigDocument& document, const SystemFinder& find,
                   const SystemOverrides& overrides) {
  files_.push_back(document.root().position().file);
  identities_.push_back(file_identity(files_.back()));
  OverrideRouter router(overrides);
  std::vector<ConfigDocument*> files{&document};
  router.apply(document);
  while (true) {
    const ConfigNode root = files.back()->root();
    const bool pods_only = files.size() == 1 && root.has("pod") && !root.has("node");
    if (pods_only || !follow(root.child("node"), find)) break;
    files.push_back(documents_.back().get());
    router.apply(*files.back());
  }
  router.apply_rest(document);
  // Only now, since an override may move what a ConfigNode points to.
  for (const ConfigDocument* file : files) {
    roots_.push_back(file->root());
    if (const auto node = roots_.back().find_child("node")) nodes_.push_back(*node);
  }
}

UseChain::UseChain(const ConfigNode& pod, const SystemFinder& find) : nodes_{pod} {
  files_.push_back(pod.position().file);
  identities_.push_back({});  // its [node] may be used by a pod: no cycle
  while (follow(nodes_.back(), find)) {
    roots_.push_back(documents_.back()->root());
    nodes_.push_back(roots_.back().child("node"));
  }
}

bool UseChain::follow(const ConfigNode& node, const SystemFinder& find) {
  if (!given(node, "use")) return false;
  for (const char* own : {"device", "link"}) {
    if (node.has(own)) {
      node.fail(own, fmt::format("a node with `use` has no {}s of its own", own),
                fmt::format("remove use, or remove every [[node.{}]]", own));
    }
  }
  const std::string target = node.text("use");
  std::string identity;
  ConfigDocument document = open(node, target, find, identity);
  files_.push_back(document.root().position().file);
  if (std::find(identities_.begin(), identities_.end(), identity) != identities_.end()) {
    std::string chain = files_.front();
    for (std::size_t i = 1; i < files_.size(); ++i) chain += " -> " + files_[i];
    node.fail("use", "a cycle of `use`: " + chain, "let one of them have its own devices");
  }
  identities_.push_back(std::move(identity));
  documents_.push_back(std::make_unique<ConfigDocument>(std::move(document)));
  const SystemInfo header = read_system_header(documents_.back()->root());
  for (const std::string& source : header.sources) {
    sources_.push_back(fmt::format("{}: {}", header.name, source));
  }
  return true;
}

ConfigDocument UseChain::open(const ConfigNode& node, const std::string& target,
                              const SystemFinder& find, std::string& identity) {
  if (!is_path(target)) {
    const std::optional<SystemText> found = find(target);
    if (!found) {
      node.fail("use", fmt::format("there is no system '{}'", target),
                "`ringspan list systems` shows the catalogue; a file is written with its path, "
                "\"./other.toml\"");
    }
    identity = found->file;
    return ConfigDocument::parse_text(found->text, found->file);
  }
  const fs::path path = fs::path(node.position().file).parent_path() / target;
  std::error_code error;
  if (!fs::exists(path, error)) {
    node.fail("use", fmt::format("there is no file '{}'", path.string()),
              "the path is relative to the file that says use");
  }
  identity = file_identity(path.string());
  return ConfigDocument::parse_file(path);
}

void UseChain::finish() const {
  for (const auto& document : documents_) document->finish();
}

}  // namespace ringspan
