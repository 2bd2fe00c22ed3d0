#include <filesystem>
#include <iostream>
#include <iterator>
#include <system_error>
#include <utility>

#include "app/scenario/scenario.h"
#include "sim/config/config_node.h"
#include "sim/config/read_input.h"
#include "topologies/data/catalogue.h"

namespace ringspan {

namespace {

std::string catalogue_file(std::string_view name) {
  return "<catalogue>/" + std::string(name) + ".toml";
}

bool looks_like_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".toml");
}

[[noreturn]] void refuse_unknown(const Catalog& catalog, std::string_view name) {
  std::string hint = nearest_name(name, catalog.system_names);
  if (!hint.empty()) hint = "did you mean '" + hint + "'? ";
  throw InputError("unknown system '" + std::string(name) + "'",
                   hint +
                       "'ringspan list systems' shows the catalogue; a file needs a '/' in its "
                       "path, or the ending .toml");
}

bool names_file(std::string_view name) {
  std::error_code ignored;
  return !name.empty() &&
         (looks_like_path(name) || std::filesystem::exists(std::filesystem::path(name), ignored));
}

std::optional<SystemText> catalogue_entry(std::string_view name) {
  for (const EmbeddedFile& file : catalogue_systems()) {
    if (file.name == name) return SystemText{std::string(file.text), catalogue_file(name)};
  }
  return std::nullopt;
}

// What is not a file on disk: standard input or a catalogue entry.
std::optional<SystemText> text_in_memory(std::string_view name) {
  if (name == "-") return SystemText{read_standard_input(), "<standard input>"};
  return catalogue_entry(name);
}

System read_checked(ConfigDocument document, const Catalog& catalog) {
  return read_system(document, catalog.links, catalogue_entry);
}

}  // namespace

Catalog builtin_catalog() {
  Catalog catalog{builtin_algorithms(), {}, builtin_profiles(), {}};
  for (const EmbeddedFile& file : catalogue_links()) {
    ConfigDocument document = ConfigDocument::parse_text(file.text, catalogue_file(file.name));
    catalog.links = LinkPresets::from_config(document.root());
    document.finish();
  }
  for (const EmbeddedFile& file : catalogue_systems()) catalog.system_names.emplace_back(file.name);
  return catalog;
}

System load_system(const Catalog& catalog, std::string_view name_or_path,
                   const SystemOverrides& overrides, const SystemSize& size) {
  const std::optional<SystemText> text = text_in_memory(name_or_path);
  if (!text && !names_file(name_or_path)) refuse_unknown(catalog, name_or_path);
  ConfigDocument document = text ? ConfigDocument::parse_text(text->text, text->file)
                                 : ConfigDocument::parse_file(std::filesystem::path(name_or_path));
  return read_system(document, catalog.links, catalogue_entry, overrides, size);
}

std::string system_file_text(const Catalog& catalog, std::string_view name_or_path) {
  if (const std::optional<SystemText> text = text_in_memory(name_or_path)) {
    read_checked(ConfigDocument::parse_text(text->text, text->file), catalog);
    return text->text;
  }
  if (!names_file(name_or_path)) refuse_unknown(catalog, name_or_path);
  // Read once: a pipe has nothing to say the second time.
  std::string text = read_input_file(std::filesystem::path(name_or_path));
  read_checked(ConfigDocument::parse_text(text, std::string(name_or_path)), catalog);
  return text;
}

Profile load_profile(const Catalog& catalog, std::string_view name_or_path) {
  std::vector<std::string> names;
  for (const Profile& profile : catalog.profiles) {
    if (profile.name == name_or_path) return profile;
    names.push_back(profile.name);
  }
  if (!names_file(name_or_path)) {
    throw InputError(
        "unknown profile '" + std::string(name_or_path) + "'",
        name_hint(name_or_path, names) + " (a file needs a '/' in its path, or the ending .toml)");
  }
  ConfigDocument document = ConfigDocument::parse_file(std::filesystem::path(name_or_path));
  return read_profile(document);
}

}  // namespace ringspan
