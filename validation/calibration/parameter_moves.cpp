#include "validation/calibration/parameter_moves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/stop_check.h"

namespace ringspan {

namespace {

constexpr double kLeastEffect = 1e-4;
constexpr std::array<double, 2> kFactors = {4, 0.25};

// Constants that stand next to one another, and the rows that may depend on some of them.
struct Suspects {
  std::span<const std::size_t> parameters;
  std::vector<std::size_t> rows;
};

class MoveSearch {
 public:
  MoveSearch(const RowPredictor& predictor, std::span<const Parameter> parameters,
             const std::vector<std::size_t>& rows, const Profile& at, const GoOn& go_on)
      : predictor_(predictor), parameters_(parameters), at_(at), go_on_(go_on) {
    const PredictorQuestion here{at, rows};
    here_.resize(predictor.row_count());
    const auto answer = ask(std::span(&here, 1));
    for (std::size_t i = 0; i < rows.size(); ++i) here_[rows[i]] = answer.front()[i];
  }

  // Moves all together; where rows change, each half of them, and so on: most rows depend on few
  // constants, and those that no row depends on stand together.
  std::vector<OpenParameter> run(std::span<const std::size_t> wanted,
                                 const std::vector<std::size_t>& rows) const {
    std::vector<OpenParameter> found;
    std::vector<Suspects> suspects;
    if (!wanted.empty()) suspects.push_back({wanted, rows});
    while (!suspects.empty()) {
      narrow(suspects);
      std::vector<Suspects> halves;
      for (Suspects& some : suspects) {
        if (some.rows.empty()) continue;
        const std::size_t count = some.parameters.size();
        if (count == 1) {
          found.push_back({some.parameters.front(), std::move(some.rows)});
          continue;
        }
        halves.push_back({some.parameters.first(count / 2), some.rows});
        halves.push_back({some.parameters.subspan(count / 2), std::move(some.rows)});
      }
      suspects = std::move(halves);
    }
    std::sort(found.begin(), found.end(), [](const OpenParameter& a, const OpenParameter& b) {
      return a.parameter < b.parameter;
    });
    return found;
  }

 private:
  std::vector<std::vector<double>> ask(std::span<const PredictorQuestion> questions) const {
    auto answers = predictor_.residuals(questions, go_on_);
    if (answers.size() < questions.size()) throw Stopped();
    return answers;
  }

  Profile moved(std::span<const std::size_t> parameters, double factor) const {
    Profile profile = at_;
    for (const std::size_t p : parameters) {
      const Parameter& parameter = parameters_[p];
      parameter.set(profile,
                    std::clamp(parameter.value(at_) * factor, parameter.low, parameter.high));
    }
    return profile;
  }

  // Leaves the rows that change with one of the factors; those that do with the first are not asked
  // for again.
  void narrow(std::vector<Suspects>& suspects) const {
    std::vector<std::vector<std::size_t>> changed(suspects.size());
    for (const double factor : kFactors) {
      std::vector<PredictorQuestion> questions;
      for (std::size_t i = 0; i < suspects.size(); ++i) {
        questions.push_back({moved(suspects[i].parameters, factor), {}});
        std::set_difference(suspects[i].rows.begin(), suspects[i].rows.end(), changed[i].begin(),
                            changed[i].end(), std::back_inserter(questions.back().rows));
      }
      const auto answers = ask(questions);
      for (std::size_t i = 0; i < suspects.size(); ++i) {
        for (std::size_t k = 0; k < answers[i].size(); ++k) {
          const std::size_t row = questions[i].rows[k];
          if (std::abs(answers[i][k] - here_[row]) > kLeastEffect) changed[i].push_back(row);
        }
        std::sort(changed[i].begin(), changed[i].end());
      }
    }
    for (std::size_t i = 0; i < suspects.size(); ++i) suspects[i].rows = std::move(changed[i]);
  }

  const RowPredictor& predictor_;
  std::span<const Parameter> parameters_;
  const Profile& at_;
  const GoOn& go_on_;
  std::vector<double> here_;  // by row
};

}  // namespace

std::vector<OpenParameter> find_moves(const RowPredictor& predictor,
                                      std::span<const Parameter> parameters,
                                      std::span<const std::size_t> wanted,
                                      const std::vector<std::size_t>& rows, const Profile& at,
                                      const GoOn& go_on) {
  return MoveSearch(predictor, parameters, rows, at, go_on).run(wanted, rows);
}

}  // namespace ringspan
