#pragma once

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <isl/cpp.h>

/// What <isl/cpp.h> of isl 0.25 lacks. Every function throws isl::exception (isl::exception_quota
/// when an IslBudget ran out) where isl reports an error. Positions count from 0.
namespace solway::isl_ext {

/// Which tuple a dimension belongs to. The dimensions of a set are its Range.
enum class Dim : std::uint8_t { Param, Domain, Range };

/// isl's own text of any isl object.
template <typename T>
std::string to_string(const T& object) {
  std::ostringstream stream;
  stream << object;
  return stream.str();
}

// Values and points.

/// Throws InternalError for a value that is no 64-bit integer (a fraction, infinity, NaN).
std::int64_t to_int64(const isl::val& value);
std::optional<std::int64_t> try_int64(const isl::val& value);
/// The coordinates of a point, parameters excluded.
std::vector<std::int64_t> coordinates(const isl::point& point);
/// One point of `set`; nullopt when it is empty.
/// Parameters take any value.
std::optional<std::vector<std::int64_t>> try_sample(const isl::set& set);
/// The lexicographically smallest point of `set`; nullopt when it is empty.
/// Throws isl::exception when there is no smallest.
std::optional<std::vector<std::int64_t>> try_lexmin(const isl::set& set);
/// The number of points of a bounded set without parameters; nullopt when it is not bounded.
std::optional<std::int64_t> try_count(const isl::set& set);
/// Variables in the description of a piece, at most, that are quotients or only known to exist.
int most_unknowns(const isl::map& map);
/// Of one dimension, bounded below: the number of its elements, or `most` where there are more. It
/// looks for one after the other, as isl makes disjoint pieces of a set before it counts, which
/// takes long where variables are only known to exist.
std::int64_t count_up_to(isl::set set, std::int64_t most);
/// The smallest value of a dimension; nullopt when the set is empty or unbounded below. Parameters
/// count as unknown values, so all of them together are minimised over.
std::optional<std::int64_t> try_dim_min(const isl::set& set, int pos);
std::optional<std::int64_t> try_dim_max(const isl::set& set, int pos);

// Names.

/// Name of the tuple, empty when it has none.
std::string tuple_name(const isl::set& set);
std::string tuple_name(const isl::map& map, Dim tuple);
/// The same object under another tuple name; an empty name removes it.
isl::set with_tuple_name(const isl::set& set, const std::string& name);
isl::map with_tuple_name(const isl::map& map, Dim tuple, const std::string& name);
/// Name of a dimension, empty when it has none.
std::string dim_name(const isl::set& set, int pos);
std::string dim_name(const isl::map& map, Dim tuple, int pos);
isl::set with_dim_names(const isl::set& set, const std::vector<std::string>& names);
isl::map with_dim_names(const isl::map& map, Dim tuple, const std::vector<std::string>& names);

// Dimensions.

int dim_count(const isl::set& set, Dim tuple);
int dim_count(const isl::map& map, Dim tuple);
/// Inserts `count` unconstrained dimensions before `first`. The tuple loses its name.
isl::set insert_dims(const isl::set& set, int first, int count);
isl::map insert_dims(const isl::map& map, Dim tuple, int first, int count);
/// Removes dimensions: there is a value of them. The tuple loses its name.
isl::set project_out(const isl::set& set, int first, int count);
isl::map project_out(const isl::map& map, Dim tuple, int first, int count);
/// Keeps the dimensions and drops every constraint that mentions one of them.
isl::set drop_constraints(const isl::set& set, int first, int count);
isl::map drop_constraints(const isl::map& map, Dim tuple, int first, int count);
/// Moves `count` dimensions from `first` of one tuple to before `to_first` of another.
isl::map move_dims(const isl::map& map, Dim to, int to_first, Dim from, int first, int count);
/// Moves `count` dimensions of a set to its parameters; they must have names.
isl::set move_dims_to_params(const isl::set& set, int first, int count);
isl::set equate(const isl::set& set, int pos_a, int pos_b);
isl::map equate(const isl::map& map, Dim tuple_a, int pos_a, Dim tuple_b, int pos_b);
isl::set fix(const isl::set& set, int pos, std::int64_t value);
isl::map fix(const isl::map& map, Dim tuple, int pos, std::int64_t value);
/// The smallest values of the parameters for which `set` is not empty, first parameter first.
using ParamValues = std::vector<std::pair<std::string, std::int64_t>>;
ParamValues smallest_params(const isl::set& set);
ParamValues smallest_params(const isl::union_map& map);
ParamValues smallest_params(const isl::union_set& set);
/// Gives parameters their values; those that the set does not mention stay out.
isl::set fix_params(const isl::set& set, const ParamValues& values);
isl::union_map fix_params(const isl::union_map& map, const ParamValues& values);
isl::union_set fix_params(const isl::union_set& set, const ParamValues& values);
/// Adds begin <= dimension < end.
isl::set bound(const isl::set& set, int pos, std::int64_t begin, std::int64_t end);
isl::map bound(const isl::map& map, Dim tuple, int pos, std::int64_t begin, std::int64_t end);
/// Adds dimension a < dimension b.
isl::map order_lt(const isl::map& map, Dim tuple_a, int pos_a, Dim tuple_b, int pos_b);

// Order and products.

/// { x -> y : a(x) < b(y) }, lexicographically, for x in domain(a) and y in domain(b).
isl::union_map lex_lt(const isl::union_map& a, const isl::union_map& b);
isl::union_map lex_le(const isl::union_map& a, const isl::union_map& b);
isl::union_map lex_gt(const isl::union_map& a, const isl::union_map& b);
isl::union_map lex_ge(const isl::union_map& a, const isl::union_map& b);
/// { x -> y : x < y } on one set space.
isl::map lex_lt(const isl::space& set_space);
isl::map lex_le(const isl::space& set_space);
/// { x -> [a(x), b(x)] } with one flat, unnamed range tuple.
isl::map flat_range_product(const isl::map& a, const isl::map& b);
isl::union_map flat_range_product(const isl::union_map& a, const isl::union_map& b);
/// { [x, y] -> r : x -> r in a, y -> r in b } with one flat, unnamed domain tuple.
isl::map flat_domain_product(const isl::map& a, const isl::map& b);
isl::set flat_product(const isl::set& a, const isl::set& b);
/// All pairs of `domain` and `range`.
isl::union_map all_pairs(const isl::union_set& domain, const isl::union_set& range);
/// The members, ordered by their text, so that results do not depend on isl's hash order.
std::vector<isl::map> sorted_maps(const isl::union_map& map);
std::vector<isl::set> sorted_sets(const isl::union_set& set);
/// Whether two maps are described alike: cheap to see, and false says nothing.
bool is_plainly_equal(const isl::map& a, const isl::map& b);

// Shapes of footprints.

/// A box of constant size at an affine offset.
struct FixedBox {
  isl::multi_aff offset;            ///< { S[i] -> A[first element] }
  std::vector<std::int64_t> sizes;  ///< elements per dimension of the range
};
/// A box that covers the range of `map` for each domain element; nullopt when no constant size is
/// found. Of a union that does not coalesce, the simple hull is taken first.
std::optional<FixedBox> try_fixed_box(const isl::map& map);

/// The values of one dimension are offset(domain element) + k * stride.
struct StrideInfo {
  std::int64_t stride = 1;
  isl::aff offset;
};
StrideInfo range_stride(const isl::map& map, int pos);
/// The smallest single basic map around `map` that uses only shifts of its own constraints.
isl::map simple_hull(const isl::map& map);
isl::set simple_hull(const isl::set& set);

/// The affine function { S[x] -> [x[pos]] } on a set space.
isl::aff dim_on_domain(const isl::space& set_space, int pos);
/// The coefficient of one dimension of the function's domain.
std::int64_t coefficient(const isl::aff& aff, int pos);

// Flow.

/// Value-based flow of a program.
struct Flow {
  isl::union_map must;       ///< { W[w] -> R[r] }: w is the last writer of what r reads
  isl::union_map full;       ///< { W[w] -> [R[r] -> A[e]] }: the same per element
  isl::union_map no_source;  ///< { R[r] -> A[e] }: read but never written before
};
/// `reads` and `writes` are { S[i] -> A[e] }, `time` is { S[i] -> [t] } with one range space.
Flow last_writers(const isl::union_map& reads, const isl::union_map& writes,
                  const isl::union_map& time);

// Schedule trees and AST generation.

/// An id with exactly this name. isl::id(ctx, name) and insert_mark(name) read only the first word.
isl::id make_id(const isl::ctx& ctx, const std::string& name);
/// The id of a mark node.
isl::id mark_id(const isl::schedule_node& mark);
/// The tree without this node, whose only child (if any) takes its place.
isl::schedule_node delete_node(const isl::schedule_node& node);
/// Puts a band, which must not be anchored, below all nodes of its subtree.
isl::schedule_node sink_band(const isl::schedule_node& band);
/// { S[i] -> [t] } of the node and everything below it, not restricted to the tree's domain.
isl::union_map subtree_schedule(const isl::schedule_node& node);
/// The node with an identifier attached, which annotation_of reads back.
isl::ast_node annotate(const isl::ast_node& node, const std::string& text);
std::string annotation_of(const isl::ast_node& node);
/// Names of the loop variables that AST generation uses, outermost first.
isl::ast_build with_iterators(const isl::ast_build& build, const std::vector<std::string>& names);

/// How isl may write loops and conditions; the values are isl's own defaults.
struct AstSettings {
  bool atomic_upper_bound = true;     ///< i < bound with one bound, not a conjunction
  bool prefer_pdiv = true;            ///< pdiv_q and pdiv_r where the dividend is known to be >= 0
  bool detect_min_max = false;        ///< min and max instead of a conditional expression
  bool exploit_nested_bounds = true;  ///< drop conditions that inner bounds imply
  bool allow_else = true;
  bool allow_or = true;
  /// Statements that run at one time of a loop are never in two loops of it, one after the other.
  bool group_coscheduled = false;
};

/// Applies `settings` to a context for its scope and restores what was there before.
class AstOptionScope {
 public:
  AstOptionScope(const isl::ctx& ctx, const AstSettings& settings);
  ~AstOptionScope();
  AstOptionScope(const AstOptionScope&) = delete;
  AstOptionScope& operator=(const AstOptionScope&) = delete;

 private:
  isl_ctx* ctx_;
  AstSettings before_;
};

}  // namespace solway::isl_ext
