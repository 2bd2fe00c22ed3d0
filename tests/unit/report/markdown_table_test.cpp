#include "app/report/markdown_table.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(MarkdownTable, AlignsByTheMarkBeforeANameAndEscapesBars) {
  MarkdownTable table({"class", ">rows"});
  table.add({"a|b", "12"});
  EXPECT_EQ(table.text(),
            "| class | rows |\n"
            "| --- | ---: |\n"
            "| a\\|b | 12 |\n");
}

}  // namespace
}  // namespace ringspan
