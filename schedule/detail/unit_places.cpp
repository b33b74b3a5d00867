#include "schedule/detail/unit_places.h"

#include <optional>
#include <string>
#include <utility>

#include "schedule/whole_units.h"
#include "support/dtype.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

class PlaceFinder {
 public:
  PlaceFinder(const Program& program, const Buffer& buffer, const Footprint& footprint,
              const BufferRequest& request)
      : array_(program.array(buffer.moved_from())),
        buffer_(buffer),
        footprint_(footprint),
        request_(request) {
    if (!program.sizes.empty()) {
      fail("how long rows of '" + array_.name + "' are is known when it runs");
    }
    if (array_.layout) fail("main memory has the constant '" + array_.name + "' in another layout");
  }

  UnitPlaces run() {
    const std::int64_t bytes = size_bytes(array_.type);
    const std::int64_t align = request_.align_bytes;
    UnitPlaces out;
    if (bytes % align == 0 || array_.shape.empty()) return out;
    if (align % bytes != 0) {
      throw ScheduleArgumentError(
          {buffer_.where, request_.text + ": units of " + std::to_string(align) + " bytes",
           "elements of '" + array_.name + "' have " + std::to_string(bytes) +
               " bytes, of which units hold whole ones",
           "pass a multiple of " + std::to_string(bytes)});
    }
    out.unit_elems = align / bytes;
    require_rows();
    find_strides();
    find_lead(out);
    auto shape = shape_in_units(rows_, out.unit_elems);
    if (!shape) fail("no distance between its rows is that of main memory but for whole units");
    out.shape = *std::move(shape);
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw UnsupportedError({buffer_.where,
                            request_.text + ": the buffer cannot be filled in whole units", why,
                            "leave align= out: what is read is moved, and nothing beside"});
  }

  /// Rows of the buffer are parts of the tensor's rows, in the same order.
  void require_rows() const {
    if (request_.padding == Padding::Filled) fail("its border is filled beside what is moved");
    if (request_.slide >= 0) fail("what tiles have in common stays beside what is moved");
    int next = 0;
    bool are_rows = true;
    for (const BufferDim& dim : buffer_.dims) {
      are_rows = are_rows && dim.wrap == 0 && dim.dim >= next;
      next = dim.dim + 1;
    }
    are_rows =
        are_rows && next == static_cast<int>(array_.shape.size()) && buffer_.dims.back().step == 1;
    if (!are_rows) fail("its rows are not those of '" + array_.name + "'");
  }

  void find_strides() {
    main_strides_.assign(array_.shape.size(), 1);
    for (std::size_t k = array_.shape.size() - 1; k-- > 0;) {
      main_strides_[k] = main_strides_[k + 1] * array_.shape[k + 1];
    }
    for (const BufferDim& dim : buffer_.dims) {
      const auto k = static_cast<std::size_t>(dim.dim);
      rows_.sizes.push_back(extent_of(dim));
      rows_.strides.push_back(main_strides_[k] * dim.step);
    }
  }

  std::int64_t extent_of(const BufferDim& dim) const {
    return (footprint_.sizes[static_cast<std::size_t>(dim.dim)] + dim.step - 1) / dim.step;
  }

  /// How far the box begins inside of a unit of main memory.
  void find_lead(UnitPlaces& out) {
    const auto unit = static_cast<long>(out.unit_elems);
    isl::aff place = footprint_.offset.at(0).scale(isl::val(footprint_.offset.ctx(), 0));
    for (std::size_t k = 0; k < main_strides_.size(); ++k) {
      const isl::val stride(place.ctx(), static_cast<long>(main_strides_[k]));
      place = place.add(footprint_.offset.at(static_cast<int>(k)).scale(stride));
    }
    const isl::pw_aff lead = isl::pw_aff(place).mod(unit);
    const isl::set positions = footprint_.box.domain();
    if (const auto one = only_value(positions, lead)) {
      rows_.leads = {*one, 0};
      if (*one != 0)
        out.lead = positions.space().universe_set().pw_aff_on_domain(static_cast<long>(*one));
      return;
    }
    out.lead = lead;
    rows_.leads = {0, 1};
    for (std::int64_t step = out.unit_elems / 2; step > 1; --step) {
      if (out.unit_elems % step != 0) continue;
      const auto first = only_value(positions, lead.mod(static_cast<long>(step)));
      if (!first) continue;
      rows_.leads = {*first, step};
      return;
    }
  }

  static std::optional<std::int64_t> only_value(const isl::set& domain, const isl::pw_aff& value) {
    const isl::set values = domain.apply(value.as_map());
    const auto low = isl_ext::try_dim_min(values, 0);
    const auto high = isl_ext::try_dim_max(values, 0);
    return low && low == high ? low : std::nullopt;
  }

  const Array& array_;
  const Buffer& buffer_;
  const Footprint& footprint_;
  const BufferRequest& request_;
  std::vector<std::int64_t> main_strides_;  ///< per dimension of the tensor
  UnitRows rows_;
};

}  // namespace

UnitPlaces unit_places(const Program& program, const Buffer& buffer, const Footprint& footprint,
                       const BufferRequest& request) {
  return PlaceFinder(program, buffer, footprint, request).run();
}

}  // namespace solway::schedule
