#pragma once

#include <string>
#include <string_view>

#include "app/study/study.h"

namespace ringspan {

// `path`: a TOML file, or "-" for standard input. Names of files in it are relative to its folder.
// What can be checked without reading systems is checked. Throws InputError.
Study read_study(const std::string& path);

// The same from text; `name` stands for the file in messages, `folder` is where other files lie
// (empty: where the program runs).
Study parse_study(std::string_view text, const std::string& name, const std::string& folder = {});

}  // namespace ringspan
