#include "lowering/cut_tails.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "schedule/region.h"
#include "support/isl_ext.h"

namespace solway::lowering {
namespace {

using schedule::LoopId;
using schedule::State;

/// The loops from the root down to a band.
using Path = std::vector<LoopId>;
/// Of bands, the values that run whole blocks: { [outer loops] -> [value] }.
using Bands = std::map<Path, isl::map>;

Path first(const Path& path, std::size_t count) {
  return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// How many loops from the root down tell `whole` from `rest`, both { S[iteration] }.
std::size_t deciding_depth(const State& state, const std::string& name, const Path& path,
                           const isl::set& whole, const isl::set& rest) {
  for (std::size_t depth = 1; depth < path.size(); ++depth) {
    const isl::map values = schedule::values_of(state, name, first(path, depth)).as_map();
    if (whole.apply(values).is_disjoint(rest.apply(values))) return depth;
  }
  return path.size();
}

/// The bands at which one cut is made.
Bands bands_of(const State& state, const schedule::Cut& cut) {
  Bands out;
  for (const auto& [name, blocks] : cut.whole) {
    const auto at = state.program->statements.find(name);
    if (at == state.program->statements.end()) continue;
    const isl::set& domain = at->second.domain;
    if (!blocks.space().is_equal(domain.space())) continue;
    const isl::set whole = domain.intersect(blocks);
    const isl::set rest = domain.subtract(blocks);
    const Path& path = state.order.placement_of(name).path;
    if (path.empty() || whole.is_empty() || rest.is_empty()) continue;
    std::size_t depth = deciding_depth(state, name, path, whole, rest);
    while (depth < path.size() &&
           state.order.loop(path[depth - 1]).mark != schedule::LoopMark::Serial) {
      ++depth;
    }
    const isl::map outer =
        schedule::values_of(state, name, first(path, depth - 1)).as_map().intersect_domain(whole);
    const isl::map value = schedule::values_of(state, name, {path[depth - 1]}).as_map();
    const isl::map here = outer.reverse().apply_range(value);
    const auto [band, is_new] = out.emplace(first(path, depth), here);
    if (!is_new) band->second = band->second.unite(here).coalesce();
  }
  return out;
}

Path path_of(const isl::schedule_node& band) {
  Path out;
  for (isl::schedule_node node = band; node.has_parent(); node = node.parent()) {
    if (!node.isa<isl::schedule_node_mark>()) continue;
    const std::string prefix = "loop_";
    out.push_back(std::stoi(isl_ext::mark_id(node).name().substr(prefix.size())));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

isl::schedule cut_tails(const State& state, const isl::schedule& tree) {
  Bands bands;
  for (const schedule::Cut& cut : state.order.cuts) {
    for (const auto& [path, values] : bands_of(state, cut)) {
      const auto [band, is_new] = bands.emplace(path, values);
      if (!is_new) band->second = band->second.intersect(values);
    }
  }
  if (bands.empty()) return tree;
  const isl::union_set one_loop(tree.ctx(), "{ atomic[0]; [isolate[] -> atomic[0]] }");
  return tree.root()
      .map_descendant_bottom_up([&](const isl::schedule_node& node) {
        if (!node.isa<isl::schedule_node_band>()) return node;
        const auto at = bands.find(path_of(node));
        if (at == bands.end()) return node;
        const isl::set isolated = isl_ext::with_tuple_name(at->second.wrap(), "isolate");
        return isl::schedule_node(node.as<isl::schedule_node_band>().set_ast_build_options(
            isolated.to_union_set().unite(one_loop)));
      })
      .schedule();
}

}  // namespace solway::lowering
