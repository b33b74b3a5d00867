#include "schedule/detail/buffer_dims.h"

#include <algorithm>
#include <string>
#include <variant>

#include "schedule/loop_paths.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

class DimsFinder {
 public:
  DimsFinder(const State& state, const BufferRequest& request, const BufferUses& uses,
             const Footprint& footprint, const std::function<isl::map()>& written, AccessKind kind,
             const SourceLoc& where)
      : state_(state),
        request_(request),
        uses_(uses),
        footprint_(footprint),
        written_(written),
        kind_(kind),
        where_(where) {}

  std::vector<PanelDim> run() const {
    if (auto panels = panel_dims(); !panels.empty()) return panels;
    std::vector<PanelDim> out;
    if (request_.layout.empty()) {
      for (const BufferDim& dim : footprint_.dims) out.push_back({dim, loop_along(dim.dim)});
      return out;
    }
    std::vector<int> sorted = request_.layout;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < uses_.loops_of_dim.size(); ++k) {
      if (sorted.size() == uses_.loops_of_dim.size() && sorted[k] == static_cast<int>(k)) continue;
      refuse("the layout is no order of the dimensions of '" + request_.tensor + "'",
             "it has " + std::to_string(uses_.loops_of_dim.size()) + " dimensions, counted from 0",
             "name each dimension once");
    }
    for (const int dim : request_.layout) {
      if (is_kept(dim)) out.push_back({{dim}, loop_along(dim)});
    }
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({where_, request_.text + ": " + what, why, fix});
  }

  bool is_kept(int dim) const {
    return std::any_of(footprint_.dims.begin(), footprint_.dims.end(),
                       [&](const BufferDim& kept) { return kept.dim == dim; });
  }

  /// The loops inside the position that run along a dimension.
  std::vector<LoopId> loops_inside(int dim) const {
    std::vector<LoopId> out;
    for (const LoopId id : uses_.loops_of_dim[static_cast<std::size_t>(dim)]) {
      if (contains(uses_.inside, id)) out.push_back(id);
    }
    return out;
  }

  /// The only one; -1 when there is none.
  LoopId loop_along(int dim) const {
    const std::vector<LoopId> own = loops_inside(dim);
    return own.size() == 1 ? own[0] : -1;
  }

  /// The dimensions when the layout names loops, or the region loops of one dimension apart from
  /// each other; else none.
  std::vector<PanelDim> panel_dims() const {
    const bool is_asked = !request_.loop_layout.empty();
    std::vector<LoopId> order = request_.loop_layout;
    if (!is_asked) {
      if (!request_.layout.empty() || !request_.region) return {};
      for (const RegionItem& item : *request_.region) order.push_back(item.loop);
      if (contains(order, -1) || !asks_for_panels(uses_.loops_of_dim, order)) return {};
    }
    for (const LoopId id : order) {
      if (!contains(uses_.inside, id)) refuse_outside(state_, request_, uses_.outside, id, where_);
    }
    const auto found = panels_of(state_, uses_.accesses, order);
    if (const auto* no = std::get_if<NoPanels>(&found)) {
      if (is_asked) refuse(no->what, no->why, no->fix);
      return {};
    }
    const auto& out = std::get<std::vector<PanelDim>>(found);
    for (const BufferDim& kept : footprint_.dims) {
      const bool is_named = std::any_of(
          out.begin(), out.end(), [&](const PanelDim& panel) { return panel.dim.dim == kept.dim; });
      if (is_named) continue;
      if (is_asked) refuse_unnamed(kept.dim);
      return {};
    }
    for (const PanelDim& panel : out) {
      if (begins_with_a_panel(panel.dim)) continue;
      if (is_asked) refuse_to_begin_inside();
      return {};
    }
    return out;
  }

  [[noreturn]] void refuse_unnamed(int dim) const {
    refuse(
        "the layout leaves out dimension " + std::to_string(dim) + " of '" + request_.tensor + "'",
        names_of(state_, loops_inside(dim)) + " runs along it inside the buffer",
        "name it in the layout");
  }

  /// What is copied begins with the first element of the first panel.
  bool begins_with_a_panel(const BufferDim& panel) const {
    if (panel.step == 1 && panel.wrap == 0) return true;
    const isl::pw_aff begin(footprint_.offset.at(panel.dim));
    const auto begins_there = [&](const isl::map& box) {
      return box.min_multi_pw_aff().at(panel.dim).ne_set(begin).is_empty();
    };
    if (!begins_there(footprint_.box)) return false;
    return kind_ == AccessKind::Reads || begins_there(written_());
  }

  [[noreturn]] void refuse_to_begin_inside() const {
    throw UnsupportedError(
        {where_, request_.text + ": the first panel of '" + request_.tensor + "' is not whole",
         "at some positions the elements that are read begin inside of it, and a copy begins with "
         "a whole panel",
         "leave the panels out: name the loops in the order of the tensor's dimensions"});
  }

  const State& state_;
  const BufferRequest& request_;
  const BufferUses& uses_;
  const Footprint& footprint_;
  const std::function<isl::map()>& written_;
  AccessKind kind_;
  const SourceLoc& where_;
};

}  // namespace

std::vector<PanelDim> ordered_dims(const State& state, const BufferRequest& request,
                                   const BufferUses& uses, const Footprint& footprint,
                                   const std::function<isl::map()>& written, AccessKind kind,
                                   const SourceLoc& where) {
  return DimsFinder(state, request, uses, footprint, written, kind, where).run();
}

}  // namespace solway::schedule
