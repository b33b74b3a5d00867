#include "schedule/whole_units.h"

#include <numeric>

namespace solway::schedule {
namespace {

std::int64_t down(std::int64_t elems, std::int64_t unit) { return elems / unit * unit; }
std::int64_t up(std::int64_t elems, std::int64_t unit) { return down(elems + unit - 1, unit); }

/// Calls `what` with each place within a unit at which a row can begin.
template <typename What>
void for_each_lead(const UnitLeads& leads, std::int64_t unit, const What& what) {
  const std::int64_t step = std::gcd(leads.step, unit);  // 0 and unit: one place
  for (std::int64_t at = leads.first % step; at < unit; at += step) what(at);
}

/// Whether the whole units of a row end before those of one that begins `pitch` elements later.
bool leaves_room(std::int64_t row, std::int64_t pitch, const UnitLeads& leads, std::int64_t unit) {
  bool out = true;
  for_each_lead(leads, unit, [&](std::int64_t at) {
    out = out && up(at + row, unit) <= down(at + pitch, unit);
  });
  return out;
}

/// The stride of the next dimension outwards that has several indices; 0 for regions.
std::int64_t next_stride(const UnitRows& rows, std::size_t dim) {
  for (std::size_t k = dim; k-- > 0;) {
    if (rows.sizes[k] > 1) return rows.strides[k];
  }
  return 0;
}

}  // namespace

std::optional<std::vector<std::int64_t>> shape_in_units(const UnitRows& rows, std::int64_t unit) {
  std::vector<std::int64_t> shape = rows.sizes;
  const UnitLeads leads = leads_of_rows(rows, unit);
  std::int64_t stride = 1;
  for (std::size_t k = shape.size(); k-- > 0;) {
    const bool is_row = k + 1 == shape.size();
    const std::int64_t wanted = next_stride(rows, k) % unit;
    const auto fits = [&](std::int64_t extent) {
      if (stride % unit * (extent % unit) % unit != wanted) return false;
      return !is_row || leaves_room(rows.sizes[k], extent, leads, unit);
    };
    const std::int64_t most = rows.sizes[k] + 4 * unit;
    while (shape[k] < most && !fits(shape[k])) ++shape[k];
    if (!fits(shape[k])) return std::nullopt;
    stride *= shape[k];
  }
  return shape;
}

UnitLeads leads_of_rows(const UnitRows& rows, std::int64_t unit) {
  UnitLeads out = rows.leads;
  for (std::size_t k = 0; k + 1 < rows.sizes.size(); ++k) {
    if (rows.sizes[k] > 1) out.step = std::gcd(out.step, rows.strides[k]);
  }
  out.step = std::gcd(out.step, unit) % unit;
  out.first = out.step == 0 ? out.first % unit : out.first % out.step;
  return out;
}

double elems_in_units(std::int64_t elems, const UnitLeads& leads, std::int64_t unit) {
  std::int64_t sum = 0;
  std::int64_t places = 0;
  for_each_lead(leads, unit, [&](std::int64_t at) {
    sum += up(at + elems, unit);
    ++places;
  });
  return static_cast<double>(sum) / static_cast<double>(places);
}

}  // namespace solway::schedule
