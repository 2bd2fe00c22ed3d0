#include "validation/calibration/profile_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/stop_check.h"
#include "validation/calibration/constant_choice.h"

namespace ringspan {

namespace {

// A constant is determined if the cost of the rows rises by more than this part when the constant
// is this factor larger or smaller.
constexpr double kMoved = 1.3;
constexpr double kLeastRise = 0.003;

// Of the prior around a base that is fitted itself: machines of a kind differ by less than starting
// values are off. Measured: docs/calibrate.md.
constexpr double kWidthAroundFit = 0.4;

double logarithm(const Parameter& parameter, const Profile& profile) {
  return std::log(std::clamp(parameter.value(profile), parameter.low, parameter.high));
}

// Where a row stands among ascending rows that have it.
std::size_t place_of(std::size_t row, std::span<const std::size_t> rows) {
  return static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
}

// Of those of `some` that are among them.
std::vector<std::size_t> places_of(const std::vector<std::size_t>& some,
                                   const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> places;
  for (const std::size_t row : some) {
    const std::size_t place = place_of(row, rows);
    if (place < rows.size() && rows[place] == row) places.push_back(place);
  }
  return places;
}

}  // namespace

WeighedRows weigh_by_case(std::span<const MeasuredRow> all, std::vector<std::size_t> rows) {
  std::map<std::string_view, int> sizes;
  for (const std::size_t row : rows) ++sizes[all[row].case_name];
  WeighedRows weighed{std::move(rows), {}};
  for (const std::size_t row : weighed.rows) {
    weighed.weights.push_back(1 / std::sqrt(static_cast<double>(sizes[all[row].case_name])));
  }
  return weighed;
}

ProfileFit::ProfileFit(const RowPredictor& predictor, std::span<const Parameter> parameters,
                       const Profile& base, GoOn go_on)
    : predictor_(predictor), parameters_(parameters), base_(base), go_on_(std::move(go_on)) {
  if (base.fit) options_.prior_width = kWidthAroundFit;
}

std::vector<double> ProfileFit::residuals(const std::vector<std::size_t>& rows,
                                          const Profile& profile) const {
  const PredictorQuestion question{profile, rows};
  std::vector<std::vector<double>> answer = predictor_.residuals(std::span(&question, 1), go_on_);
  if (answer.empty()) throw Stopped();
  return std::move(answer.front());
}

std::vector<bool> ProfileFit::determined(const WeighedRows& rows,
                                         const ProfileFitResult& fit) const {
  const RobustCost cost({}, rows.weights, options_.loss_scale, options_.prior_width);
  const double here = cost.of_rows(fit.residuals);
  std::vector<bool> determined(fit.fitted.size());
  for (const double factor : {kMoved, 1 / kMoved}) {
    std::vector<PredictorQuestion> moved;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < determined.size(); ++i) {
      if (determined[i]) continue;
      asked.push_back(i);
      const FittedParameter& one = fit.fitted[i];
      const Parameter& parameter = parameters_[one.open.parameter];
      moved.push_back({fit.profile, one.open.moves});
      parameter.set(moved.back().profile,
                    std::clamp(one.value * factor, parameter.low, parameter.high));
    }
    const auto answers = predictor_.residuals(moved, go_on_);
    if (answers.size() < moved.size()) throw Stopped();
    for (std::size_t k = 0; k < asked.size(); ++k) {
      std::vector<double> there = fit.residuals;
      for (std::size_t row = 0; row < answers[k].size(); ++row) {
        there[place_of(moved[k].rows[row], rows.rows)] = answers[k][row];
      }
      determined[asked[k]] = std::abs(cost.of_rows(there) - here) > kLeastRise * here;
    }
  }
  return determined;
}

std::vector<bool> ProfileFit::which_stay(const WeighedRows& rows, const ProfileFitResult& fit,
                                         std::size_t most) const {
  std::vector<bool> stay = determined(rows, fit);
  if (static_cast<std::size_t>(std::count(stay.begin(), stay.end(), true)) <= most) return stay;
  Derivatives derivatives = fit.derivatives;
  for (std::size_t i = 0; i < stay.size(); ++i) {
    if (!stay[i]) std::fill(derivatives[i].begin(), derivatives[i].end(), 0);
  }
  return best_determined(derivatives, rows.weights, most);
}

ProfileFitResult ProfileFit::fit(const WeighedRows& rows, const Profile& start,
                                 const std::vector<OpenParameter>& open,
                                 const RobustFitOptions& options, Derivatives known) const {
  const auto profile_at = [&](const FitPoint& x) {
    Profile profile = start;
    for (std::size_t i = 0; i < open.size(); ++i) {
      parameters_[open[i].parameter].set(profile, std::exp(x[i]));
    }
    return profile;
  };
  std::vector<FitVariable> variables;
  std::vector<std::vector<std::size_t>> moves;  // places in `rows`
  for (const OpenParameter& one : open) {
    const Parameter& parameter = parameters_[one.parameter];
    variables.push_back({logarithm(parameter, start), logarithm(parameter, base_),
                         std::log(parameter.low), std::log(parameter.high)});
    moves.push_back(places_of(one.moves, rows.rows));
  }
  const Residuals answer = [&](std::span<const FitQuestion> asked) {
    std::vector<PredictorQuestion> questions;
    for (const FitQuestion& one : asked) {
      questions.push_back({profile_at(one.x), {}});
      for (const std::size_t place : one.rows) questions.back().rows.push_back(rows.rows[place]);
    }
    return predictor_.residuals(questions, go_on_);
  };
  RobustFit fit = fit_robustly(variables, rows.weights, moves, answer, options, std::move(known));
  if (fit.interrupted) throw Stopped();
  ProfileFitResult result{
      profile_at(fit.x), {}, {}, std::move(fit.residuals), std::move(fit.derivatives)};
  for (std::size_t i = 0; i < open.size(); ++i) {
    result.fitted.push_back({open[i], std::exp(fit.x[i]), fit.standard_errors[i]});
  }
  return result;
}

ProfileFitResult ProfileFit::fit_what_is_determined(const WeighedRows& rows, const Profile& start,
                                                    const std::vector<std::size_t>& parameters,
                                                    std::size_t most) const {
  std::vector<OpenParameter> open =
      find_moves(predictor_, parameters_, parameters, rows.rows, start, go_on_);
  std::vector<std::size_t> undetermined;
  Profile from = start;
  Derivatives known;
  while (true) {
    ProfileFitResult result = fit(rows, from, open, options_, std::move(known));
    const std::vector<bool> stays = which_stay(rows, result, most);
    // Those that are out go back to where they were, and the others start where they are.
    std::vector<OpenParameter> kept;
    known.clear();
    from = start;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (!stays[i]) {
        undetermined.push_back(open[i].parameter);
        continue;
      }
      kept.push_back(std::move(open[i]));
      known.push_back(result.derivatives[i]);
      parameters_[kept.back().parameter].set(from, result.fitted[i].value);
    }
    if (kept.size() == result.fitted.size()) {
      std::sort(undetermined.begin(), undetermined.end());
      result.undetermined = std::move(undetermined);
      return result;
    }
    open = std::move(kept);
  }
}

Profile ProfileFit::fit_part(const ProfileFitResult& fit, std::span<const std::size_t> all,
                             const WeighedRows& part, const Profile& start) const {
  std::vector<OpenParameter> open;
  Derivatives known;
  for (std::size_t i = 0; i < fit.fitted.size(); ++i) {
    open.push_back(fit.fitted[i].open);
    known.emplace_back();
    for (const std::size_t row : part.rows) {
      known.back().push_back(fit.derivatives[i][place_of(row, all)]);
    }
  }
  RobustFitOptions options = options_;
  options.fresh_derivatives = false;
  return this->fit(part, start, open, options, std::move(known)).profile;
}

}  // namespace ringspan
