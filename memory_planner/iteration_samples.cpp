#include "memory_planner/iteration_samples.h"

#include <cmath>
#include <cstddef>

#include "dsl/affine.h"
#include "support/isl_ext.h"
#include "support/isl_points.h"

namespace solway::memory_planner {
namespace {

constexpr std::int64_t kMost = 4096;

using Axes = std::vector<dsl::Axis>;

/// All iterations of a box, the last loop fastest.
Iterations all_iterations(const Axes& axes) {
  Iterations out{{}};
  for (const dsl::Axis& axis : axes) {
    Iterations longer;
    for (const std::vector<std::int64_t>& begun : out) {
      for (std::int64_t value = axis->begin; value < axis->end; ++value) {
        longer.push_back(begun);
        longer.back().push_back(value);
      }
    }
    out = std::move(longer);
  }
  return out;
}

/// The solution x > 1 of x^(count + 1) = x + 1.
double ratio_of(std::size_t count) {
  double x = 2;
  for (int k = 0; k < 40; ++k) x = std::pow(1 + x, 1.0 / static_cast<double>(count + 1));
  return x;
}

Iterations even_iterations(const Axes& axes) {
  const double ratio = ratio_of(axes.size());
  Iterations out;
  for (std::int64_t n = 1; n <= kMost; ++n) {
    std::vector<std::int64_t>& point = out.emplace_back();
    double step = 1;
    for (const dsl::Axis& axis : axes) {
      step /= ratio;
      const double place = 0.5 + static_cast<double>(n) * step;
      const double part = (place - std::floor(place)) * static_cast<double>(axis->extent());
      point.push_back(axis->begin + static_cast<std::int64_t>(part));
    }
  }
  return out;
}

Iterations iterations_of(const Axes& axes) {
  std::int64_t count = 1;
  for (const dsl::Axis& axis : axes) {
    if (axis->extent() == 0) return {};
    count = count > kMost ? count : count * axis->extent();
  }
  return count <= kMost ? all_iterations(axes) : even_iterations(axes);
}

double share(const Iterations& part, const Iterations& whole) {
  return whole.empty() ? 0 : static_cast<double>(part.size()) / static_cast<double>(whole.size());
}

/// How much of the box of the spatial loops has terms of a reduction.
double share_entered(const schedule::Statement& statement) {
  isl::set domain = statement.domain;
  Axes spatial = statement.axes;
  for (std::size_t k = spatial.size(); k-- > 0;) {
    if (spatial[k]->kind != dsl::AxisKind::Reduce) continue;
    spatial.erase(spatial.begin() + static_cast<std::ptrdiff_t>(k));
    domain = isl_ext::project_out(domain, static_cast<int>(k), 1);
  }
  const Iterations box = iterations_of(spatial);
  return share(isl_ext::points_in(domain, box), box);
}

}  // namespace

IterationSamples sample_iterations(const schedule::Statement& statement) {
  IterationSamples out;
  const Iterations box = iterations_of(statement.axes);
  out.inside = isl_ext::points_in(statement.domain, box);
  out.filled = share(out.inside, box);
  out.entered =
      statement.kind == schedule::StatementKind::Update ? share_entered(statement) : out.filled;
  return out;
}

std::optional<Iterations> iterations_where(const schedule::Statement& statement,
                                           const dsl::Expr& condition, const Iterations& all) {
  const dsl::AffineScope scope{statement.name, statement.axes};
  const auto there = dsl::try_condition(statement.domain.ctx(), condition, scope);
  if (!there) return std::nullopt;
  return isl_ext::points_in(*there, all);
}

}  // namespace solway::memory_planner
