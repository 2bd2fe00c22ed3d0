#include "app/study/study_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/unit/study/study_fixture.h"

namespace ringspan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kMiB = 1 << 20;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(StudyReading, ReadsDesignsAndWorkloads) {
  const Study study = parse_study(
      "title = \"t\"\nnccl = \"2.27\"\nseed = 3\n"
      "[[design]]\nname = \"a\"\nsystem = \"dgx-h100\"\ngpus = 16\nplacement = \"0-14/2\"\n"
      "set = { \"fabric.oversubscription\" = \"2:1\", \"node.count\" = 4 }\n"
      "[[design]]\nname = \"b\"\nsystem = \"mine/b.toml\"\nseed = 4\n"
      "[[workload]]\ncollective = \"alltoall\"\nsizes = { from = \"1M\", to = \"16M\", factor = 4 "
      "}\n"
      "[[workload]]\nname = \"mix\"\n"
      "[[workload.part]]\ncollective = \"all_gather\"\nsize = \"64M\"\nweight = 2.5\n"
      "[[workload]]\nname = \"both\"\njobs = \"all_reduce:1M@0-7,all_gather:1M@8-15\"\n"
      "[[workload]]\nname = \"known\"\ntimes = { a = \"8 h\", b = \"90 min\" }\n",
      "s.toml", "folder");
  ASSERT_EQ(study.designs.size(), 2U);
  EXPECT_EQ(study.designs[0].gpus, 16);
  EXPECT_THAT(study.designs[0].placement, ElementsAre(0, 2, 4, 6, 8, 10, 12, 14));
  ASSERT_EQ(study.designs[0].overrides.size(), 2U);
  EXPECT_EQ(study.designs[0].overrides[1].key, "node.count");
  EXPECT_EQ(study.designs[0].overrides[1].value, "4");
  EXPECT_EQ(study.designs[0].seed, 3U);
  EXPECT_EQ(study.designs[1].seed, 4U);
  EXPECT_EQ(study.designs[1].system, "folder/mine/b.toml");
  ASSERT_EQ(study.workloads.size(), 4U);
  EXPECT_THAT(study.workloads[0].parts[0].sizes,
              ElementsAre(Bytes{kMiB}, Bytes{4 * kMiB}, Bytes{16 * kMiB}));
  EXPECT_EQ(study.workloads[1].kind, WorkloadKind::Mix);
  EXPECT_EQ(study.workloads[1].parts[0].weight, 2.5);
  EXPECT_EQ(study.workloads[2].jobs.size(), 2U);
  EXPECT_EQ(study.workloads[3].times[0].seconds, 8 * 3600.0);
  EXPECT_EQ(study.workloads[3].times[1].seconds, 90 * 60.0);
}

TEST(StudyReading, RefusesWithPlaceAndHint) {
  EXPECT_EQ(study_refusal("title = \"t\"\n" + kAllReduce),
            "s.toml:1:1: error: the study has no [[design]]\n"
            "hint: one [[design]] for each, with `name` and `system`");
  EXPECT_THAT(study_refusal(kTwoDesigns), HasSubstr("the study has no [[workload]]"));
  EXPECT_EQ(study_refusal(kTwoDesigns + "[[workload]]\ncollective = \"all_reduce\"\nsizes = []\n"),
            "s.toml:11:9: error: the list of sizes is empty\n"
            "hint: for example: sizes = [\"1M\", \"1G\"]");
  EXPECT_THAT(study_refusal(kTwoDesigns + "[[workload]]\ncollective = \"all_reduce\"\n"
                                          "sizes = { from = 1, to = 8, factor = 1 }\n"),
              HasSubstr("s.toml:11:38: error: a factor of 1 never reaches the end"));
  EXPECT_THAT(study_refusal(kTwoDesigns + kAllReduce + "name = \"x\"\nsize = 3\n"),
              HasSubstr("unknown key 'size'"));
  EXPECT_THAT(study_refusal(kTwoDesigns + "[[workload]]\nname = \"x\"\n"),
              HasSubstr("the workload says nothing to do"));
  EXPECT_THAT(study_refusal(kTwoDesigns + kAllReduce + "jobs = \"@0-3\"\n"),
              HasSubstr("several kinds at once"));
  EXPECT_THAT(study_refusal(kTwoDesigns + kAllReduce + kAllReduce),
              HasSubstr("two workloads are called 'all_reduce'"));
  EXPECT_THAT(
      study_refusal(kTwoDesigns + "[[workload]]\nname = \"x\"\ntimes = { one = \"8 h\" }\n"),
      HasSubstr("the time of design 'two' is missing"));
  EXPECT_THAT(study_refusal(kTwoDesigns +
                            "[[workload]]\nname = \"x\"\ntimes = { one = \"8\", two = \"3 h\" }\n"),
              HasSubstr("'8' is no time"));
  EXPECT_THAT(study_refusal("title = \"t\"\n[[design]]\nname = \"a\"\nsystem = \"dgx-a100\"\n"
                            "set = { fabric.kind = \"fat-tree\" }\n" +
                            kAllReduce),
              HasSubstr("a key with dots is one key"));
}

TEST(StudyPlan, RefusesWhatSystemsCannotBeBeforeAnythingRuns) {
  const auto design = [](const std::string& keys) {
    return "title = \"t\"\n[[design]]\nname = \"a\"\n" + keys + kAllReduce;
  };
  EXPECT_THAT(plan_refusal(design("system = \"dgx-a101\"\n")),
              HasSubstr("s.toml:4:10: error: design 'a': unknown system 'dgx-a101'"));
  EXPECT_THAT(plan_refusal(design("system = \"v100-pcie-4x\"\ngpus = 5\n")),
              HasSubstr("s.toml:5:8: error: design 'a': "));
  EXPECT_THAT(plan_refusal(design("system = \"dgx-a100\"\nset = { \"fabric.kind\" = \"ring\" }\n")),
              HasSubstr("s.toml:5:25: error: design 'a': "));
  EXPECT_THAT(plan_refusal(design("system = \"dgx-a100\"\nnodes = 1\nplacement = \"0-8\"\n")),
              HasSubstr("s.toml:6:13: error: design 'a': placement names GPU 8"));
  EXPECT_THAT(plan_refusal(kTwoDesigns + kAllReduce + "algorithm = \"nvls\"\n"),
              HasSubstr("s.toml:9:1: error: dgx-a100: "));
  EXPECT_THAT(
      plan_refusal(kTwoDesigns + "[[workload]]\nname = \"x\"\njobs = \"all_reduce:1M@0-8\"\n"),
      HasSubstr("s.toml:11:8: error: dgx-a100: job 1 has rank 8"));
}

// An unknown key is answered with the keys of its table: schema and document know each.
TEST(StudyReading, TheSchemaHasTheReadersKeys) {
  const auto schema =
      nlohmann::json::parse(text_of(std::string(RINGSPAN_DOCS) + "/schema/study.schema.json"));
  const std::string document = text_of(std::string(RINGSPAN_DOCS) + "/studies.md");
  const auto compare = [&](const nlohmann::json& properties, const std::string& refused) {
    std::string known;
    for (const auto& item : properties.items()) {
      EXPECT_NE(document.find(item.key()), std::string::npos) << item.key();
      known += item.key() + " ";
    }
    const std::size_t at = refused.find("one of: ");
    ASSERT_NE(at, std::string::npos) << refused;
    std::istringstream keys(refused.substr(at + 8));
    for (std::string key; std::getline(keys >> std::ws, key, ',');) {
      EXPECT_NE(known.find(key + " "), std::string::npos) << key << " in " << known;
    }
  };
  compare(schema["properties"], study_refusal("zzzzzzzzzzzz = 1\n" + kTwoDesigns + kAllReduce));
  compare(schema["$defs"]["design"]["properties"],
          study_refusal(kTwoDesigns + "zzzzzzzzzzzz = 1\n" + kAllReduce));
  compare(schema["$defs"]["workload"]["properties"],
          study_refusal(kTwoDesigns + kAllReduce + "zzzzzzzzzzzz = 1\n"));
  compare(schema["$defs"]["part"]["properties"],
          study_refusal(kTwoDesigns + "[[workload]]\nname = \"m\"\n[[workload.part]]\n"
                                      "collective = \"all_reduce\"\nsize = 1\nzzzzzzzzzzzz = 1\n"));
}

TEST(StudyReading, TheDocumentsExampleIsRead) {
  const std::string document = text_of(std::string(RINGSPAN_DOCS) + "/studies.md");
  constexpr std::string_view kOpen = "```toml\n";
  std::size_t at = document.find(kOpen);
  ASSERT_NE(at, std::string::npos);
  at += kOpen.size();
  EXPECT_EQ(plan_refusal(document.substr(at, document.find("```", at) - at)), "");
}

}  // namespace
}  // namespace ringspan
