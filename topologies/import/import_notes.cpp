#include "topologies/import/import_notes.h"

#include <utility>

#include <fmt/format.h>

namespace ringspan {

void ImportNotes::add(int line, int column, std::string text) {
  const auto [known, is_new] = known_.emplace(text, notes_.size());
  if (is_new) {
    notes_.push_back({{file_, line, column}, std::move(text), 1});
  } else {
    ++notes_[known->second].places;
  }
}

std::vector<std::string> ImportNotes::lines() const {
  std::vector<std::string> lines;
  for (const Note& note : notes_) {
    std::string line = note.where.file;
    if (note.where.line > 0) line += fmt::format(":{}:{}", note.where.line, note.where.column);
    line += ": " + note.text;
    if (note.places > 1) {
      line += fmt::format(" (and {} more place{})", note.places - 1, note.places == 2 ? "" : "s");
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace ringspan
