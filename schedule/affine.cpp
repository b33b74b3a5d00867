#include "schedule/affine.h"

#include <algorithm>
#include <optional>
#include <set>

#include "schedule/rewrite_loops.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

std::string as_identifier(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

/// "[i=0, j=1]"
std::string point_text(const std::vector<std::string>& names,
                       const std::vector<std::int64_t>& values) {
  std::string out = "[";
  for (std::size_t k = 0; k < values.size(); ++k) {
    out += (k == 0 ? "" : ", ") + (names.empty() ? "" : names[k] + "=") + std::to_string(values[k]);
  }
  return out + "]";
}

/// Replaces the inputs of one map by its outputs.
class Transformer {
 public:
  Transformer(const State& state, std::string stage, std::string request, const SourceLoc& where)
      : out_(state), stage_(std::move(stage)), request_(std::move(request)), where_(where) {}

  /// Outside of a budget, as parsing is.
  void parse(std::string text) {
    for (const LoopId id : out_.stage_loops.at(stage_)) {
      const std::string& name = loop_name(out_, id);
      for (std::size_t at = text.find(name); at != std::string::npos;
           at = text.find(name, at + 1)) {
        text.replace(at, name.size(), as_identifier(name));
      }
    }
    try {
      map_ = isl::map(out_.program->ctx(), text);
    } catch (const isl::exception&) {
      refuse("the text is no map", "isl cannot read it, or it names what is not in its brackets",
             "write it as \"{ [i, j] -> [i + j, j] }\", with the names of loops on the left");
    }
    map_ = isl_ext::with_tuple_name(map_, Dim::Domain, "");
    map_ = isl_ext::with_tuple_name(map_, Dim::Range, "");
    if (isl_ext::dim_count(map_, Dim::Param) != 0) {
      refuse("the map has parameters", "it may depend on the loops alone",
             "write it as \"{ [i, j] -> [i + j, j] }\"");
    }
    if (isl_ext::dim_count(map_, Dim::Range) == 0 || isl_ext::dim_count(map_, Dim::Domain) == 0) {
      refuse("the map has an empty side", "it turns loops into loops",
             "write it as \"{ [i, j] -> [i + j, j] }\"");
    }
  }

  AffineResult run(const std::vector<std::string>& names) {
    find_inputs();
    require_serial_inputs();
    require_places();
    require_function();
    find_dependences();
    make_loops(names);
    rewrite_paths();
    for (const LoopId id : inputs_) replace_loop(out_, id, request_, where_, loops_);
    return {std::move(out_), loops_};
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({where_, request_ + ": " + what, why, fix});
  }

  void find_inputs() {
    std::string known;
    for (const LoopId id : out_.stage_loops.at(stage_)) {
      known += (known.empty() ? "'" : ", '") + as_identifier(loop_name(out_, id)) + "'";
    }
    for (int k = 0; k < isl_ext::dim_count(map_, Dim::Domain); ++k) {
      const std::string name = isl_ext::dim_name(map_, Dim::Domain, k);
      std::vector<LoopId> found;
      for (const LoopId id : out_.stage_loops.at(stage_)) {
        if (as_identifier(loop_name(out_, id)) == name) found.push_back(id);
      }
      if (found.size() == 1) {
        inputs_.push_back(found[0]);
        input_names_.push_back(loop_name(out_, found[0]));
        continue;
      }
      refuse(name.empty() ? "input " + std::to_string(k) + " of the map has no name of its own"
                          : "'" + name + "' is " + (found.empty() ? "no loop" : "several loops") +
                                " of '" + stage_ + "'",
             "its loops are " + known, "name different present loops on the left of the arrow");
    }
  }

  void require_serial_inputs() const {
    for (const LoopId id : inputs_) {
      require_serial(out_.order.loop(id), request_, "transform first, then mark", where_);
    }
  }

  bool is_input(LoopId id) const {
    return std::find(inputs_.begin(), inputs_.end(), id) != inputs_.end();
  }

  /// Another number of loops needs one place to stand.
  void require_places() const {
    if (isl_ext::dim_count(map_, Dim::Range) == static_cast<int>(inputs_.size())) return;
    const std::vector<LoopId>& loops = out_.stage_loops.at(stage_);
    const auto first =
        std::find_if(loops.begin(), loops.end(), [&](LoopId id) { return is_input(id); });
    const auto end = std::find_if(first, loops.end(), [&](LoopId id) { return !is_input(id); });
    if (static_cast<std::size_t>(end - first) == inputs_.size()) return;
    refuse("the loops are no neighbours",
           "'" + loop_name(out_, *end) + "' stands between them, and the map makes " +
               std::to_string(isl_ext::dim_count(map_, Dim::Range)) + " loops of " +
               std::to_string(inputs_.size()),
           "reorder first");
  }

  /// { S[iteration] -> [inputs] }, 0 for loops that the statement lacks.
  isl::multi_pw_aff inputs_of(const std::string& name) const {
    const isl::set& domain = out_.program->statement(name).domain;
    isl::multi_pw_aff all;
    for (const LoopId id : inputs_) {
      const auto& values = out_.order.loop(id).value;
      const auto at = values.find(name);
      const isl::pw_aff one =
          at != values.end() ? at->second : isl::set::universe(domain.space()).pw_aff_on_domain(0);
      all = all.is_null() ? one.to_multi_pw_aff() : all.flat_range_product(one.to_multi_pw_aff());
    }
    return all;
  }

  /// The statements in any of the inputs.
  std::vector<std::string> statements() const {
    std::vector<std::string> out;
    for (const Placement& p : out_.order.placements) {
      if (std::any_of(p.path.begin(), p.path.end(), [&](LoopId id) { return is_input(id); })) {
        out.push_back(p.statement);
      }
    }
    return out;
  }

  /// Requires one value for every iteration, and no value of two.
  void require_function() {
    isl::set defined = map_.domain();
    isl::map used;
    for (const std::string& name : statements()) {
      const isl::set points = out_.program->statement(name).domain.apply(inputs_of(name).as_map());
      if (const auto at = isl_ext::try_lexmin(points.subtract(defined))) {
        refuse("the map says nothing of " + point_text(input_names_, *at),
               "each iteration of '" + stage_ + "' needs its place",
               "leave out the condition, or let it hold for all iterations");
      }
      const isl::map here = map_.intersect_domain(points);
      used = used.is_null() ? here : used.unite(here);
      if (!here.is_injective()) refuse_equal(here);
    }
    if (!used.is_single_valued()) {
      const isl::map others = used.reverse().apply_range(used).subtract(
          isl::set::universe(used.space().range()).identity());
      const auto at = isl_ext::try_lexmin(used.reverse().intersect_domain(others.domain()).range());
      refuse("the map has several values for " + point_text(input_names_, *at),
             "an iteration runs once", "write one expression per new loop");
    }
    map_ = map_.is_single_valued() ? map_ : used.coalesce();
  }

  [[noreturn]] void refuse_equal(const isl::map& here) const {
    const isl::map equal = here.apply_range(here.reverse())
                               .subtract(isl::set::universe(here.space().domain()).identity());
    const std::vector<std::int64_t> both = *isl_ext::try_lexmin(equal.wrap());
    const auto half = static_cast<std::ptrdiff_t>(both.size() / 2);
    const std::vector<std::int64_t> one(both.begin(), both.begin() + half);
    const std::vector<std::int64_t> two(both.begin() + half, both.end());
    isl::set point = here.domain();
    for (std::size_t k = 0; k < one.size(); ++k) {
      point = isl_ext::fix(point, static_cast<int>(k), one[k]);
    }
    refuse("the map puts two iterations in one place",
           point_text(input_names_, one) + " and " + point_text(input_names_, two) +
               " both become " + point_text({}, *isl_ext::try_lexmin(point.apply(here))),
           "add a loop that tells them apart");
  }

  /// Finds the inputs on which each output depends.
  void find_dependences() {
    for (int k = 0; k < isl_ext::dim_count(map_, Dim::Range); ++k) {
      isl::map one = isl_ext::project_out(map_, Dim::Range, k + 1,
                                          isl_ext::dim_count(map_, Dim::Range) - k - 1);
      one = isl_ext::project_out(one, Dim::Range, 0, k);
      std::set<LoopId> from;
      for (std::size_t d = 0; d < inputs_.size(); ++d) {
        const isl::map without =
            isl_ext::drop_constraints(one, Dim::Domain, static_cast<int>(d), 1);
        if (!without.is_equal(one)) from.insert(inputs_[d]);
      }
      depends_on_.push_back(std::move(from));
    }
  }

  /// Whether the statement stands in output `k`: when something that it has changes it.
  bool is_in(const std::string& name, std::size_t k) const {
    const auto has = [&](LoopId id) { return out_.order.loop(id).value.count(name) != 0; };
    const bool has_all = std::all_of(inputs_.begin(), inputs_.end(), has);
    return has_all || std::any_of(depends_on_[k].begin(), depends_on_[k].end(), has);
  }

  void make_loops(const std::vector<std::string>& names) {
    const isl::multi_pw_aff outputs = map_.as_pw_multi_aff().to_multi_pw_aff();
    if (!names.empty() && names.size() != outputs.size()) {
      refuse(
          std::to_string(names.size()) + " names for " + std::to_string(outputs.size()) + " loops",
          "the map has " + std::to_string(outputs.size()) + " outputs", "give one name per output");
    }
    const std::vector<std::string> own = names.empty() ? default_names(outputs) : names;
    for (unsigned k = 0; k < outputs.size(); ++k) {
      Loop loop;
      loop.name = own[k];
      loop.where = where_;
      const auto& from = depends_on_[k];
      const auto is_reduction = [&](LoopId id) {
        return out_.order.loop(id).kind == dsl::AxisKind::Reduce;
      };
      if (!from.empty() && std::all_of(from.begin(), from.end(), is_reduction)) {
        loop.kind = dsl::AxisKind::Reduce;
      }
      for (const std::string& name : statements()) {
        if (!is_in(name, k)) continue;
        loop.value.emplace(name, outputs.at(static_cast<int>(k)).pullback(inputs_of(name)));
      }
      set_range(loop, out_.program->domains());
      require_small_range(loop, request_, where_);
      made_.push_back(std::move(loop));
    }
    for (Loop& loop : made_) loops_.push_back(out_.order.add(loop));
  }

  /// An output that is an input keeps its name; the others take what is left, in order.
  std::vector<std::string> default_names(const isl::multi_pw_aff& outputs) const {
    std::vector<std::string> out(outputs.size());
    std::vector<bool> is_taken(inputs_.size(), false);
    const isl::space space = map_.space().domain();
    for (std::size_t k = 0; k < out.size(); ++k) {
      for (std::size_t d = 0; d < inputs_.size(); ++d) {
        const isl::pw_aff input(isl_ext::dim_on_domain(space, static_cast<int>(d)));
        if (is_taken[d] || !outputs.at(static_cast<int>(k)).plain_is_equal(input)) continue;
        out[k] = input_names_[d];
        is_taken[d] = true;
        break;
      }
    }
    int number = 0;
    for (std::string& name : out) {
      if (!name.empty()) continue;
      const auto left = std::find(is_taken.begin(), is_taken.end(), false);
      if (left == is_taken.end()) {
        name = "d" + std::to_string(number++);
      } else {
        name = input_names_[static_cast<std::size_t>(left - is_taken.begin())];
        *left = true;
      }
    }
    return out;
  }

  /// The loops of a stage whose statements stand in the outputs `present`, which take the places of
  /// the inputs one by one, or all that of the first.
  std::vector<LoopId> replaced(const std::vector<LoopId>& loops,
                               const std::vector<LoopId>& present) const {
    const auto places = static_cast<std::size_t>(
        std::count_if(loops.begin(), loops.end(), [&](LoopId id) { return is_input(id); }));
    std::vector<LoopId> out;
    std::size_t next = 0;
    for (const LoopId id : loops) {
      if (!is_input(id)) {
        out.push_back(id);
        continue;
      }
      const std::size_t until =
          places == present.size() ? next + 1 : (next == 0 ? present.size() : next);
      for (; next < std::min(until, present.size()); ++next) out.push_back(present[next]);
    }
    return out;
  }

  void rewrite_paths() {
    for (auto& [stage, loops] : out_.stage_loops) {
      std::vector<LoopId> present;
      const std::vector<std::string> own = statements_of(out_, stage);
      for (std::size_t k = 0; k < loops_.size(); ++k) {
        const auto stands = [&](const std::string& name) {
          return made_[k].value.count(name) != 0;
        };
        if (std::any_of(own.begin(), own.end(), stands)) present.push_back(loops_[k]);
      }
      if (!present.empty()) loops = replaced(loops, present);
    }
    for (Placement& p : out_.order.placements) {
      const std::vector<LoopId>& loops =
          out_.stage_loops.at(out_.program->statement(p.statement).stage);
      // Around a stage that was placed in another one's loops are loops that it does not list.
      std::vector<LoopId> path;
      for (const LoopId id : p.path) {
        const bool is_listed = std::find(loops.begin(), loops.end(), id) != loops.end();
        if (!is_listed && !is_input(id)) path.push_back(id);
      }
      for (const LoopId id : loops) {
        const bool is_new = std::find(loops_.begin(), loops_.end(), id) != loops_.end();
        const bool was_there = std::find(p.path.begin(), p.path.end(), id) != p.path.end();
        if (is_new ? out_.order.loop(id).value.count(p.statement) != 0 : was_there) {
          path.push_back(id);
        }
      }
      p.path = std::move(path);
    }
  }

  State out_;
  std::string stage_;
  std::string request_;
  SourceLoc where_;
  isl::map map_;  ///< { [inputs] -> [outputs] }
  std::vector<LoopId> inputs_;
  std::vector<std::string> input_names_;
  std::vector<std::set<LoopId>> depends_on_;  ///< per output
  std::vector<Loop> made_;
  std::vector<LoopId> loops_;
};

std::string quoted_list(const std::vector<std::string>& names) {
  std::string out = "[";
  for (const std::string& name : names) out += (out.size() == 1 ? "\"" : ", \"") + name + "\"";
  return out + "]";
}

}  // namespace

AffineResult affine(const State& state, const std::string& stage, const std::string& map,
                    const std::vector<std::string>& names, const SourceLoc& where) {
  const std::string request = "affine(\"" + map + "\")";
  Transformer transformer(state, stage, request, where);
  transformer.parse(map);
  AffineResult out;
  try {
    const IslBudget budget(state.program->ctx(), kOrderBudget);
    out = transformer.run(names);
  } catch (const isl::exception_quota&) {
    throw undecided({request, where}, kOrderBudget);
  }
  Step step{"affine", stage, {{"", map}}, out.loops, where};
  if (!names.empty()) step.arguments.emplace_back("names", StepText{quoted_list(names)});
  out.state = proved(std::move(out.state), std::move(step), {request, where});
  return out;
}

}  // namespace solway::schedule
