#include "validation/logs/csv_line.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(CsvLine, CellsComeWithTheColumnOfTheirFirstCharacter) {
  // a,bc,,d: the third cell is empty, behind its comma in column 6.
  const auto cells = csv_cells("a, bc,,d\r");
  ASSERT_EQ(cells.size(), 4u);
  EXPECT_EQ(cells[0].text, "a");
  EXPECT_EQ(cells[0].column, 1);
  EXPECT_EQ(cells[1].text, "bc");
  EXPECT_EQ(cells[1].column, 4);
  EXPECT_EQ(cells[2].text, "");
  EXPECT_EQ(cells[2].column, 7);
  EXPECT_EQ(cells[3].text, "d");
}

TEST(CsvLine, QuotedCellsHoldCommasAndQuotes) {
  const auto cells = csv_cells(R"("a,b","say ""yes""",c)");
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[0].text, "a,b");
  EXPECT_EQ(cells[1].text, R"(say "yes")");
  EXPECT_EQ(cells[2].text, "c");
}

TEST(CsvLine, AQuoteThatIsNotClosedEndsWithTheLine) {
  const auto cells = csv_cells(R"(a,"b,c)");
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[1].text, "b,c");
  EXPECT_TRUE(cells[0].closed);
  EXPECT_FALSE(cells[1].closed);
}

TEST(CsvLine, OtherSeparatorsLeaveEmptyCellsEmpty) {
  EXPECT_EQ(csv_cells("a;b,c;", ';').size(), 3u);
  const auto cells = csv_cells("a\t\tb", '\t');
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[1].text, "");
  EXPECT_EQ(cells[2].text, "b");
}

TEST(CsvLine, AnEmptyLineIsOneEmptyCell) { EXPECT_EQ(csv_cells("").size(), 1u); }

TEST(CsvLine, LinesAreTakenOffOneByOne) {
  std::string_view rest = "one\n\ntwo";
  EXPECT_EQ(next_line(rest), "one");
  EXPECT_EQ(next_line(rest), "");
  EXPECT_EQ(next_line(rest), "two");
  EXPECT_TRUE(rest.empty());
}

}  // namespace
}  // namespace ringspan
