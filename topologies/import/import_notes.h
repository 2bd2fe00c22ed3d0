#pragma once

// What an import assumed, left out or found odd, each with the first place it applies to.

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/input_error.h"

namespace ringspan {

class ImportNotes {
 public:
  explicit ImportNotes(std::string file) : file_(std::move(file)) {}

  // Equal texts are one note.
  void add(int line, int column, std::string text);
  void add(std::string text) { add(0, 0, std::move(text)); }  // of the whole file

  // "topo.xml:12:7: TEXT (and 7 more places)", in the order of the first places.
  std::vector<std::string> lines() const;

 private:
  struct Note {
    SourcePosition where;
    std::string text;
    int places = 1;
  };
  std::string file_;
  std::vector<Note> notes_;
  std::map<std::string, std::size_t> known_;  // text -> index into notes_
};

}  // namespace ringspan
