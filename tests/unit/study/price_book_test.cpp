#include "app/study/price_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "app/report/study_costs.h"
#include "app/report/study_writers.h"
#include "tests/unit/study/study_fixture.h"

namespace ringspan {
namespace {

using ::testing::HasSubstr;

const std::string kHead = "name = \"b\"\ndate = \"2026-01\"\n";

std::string book_refusal(const std::string& text) {
  try {
    parse_price_book(text, "b.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PriceBook, RefusesWhatHasNoUnit) {
  EXPECT_EQ(book_refusal(kHead + "currency = \"USD\"\nlifetime = \"4 years\"\n"
                                 "[[server]]\nfor = [\"dgx-a100\"]\nprice = 199000\n"),
            "b.toml:7:9: error: '199000' has no unit\nhint: for example: price = \"199000 USD\"");
  EXPECT_THAT(book_refusal(kHead + "[[gpu]]\nfor = [\"A100\"]\nrent = \"2 USD/h\"\n"),
              HasSubstr("b.toml:5:8: error: a price needs a currency"));
  EXPECT_THAT(
      book_refusal(kHead + "currency = \"EUR\"\n[[gpu]]\nfor = [\"A100\"]\nrent = \"2 USD/h\"\n"),
      HasSubstr("'2 USD/h' has an unknown unit; here it is EUR/h"));
  EXPECT_THAT(
      book_refusal(kHead + "currency = \"USD\"\n[[server]]\nfor = [\"x\"]\nprice = \"9 USD\"\n"),
      HasSubstr("the book has none"));
  EXPECT_THAT(book_refusal(kHead + "[[server]]\nfor = [\"x\"]\npower = \"9 kW\"\nsource = \"s\"\n"),
              HasSubstr("missing key 'date'"));
  EXPECT_THAT(book_refusal(kHead + "[[server]]\nfor = [\"x\"]\npower = \"9 kW\"\npries = 1\n"),
              HasSubstr("unknown key 'pries'"));
  EXPECT_THAT(book_refusal(kHead + "[[server]]\nfor = [\"x\"]\n"),
              HasSubstr("b.toml:3:1: error: the entry says nothing"));
}

TEST(PriceBook, TheDocumentsExampleIsRead) {
  std::ifstream file(std::string(RINGSPAN_DOCS) + "/prices.md", std::ios::binary);
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  const std::size_t at = document.find("```toml\n") + 8;
  EXPECT_EQ(book_refusal(document.substr(at, document.find("```", at) - at)), "");
}

TEST(PriceBook, BuiltInEntriesAllHaveSourceAndDate) {
  for (const std::string& name : builtin_price_book_names()) {
    const PriceBook book = load_price_book(name);
    EXPECT_EQ(book.name, name);
    for (const PriceEntry& entry : book.entries) {
      EXPECT_FALSE(entry.source.empty());
      EXPECT_FALSE(entry.date.empty());
    }
  }
}

// 2 servers at 100, switches at 8 and cables at 1 a piece over 4 years of 8,766 h; 6 kW a server
// and 1 kW a switch, 1.5 times that in all, at 0.1 a kWh.
TEST(DesignCost, AddsPurchaseOverLifetimeAndEnergy) {
  const Catalog catalog = builtin_catalog();
  SystemSize size;
  size.servers = 2;
  const std::vector<BillLine> bill =
      bill_of(load_system(catalog, "dgx-a100", {}, size), catalog.links);
  double switches = 0, cables = 0;
  for (const BillLine& line : bill) {
    if (line.item == BillItem::Switch) switches += static_cast<double>(line.count);
    if (line.item == BillItem::Cable) cables += static_cast<double>(line.count);
  }
  const PriceBook book = parse_price_book(
      kHead +
          "currency = \"USD\"\nlifetime = \"4 years\"\nelectricity = \"0.1 USD/kWh\"\noverhead = "
          "1.5\n"
          "[[server]]\nfor = [\"dgx-a100\"]\nprice = \"100 USD\"\npower = \"6 kW\"\n"
          "[[switch]]\nfor = [\"ib-hdr\"]\nprice = \"8 USD\"\npower = \"1 kW\"\n"
          "[[cable]]\nfor = [\"ib-hdr\"]\nprice = \"1 USD\"\npower = \"0 W\"\nmedium = "
          "\"copper\"\n",
      "b.toml");
  const DesignCost cost = cost_of(bill, book, 16);
  const double purchase = 2 * 100 + 8 * switches + cables;
  const double kilowatts = (2 * 6 + switches) * 1.5;
  EXPECT_DOUBLE_EQ(*cost.purchase, purchase);
  EXPECT_DOUBLE_EQ(*cost.watts, kilowatts * 1e3);
  EXPECT_DOUBLE_EQ(*cost.per_hour, purchase / (4 * 8766) + kilowatts * 0.1);
  EXPECT_FALSE(cost.cost_incomplete);
  EXPECT_EQ(cost.lines.back().line.medium, "copper");
  EXPECT_EQ(cost.lines[0].source, "own figure");
}

TEST(DesignCost, ScalesWithCounts) {
  const Catalog catalog = builtin_catalog();
  const PriceBook book = load_price_book("published-2026-07");
  const auto watts_of_servers = [&](int servers) {
    SystemSize size;
    size.servers = servers;
    const System system = load_system(catalog, "dgx-h100", {}, size);
    double sum = 0;
    for (const PricedLine& one : cost_of(bill_of(system, catalog.links), book, 8).lines) {
      if (one.line.item == BillItem::Server)
        sum += *one.watts * static_cast<double>(one.line.count);
    }
    return sum;
  };
  EXPECT_DOUBLE_EQ(watts_of_servers(1), 10.2e3);
  EXPECT_DOUBLE_EQ(watts_of_servers(16), 16 * 10.2e3);
}

// In one rack of NVL72: 18 trays, 72 GPUs, 18 NVSwitches, 72 NICs (superpod-gb200's racks).
TEST(Bill, CountsRacksAndWhatIsInThem) {
  const Catalog catalog = builtin_catalog();
  const std::vector<BillLine> bill = bill_of(load_system(catalog, "gb200-nvl72"), catalog.links);
  const auto count = [&](BillItem item) {
    std::int64_t sum = 0;
    for (const BillLine& line : bill) sum += line.item == item ? line.count : 0;
    return sum;
  };
  EXPECT_EQ(count(BillItem::Rack), 1);
  EXPECT_EQ(count(BillItem::Server), 18);
  EXPECT_EQ(count(BillItem::Gpu), 72);
  EXPECT_EQ(count(BillItem::NvSwitch), 18);
  EXPECT_EQ(count(BillItem::Nic), 72);
}

// SuperPOD H100 of 4 units: 32 leaves, 16 spines, 127 x 8 = 1,016 cables to NICs, 32 x 32 = 1,024
// between leaves and spines (reference architecture, table 4).
TEST(Bill, CountsSwitchesPortsAndCables) {
  const Catalog catalog = builtin_catalog();
  const std::vector<BillLine> bill = bill_of(load_system(catalog, "superpod-h100"), catalog.links);
  std::vector<std::int64_t> switches, ports, cables;
  for (const BillLine& line : bill) {
    if (line.item == BillItem::Switch) switches.push_back(line.count);
    if (line.item == BillItem::Switch) ports.push_back(line.ports);
    if (line.item == BillItem::Cable) cables.push_back(line.count);
  }
  EXPECT_THAT(switches, ::testing::ElementsAre(32, 16));
  EXPECT_THAT(cables, ::testing::ElementsAre(1016, 1024));
  EXPECT_THAT(ports, ::testing::ElementsAre(1016 + 1024, 1024));
}

TEST(Bill, KnowsTheLengthOfCables) {
  const Catalog catalog = builtin_catalog();
  SystemSize size;
  size.servers = 2;
  const System system = load_system(catalog, "dgx-h100", {{"fabric.port_cable", "30 m"}}, size);
  for (const BillLine& line : bill_of(system, catalog.links)) {
    if (line.place == "port") {
      EXPECT_DOUBLE_EQ(line.metres, 30);
    }
  }
}

const std::string kOneAndFour =
    "[[design]]\nname = \"one\"\nsystem = \"dgx-a100\"\ngpus = 1\n"
    "[[design]]\nname = \"four\"\nsystem = \"dgx-a100\"\ngpus = 4\n"
    "[[workload]]\nname = \"training\"\ntimes = { one = \"8 h\", four = \"3 h\" }\n";

TEST(StudyPage, HasCostColumnsOnlyWhereAPriceBookIsNamed) {
  const StudyComparison without = compared("title = \"t\"\n" + kOneAndFour);
  EXPECT_EQ(page_text(study_page(without)).find("cost"), std::string::npos);
  EXPECT_EQ(study_csv_text(without).find("cost"), std::string::npos);
}

// Eight hours on one GPU at 2 an hour are 16; three on four are 24: 50 % more.
TEST(StudyPage, PrintsCostByDefinition) {
  const Catalog catalog = builtin_catalog();
  const Study study = parse_study("title = \"t\"\n" + kOneAndFour, "s.toml");
  StudyPlan plan = plan_study(study, catalog);
  const PriceBook book = parse_price_book(
      kHead + "currency = \"USD\"\n[[gpu]]\nfor = [\"A100 SXM 80 GB\"]\nrent = \"2 USD/h\"\n",
      "b.toml");
  for (PlannedDesign& design : plan.designs) {
    design.cost = cost_of(design.bill, book, design.gpus);
  }
  const ReportPage page = study_page(compare_designs(study, plan, {}));
  const std::vector<std::string> expected = {"training", "-",    "B",  "4",  "3 h",
                                             "2.67x",    "67 %", "12", "24", "+50 %"};
  EXPECT_EQ(page.sections[2].table.rows[1], expected);
}

}  // namespace
}  // namespace ringspan
