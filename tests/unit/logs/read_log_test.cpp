#include "validation/logs/read_log.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace ringspan {
namespace {

std::string first_problem(const LogContents& contents) {
  return contents.problems.empty() ? "none" : format_problem(contents.problems.front());
}

TEST(ReadLog, TheFormatIsFoundByWhatIsInTheText) {
  const Registry<LogFormat> formats = builtin_log_formats();
  const auto recognised = [&](std::string_view text) {
    std::string names;
    for (const auto& entry : formats.entries()) {
      if (entry.factory.recognises(text)) names += entry.name + " ";
    }
    return names;
  };
  EXPECT_EQ(recognised("\n# t\nbytes,time_us\n"), "measured-table ");
  EXPECT_EQ(recognised(" \n{\"a\": 1}"), "nccl-tests-json ");
  EXPECT_EQ(recognised("hello\n# nThread 1 nGpus 8\n"), "nccl-tests ");
  EXPECT_EQ(recognised("# size count type time algbw busbw\n"), "nccl-tests ");
  EXPECT_EQ(recognised("hello, world\n"), "");
}

TEST(ReadLog, AnEmptyFileAndOneOfNoKnownFormatAreProblems) {
  EXPECT_EQ(first_problem(read_log(" \n\n", "e.csv", {})),
            "e.csv: error: the file is empty\nhint: give a file with rows");
  EXPECT_EQ(first_problem(read_log("hello\n", "h.txt", {})),
            "h.txt:1: error: the file is of no known format\n"
            "hint: known are a CSV with the columns system, gpus, collective, bytes, time_us; what "
            "nccl-tests writes with -J; what nccl-tests prints, also among other lines");
}

TEST(ReadLog, Utf16IsNamed) {
  EXPECT_EQ(first_problem(read_log(std::string_view("\xFF\xFEs\0", 4), "u.csv", {})),
            "u.csv:1: error: the file is UTF-16\nhint: save it as UTF-8");
}

class Files : public ::testing::Test {
 protected:
  Files() : folder_(std::filesystem::temp_directory_path() / unique_name()) {
    std::filesystem::create_directories(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }

  static std::string unique_name() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    return std::string("ringspan_") + info->name() + "_" +
           std::to_string(::testing::UnitTest::GetInstance()->random_seed());
  }
  std::string write(const std::string& name, const std::string& text) {
    std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Files, RowsThatDifferInTheirTimeOnlyAreDuplicates) {
  const std::string head = "system,gpus,collective,bytes,time_us,case\n";
  const std::string a = write("a.csv", head + "s,8,all_reduce,8,9,x\ns,8,all_reduce,16,9,x\n");
  const std::string b = write("b.csv", head + "s,8,all_reduce,8,9,y\ns,08,all_reduce,16,10,x\n");
  const std::array files = {a, b};
  const LogContents contents = read_logs(files, {});
  EXPECT_EQ(contents.rows.size(), 3u);
  EXPECT_EQ(contents.refused, 1u);
  ASSERT_EQ(contents.problems.size(), 1u);
  EXPECT_EQ(first_problem(contents), b + ":3:1: error: row 2 repeats " + a +
                                         ":3 in every column but time_us\nhint: keep one of them, "
                                         "or give the second series a `case` of its own");
}

TEST_F(Files, AFileThatIsNotThereIsAProblemAndTheOthersStand) {
  const std::string a =
      write("a.csv", "system,gpus,collective,bytes,time_us\ns,8,all_reduce,8,9\n");
  const std::array<std::string, 2> files = {"/nowhere/x.csv", a};
  const LogContents contents = read_logs(files, {});
  EXPECT_EQ(contents.rows.size(), 1u);
  EXPECT_EQ(first_problem(contents).substr(0, 37), "/nowhere/x.csv: error: no such file\nh");
}

}  // namespace
}  // namespace ringspan
