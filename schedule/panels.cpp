#include "schedule/panels.h"

#include <algorithm>
#include <optional>

#include "support/isl_box.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// A loop along a dimension of the tensor.
struct Digit {
  LoopId loop = -1;
  int dim = 0;
  std::int64_t step = 0;  ///< elements from one iteration to the next
};

/// By how many elements an index moves with loop number `at` of those around its statement: 0 when
/// not at all, nullopt when it is not always the same.
std::optional<std::int64_t> step_of(const State& state, const Access& access, int dim,
                                    std::size_t at) {
  const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
  // The whole space: a loop of one iteration has a step, too.
  const isl::map loops = values_of(state, access.statement, path).as_map();
  const isl::map index = loops.reverse().apply_range(access.index.at(dim).as_map());
  const isl::map next = isl_ext::next_along(loops.range().space(), static_cast<int>(at)).as_map();
  const isl::set steps = index.reverse().apply_range(next).apply_range(index).deltas();
  const auto low = isl_ext::try_dim_min(steps, 0);
  const auto high = isl_ext::try_dim_max(steps, 0);
  if (!low || !high || *low != *high) return std::nullopt;
  return *low;
}

/// The dimension that a loop runs along, and its step there; nullopt when there is no one for all.
std::optional<Digit> digit_of(const State& state, const std::vector<Access>& accesses,
                              LoopId loop) {
  std::optional<Digit> out;
  for (const Access& access : accesses) {
    const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
    const auto at = std::find(path.begin(), path.end(), loop);
    if (at == path.end()) return std::nullopt;
    for (int dim = 0; dim < static_cast<int>(access.index.size()); ++dim) {
      const auto step = step_of(state, access, dim, static_cast<std::size_t>(at - path.begin()));
      if (!step) return std::nullopt;
      if (*step == 0) continue;
      const Digit found{loop, dim, *step};
      if (out && (out->dim != found.dim || out->step != found.step)) return std::nullopt;
      out = found;
    }
  }
  return out;
}

std::string quoted(const State& state, LoopId loop) { return "'" + loop_name(state, loop) + "'"; }

std::string elements(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

/// The loops along `dim`, the largest step first.
std::vector<Digit> along(const std::vector<Digit>& digits, int dim) {
  std::vector<Digit> out;
  std::copy_if(digits.begin(), digits.end(), std::back_inserter(out),
               [&](const Digit& digit) { return digit.dim == dim; });
  std::stable_sort(out.begin(), out.end(),
                   [](const Digit& a, const Digit& b) { return a.step > b.step; });
  return out;
}

/// Whether every element has one index per loop.
std::optional<NoPanels> overlap(const State& state, const std::vector<Digit>& digits) {
  const std::string fix = "name loops that splits of one axis made, or leave layout out";
  const Digit& last = digits.back();
  if (last.step != 1) {
    return NoPanels{quoted(state, last.loop) + " does not run along neighbouring elements",
                    "from one iteration to the next it moves by " + elements(last.step), fix};
  }
  for (std::size_t k = 0; k + 1 < digits.size(); ++k) {
    const std::int64_t outer = digits[k].step;
    const std::int64_t inner = digits[k + 1].step;
    const std::int64_t reach = inner * state.order.loop(digits[k + 1].loop).extent();
    if (outer % inner == 0 && reach <= outer) continue;
    return NoPanels{quoted(state, digits[k].loop) + " and " + quoted(state, digits[k + 1].loop) +
                        " do not divide a dimension in panels",
                    "an iteration of " + quoted(state, digits[k].loop) + " moves by " +
                        elements(outer) + ", and " + quoted(state, digits[k + 1].loop) +
                        " covers " + elements(reach),
                    fix};
  }
  return std::nullopt;
}

/// Adds a dimension, or makes the last one longer when it goes on where that ends.
void append(std::vector<PanelDim>& out, const PanelDim& next) {
  const BufferDim& more = next.dim;
  const bool continues = !out.empty() && out.back().dim.dim == more.dim && more.wrap != 0 &&
                         out.back().dim.step == more.step * more.wrap;
  if (!continues) {
    out.push_back(next);
    return;
  }
  BufferDim& last = out.back().dim;
  out.back().loop = -1;
  last.step = more.step;
  if (last.wrap != 0) last.wrap *= more.wrap;
}

}  // namespace

isl::pw_aff index_along(const BufferDim& dim, const isl::pw_aff& place) {
  isl::pw_aff out = place;
  if (dim.step != 1) out = out.scale_down(isl::val(out.ctx(), dim.step)).floor();
  if (dim.wrap != 0) out = out.mod(isl::val(out.ctx(), dim.wrap));
  return out;
}

std::int64_t extent_along(const BufferDim& dim, std::int64_t count) {
  return dim.wrap != 0 ? dim.wrap : (count + dim.step - 1) / dim.step;
}

std::int64_t stride_along(const Buffer& buffer, int dim) {
  std::int64_t out = 0;
  for (const BufferDim& own : buffer.dims) {
    if (own.dim == dim) out = out == 0 ? own.step : std::min(out, own.step);
  }
  return std::max<std::int64_t>(1, out);
}

bool has_panels(const Buffer& buffer) {
  return std::any_of(buffer.dims.begin(), buffer.dims.end(),
                     [](const BufferDim& dim) { return dim.wrap != 0; });
}

std::variant<std::vector<PanelDim>, NoPanels> panels_of(const State& state,
                                                        const std::vector<Access>& accesses,
                                                        const std::vector<LoopId>& order) {
  std::vector<Digit> digits;
  for (const LoopId loop : order) {
    const auto digit = digit_of(state, accesses, loop);
    if (!digit) {
      return NoPanels{quoted(state, loop) + " does not run along one dimension",
                      "its iterations do not all move one index, by one number of elements",
                      "name loops that splits of one axis made, or leave layout out"};
    }
    digits.push_back(*digit);
  }
  std::vector<PanelDim> out;
  for (const Digit& digit : digits) {
    const std::vector<Digit> own = along(digits, digit.dim);
    if (own.size() == 1) {  // whatever its step: the box has all elements between
      out.push_back({{digit.dim}, digit.loop});
      continue;
    }
    if (auto no = overlap(state, own)) return *std::move(no);
    const auto at = std::find_if(own.begin(), own.end(),
                                 [&](const Digit& one) { return one.loop == digit.loop; });
    const std::int64_t wrap = at == own.begin() ? 0 : std::prev(at)->step / digit.step;
    append(out, {{digit.dim, digit.step, wrap}, digit.loop});
  }
  return out;
}

bool asks_for_panels(const std::vector<std::set<LoopId>>& loops_of_dim,
                     const std::vector<LoopId>& order) {
  std::vector<std::size_t> dims;
  for (const LoopId loop : order) {
    std::vector<std::size_t> own;
    for (std::size_t dim = 0; dim < loops_of_dim.size(); ++dim) {
      if (loops_of_dim[dim].count(loop) != 0) own.push_back(dim);
    }
    if (own.empty()) continue;  // it runs once
    if (own.size() > 1) return false;
    if (!dims.empty() && dims.back() == own[0]) continue;
    if (std::count(dims.begin(), dims.end(), own[0]) != 0) return true;
    dims.push_back(own[0]);
  }
  return false;
}

}  // namespace solway::schedule
