#include "validation/calibration/profile_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/stop_check.h"
#include "validation/calibration/robust_fit.h"

namespace ringspan {

namespace {

// A constant is determined if the cost of the rows rises by more than this part when the constant
// is this factor larger or smaller.
constexpr double kMoved = 1.3;
constexpr double kLeastRise = 0.003;
// A row depends on a constant if that moves its time by more than this.
constexpr double kLeastEffect = 1e-4;
constexpr RobustFitOptions kOptions;

double logarithm(const Parameter& parameter, const Profile& profile) {
  return std::log(std::clamp(parameter.value(profile), parameter.low, parameter.high));
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

// What moving a constant does.
struct ProfileFit::Influence {
  bool any = false;         // some row's time changes
  bool determined = false;  // the cost does
};

std::vector<double> ProfileFit::residuals(std::span<const std::size_t> rows,
                                          const Profile& profile) const {
  std::vector<std::vector<double>> answer =
      predictor_.residuals(rows, std::span(&profile, 1), go_on_);
  if (answer.empty()) throw Stopped();
  return std::move(answer.front());
}

std::vector<ProfileFit::Influence> ProfileFit::influences(
    const WeighedRows& rows, const Profile& at, const std::vector<std::size_t>& open) const {
  std::vector<Profile> moved = {at};
  for (const std::size_t p : open) {
    const Parameter& parameter = parameters_[p];
    for (const double factor : {kMoved, 1 / kMoved}) {
      moved.push_back(at);
      const double value = parameter.value(at) * factor;
      parameter.set(moved.back(), std::clamp(value, parameter.low, parameter.high));
    }
  }
  const auto answers = predictor_.residuals(rows.rows, moved, go_on_);
  if (answers.empty()) throw Stopped();
  const RobustCost cost({}, rows.weights, kOptions.loss_scale, kOptions.prior_width);
  const double here = cost.of_rows(answers.front());
  std::vector<Influence> influences(open.size());
  for (std::size_t i = 0; i + 1 < answers.size(); ++i) {
    const std::vector<double>& answer = answers[i + 1];
    Influence& influence = influences[i / 2];
    for (std::size_t row = 0; row < answer.size(); ++row) {
      influence.any = influence.any || std::abs(answer[row] - answers.front()[row]) > kLeastEffect;
    }
    const double change = std::abs(cost.of_rows(answer) - here);
    influence.determined = influence.determined || change > kLeastRise * here;
  }
  return influences;
}

ProfileFitResult ProfileFit::fit(const WeighedRows& rows, const Profile& start,
                                 const std::vector<std::size_t>& open) const {
  const auto profile_at = [&](const FitPoint& x) {
    Profile profile = start;
    for (std::size_t i = 0; i < open.size(); ++i) {
      parameters_[open[i]].set(profile, std::exp(x[i]));
    }
    return profile;
  };
  std::vector<FitVariable> variables;
  for (const std::size_t p : open) {
    const Parameter& parameter = parameters_[p];
    variables.push_back({logarithm(parameter, start), logarithm(parameter, base_),
                         std::log(parameter.low), std::log(parameter.high)});
  }
  const Residuals answer = [&](std::span<const FitPoint> points) {
    std::vector<Profile> profiles;
    for (const FitPoint& x : points) profiles.push_back(profile_at(x));
    return predictor_.residuals(rows.rows, profiles, go_on_);
  };
  RobustFit fit = fit_robustly(variables, rows.weights, answer, kOptions);
  if (fit.interrupted) throw Stopped();
  ProfileFitResult result{profile_at(fit.x), {}, {}, std::move(fit.residuals)};
  for (std::size_t i = 0; i < open.size(); ++i) {
    result.fitted.push_back({open[i], std::exp(fit.x[i]), fit.standard_errors[i]});
  }
  return result;
}

ProfileFitResult ProfileFit::fit_what_is_determined(const WeighedRows& rows, const Profile& start,
                                                    std::vector<std::size_t> open) const {
  std::vector<std::size_t> undetermined;
  const auto keep_if = [&](const Profile& at, bool Influence::*kept, bool told) {
    const std::vector<Influence> influence = influences(rows, at, open);
    std::vector<std::size_t> still_open;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (influence[i].*kept) {
        still_open.push_back(open[i]);
      } else if (told) {
        undetermined.push_back(open[i]);
      }
    }
    const bool all = still_open.size() == open.size();
    open = std::move(still_open);
    return all;
  };
  keep_if(start, &Influence::any, false);
  ProfileFitResult result = fit(rows, start, open);
  while (!keep_if(result.profile, &Influence::determined, true)) {
    // Those that are out go back to where they were.
    Profile again = start;
    for (const std::size_t p : open) {
      parameters_[p].set(again, parameters_[p].value(result.profile));
    }
    result = fit(rows, again, open);
  }
  std::sort(undetermined.begin(), undetermined.end());
  result.undetermined = std::move(undetermined);
  return result;
}

}  // namespace ringspan
