#include "app/scenario/job_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace ringspan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    parse_jobs(text, std::nullopt);
  } catch (const InputError& error) {
    return format_problem(error.problems().front());
  }
  return "accepted";
}

std::string file_refusal(const std::string& text) {
  try {
    parse_job_file(text, "jobs.toml", std::nullopt);
  } catch (const InputError& error) {
    return format_problem(error.problems().front());
  }
  return "accepted";
}

TEST(JobSpec, ReadsTheOptionsText) {
  const auto jobs = parse_jobs("all_reduce@0-3, alltoall:64M@8-15/4+20", std::nullopt);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].name, "1");
  EXPECT_EQ(jobs[0].collective, CollectiveKind::AllReduce);
  EXPECT_THAT(jobs[0].ranks, ElementsAre(0, 1, 2, 3));
  EXPECT_FALSE(jobs[0].size.has_value());
  EXPECT_EQ(jobs[1].collective, CollectiveKind::AllToAll);
  EXPECT_EQ(jobs[1].size->count, std::int64_t{64} << 20);
  EXPECT_THAT(jobs[1].ranks, ElementsAre(8, 12, 20));
}

TEST(JobSpec, TheCommandsCollectiveIsThatOfJobsThatNameNone) {
  const auto jobs = parse_jobs("@0-1,broadcast@2-3", CollectiveKind::AllGather);
  EXPECT_EQ(jobs[0].collective, CollectiveKind::AllGather);
  EXPECT_EQ(jobs[1].collective, CollectiveKind::Broadcast);
}

TEST(JobSpec, RefusesWhatIsNoJob) {
  EXPECT_THAT(refusal("all_reduce@0-7,all_gather"),
              HasSubstr("job 2, 'all_gather': it has no '@'"));
  EXPECT_THAT(refusal("all_reduce@0,1,2"), HasSubstr("joined by +"));
  EXPECT_THAT(refusal("all_gater@0-7"), HasSubstr("all_gather"));
  EXPECT_THAT(refusal("@0-7"), HasSubstr("names no collective"));
  EXPECT_THAT(refusal("all_reduce@"), HasSubstr("no rank"));
  EXPECT_THAT(refusal("all_reduce@7-0"), HasSubstr("runs backwards"));
  EXPECT_THAT(refusal("all_reduce@0-7/0"), HasSubstr("step 0"));
  EXPECT_THAT(refusal("all_reduce@-3"), HasSubstr("no rank"));
  EXPECT_THAT(refusal("all_reduce@0-3+2"), HasSubstr("rank 2 stands twice"));
  EXPECT_THAT(refusal("all_reduce@0-99999999999"), HasSubstr("beyond any rank"));
  EXPECT_THAT(refusal("all_reduce@0-1000000000"), HasSubstr("beyond any rank"));
  EXPECT_THAT(refusal("all_reduce:64X@0-7"), HasSubstr("64X"));
}

TEST(JobSpec, ReadsAFile) {
  const auto jobs = parse_job_file(
      "[[job]]\n"
      "name = \"gradients\"\ncollective = \"all_reduce\"\nranks = \"0-7\"\nsize = \"64MiB\"\n"
      "start = \"10 us\"\nalgorithm = \"ring\"\nprotocol = \"ll128\"\nchannels = 4\n"
      "[[job]]\ncollective = \"broadcast\"\nranks = \"8-15\"\nroot = 3\n"
      "after = [\"gradients\"]\ndelay = \"5 us\"\n",
      "jobs.toml", std::nullopt);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].name, "gradients");
  EXPECT_EQ(jobs[0].start, microseconds(10));
  EXPECT_EQ(*jobs[0].algorithm, "ring");
  EXPECT_EQ(*jobs[0].protocol, Protocol::LL128);
  EXPECT_EQ(*jobs[0].channels, 4);
  EXPECT_EQ(jobs[1].name, "2");
  EXPECT_EQ(jobs[1].root, 3);
  EXPECT_THAT(jobs[1].after, ElementsAre(0U));
  EXPECT_EQ(jobs[1].delay, microseconds(5));
}

TEST(JobSpec, RefusesFilesWithTheirPlaces) {
  const std::string job = "[[job]]\ncollective = \"all_reduce\"\nranks = \"0-7\"\n";
  EXPECT_THAT(file_refusal("x = 1\n"), HasSubstr("no [[job]]"));
  EXPECT_THAT(file_refusal(job + "size = \"64\"\nstart = 10\n"), HasSubstr("jobs.toml:5:"));
  EXPECT_EQ(file_refusal(job + "siez = \"1M\"\n"),
            "jobs.toml:4:1: error: unknown key 'siez' in [[job]]\nhint: did you mean 'size'?");
  EXPECT_EQ(
      file_refusal(job + "colour = 1\n"),
      "jobs.toml:4:1: error: unknown key 'colour' in [[job]]\n"
      "hint: one of: name, collective, ranks, size, start, delay, after, algorithm, protocol, "
      "channels, root");
  // One byte more than 2^62, and 7,000,000 TiB.
  EXPECT_EQ(file_refusal(job + "size = 4611686018427387905\n"),
            "jobs.toml:4:8: error: 4611686018427387905 bytes are too many\n"
            "hint: the largest size is 2^62 bytes (4194304T)");
  EXPECT_EQ(refusal("all_reduce:7000000T@0-7"),
            "error: --concurrent: job 1, 'all_reduce:7000000T@0-7': 7696581394432000000 bytes are "
            "too many\nhint: the largest size is 2^62 bytes (4194304T)");
  EXPECT_THAT(file_refusal(job + "stat = \"1 us\"\n"), HasSubstr("jobs.toml:4:"));
  EXPECT_THAT(file_refusal(job + "after = [\"b\"]\n"), HasSubstr("there is no job 'b'"));
  EXPECT_THAT(file_refusal(job + "after = []\n"), HasSubstr("names no job"));
  EXPECT_THAT(file_refusal(job + "delay = \"1 us\"\n"), HasSubstr("`after`"));
  EXPECT_THAT(file_refusal(job + "root = 8\n"), HasSubstr("jobs.toml:4:"));
  EXPECT_THAT(file_refusal(job + "start = \"2 h\"\n"), HasSubstr("jobs.toml:4:"));
  EXPECT_THAT(file_refusal(job + "name = \"a\\nb\"\n"), HasSubstr("control character"));
  EXPECT_THAT(file_refusal(job + "name = \"2\"\n" + job), HasSubstr("both named '2'"));
  EXPECT_THAT(file_refusal("[[job]]\ncollective = \"all_reduce\"\nranks = \"0-\"\n"),
              HasSubstr("jobs.toml:3:"));
  EXPECT_THAT(file_refusal("[[job]]\nranks = \"0-7\"\n"), HasSubstr("collective"));
}

TEST(JobSpec, TheDocumentsExampleIsRead) {
  std::ifstream file(std::string(RINGSPAN_DOCS) + "/jobs.md", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t begin = text.find("```toml\n");
  ASSERT_NE(begin, std::string::npos);
  const auto jobs = parse_job_file(
      text.substr(begin + 8, text.find("```\n", begin + 8) - begin - 8), "jobs.md", std::nullopt);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_THAT(jobs[1].after, ElementsAre(0U));
}

// An unknown key is answered with the keys of its table: the schema and the document know each.
TEST(JobSpec, TheSchemaHasTheReadersKeys) {
  const auto text_of = [](const std::string& name) {
    std::ifstream file(std::string(RINGSPAN_DOCS) + name, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  };
  const auto schema = nlohmann::json::parse(text_of("/schema/jobs.schema.json"));
  const std::string text = text_of("/jobs.md");
  std::string known;
  for (const auto& item : schema["$defs"]["job"]["properties"].items()) {
    EXPECT_NE(text.find("`" + item.key() + "`"), std::string::npos) << item.key();
    known += item.key() + " ";
  }
  const std::string refused =
      file_refusal("[[job]]\ncollective = \"all_reduce\"\nranks = \"0-7\"\nzzzzzzzzzzzz = 1\n");
  const std::size_t at = refused.find("one of: ");
  ASSERT_NE(at, std::string::npos) << refused;
  std::istringstream keys(refused.substr(at + 8));
  for (std::string key; std::getline(keys >> std::ws, key, ',');) {
    EXPECT_NE(known.find(key + " "), std::string::npos) << key;
  }
}

// c waits for a, which waits for b, which waits for a: c is not in the circle.
TEST(JobSpec, NamesAJobOfTheCircle) {
  const auto job = [](const std::string& name, const std::string& after) {
    return "[[job]]\nname = \"" + name +
           "\"\ncollective = \"all_reduce\"\nranks = \"0-7\"\nafter = [\"" + after + "\"]\n";
  };
  const std::string text = file_refusal(job("c", "a") + job("a", "b") + job("b", "a"));
  EXPECT_THAT(text, HasSubstr("waits for itself"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("'c'")));
}

}  // namespace
}  // namespace ringspan
