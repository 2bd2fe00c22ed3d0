#include "validation/replay/replay_output.h"

#include <fmt/format.h>

#include "app/cli/output.h"
#include "sim/base/input_error.h"
#include "validation/replay/replay_writers.h"

namespace ringspan {

namespace {

constexpr int kDone = 0;
constexpr int kUser = 2;
constexpr int kWrong = 3;
constexpr int kInterrupted = 130;

std::string text_of(const ReplayReport& report, ReplayFormat format) {
  switch (format) {
    case ReplayFormat::Csv:
      return replay_csv(report);
    case ReplayFormat::Json:
      return replay_json(report);
    case ReplayFormat::Table:
      break;
  }
  return replay_table(report);
}

}  // namespace

int write_replay_results(const ReplayRequest& request, const ReplayReport& report) {
  const std::string text = text_of(report, request.format);
  try {
    Output(request.output).write(text);
    return kDone;
  } catch (const InputError& error) {
    write_message(error.what());
    if (request.output.empty()) return kUser;
    write_message("note: the results follow on standard output");
    Output("").write(text);
    return kUser;
  }
}

void drop_unmeasured_rows(ReplayReport& report) {
  std::erase_if(report.rows,
                [](const ReplayRow& row) { return row.out_of_place.repeats_us.empty(); });
  for (ReplayRow& row : report.rows) {
    if (row.in_place && row.in_place->repeats_us.empty()) row.in_place.reset();
  }
}

int finish_replay(const ReplayRequest& request, const ReplayReport& report,
                  const std::string& failure) {
  if (!failure.empty()) write_message(failure);
  if (!report.ended_early.empty() && failure.empty()) {
    write_message("note: ended early: " + report.ended_early);
  }
  const int written = write_replay_results(request, report);
  if (written != kDone || !failure.empty()) return kUser;
  if (report.wrong() > 0) {
    write_message(fmt::format("error: {} elements are wrong", report.wrong()));
    return kWrong;
  }
  return report.ended_early == "interrupted" ? kInterrupted : kDone;
}

}  // namespace ringspan
