#include "driver/frontend/reducer.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "dsl/reducer.h"
#include "support/error.h"

namespace solway {
namespace {

std::string counted(std::size_t values) {
  return std::to_string(values) + (values == 1 ? " value" : " values");
}

template <typename Handle>
auto nodes_of(const std::vector<Handle>& handles) {
  std::vector<std::decay_t<decltype(handles[0].node())>> out;
  for (const Handle& handle : handles) out.push_back(handle.node());
  return out;
}

}  // namespace

Expr Reducer::operator()(const Expr& x, const std::vector<Axis>& axis, Line line) const {
  return (*this)(std::vector<Expr>{x}, axis, line).at(0);
}

std::vector<Expr> Reducer::operator()(const std::vector<Expr>& x, const std::vector<Axis>& axis,
                                      Line line) const {
  const SourceLoc where = to_source_loc(line);
  if (x.size() != identity_.size() || x.empty()) {
    throw DslError(
        {where, "'" + options_.name + "' does not fit its values",
         "its identity has " + counted(identity_.size()) + ", it got " + counted(x.size()),
         "pass as many terms as the identity has"});
  }
  std::vector<DType> types;
  std::array<std::vector<Expr>, 2> params;
  for (const Expr& term : x) types.push_back(term.dtype());
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t k = 0; k < types.size(); ++k) {
      const auto position = static_cast<std::int64_t>(side * types.size() + k);
      params[side].emplace_back(dsl::make_param(position, types[k], where));
    }
  }
  auto combiner =
      dsl::make_combiner(options_.name, types, nodes_of(identity_),
                         nodes_of(combine_(params[0], params[1])), options_.commutative, where);
  std::vector<Expr> out;
  for (dsl::Expr& value :
       dsl::make_reduce(std::move(combiner), nodes_of(x), nodes_of(axis), where)) {
    out.emplace_back(std::move(value));
  }
  return out;
}

Reducer reducer(Reducer::Combine combine, std::vector<Expr> identity, ReducerOptions options,
                Line line) {
  constexpr std::array<std::string_view, 8> kTaken = {"all", "any", "argmax", "argmin",
                                                      "max", "min", "prod",   "sum"};
  if (std::find(kTaken.begin(), kTaken.end(), options.name) != kTaken.end()) {
    throw DslError({to_source_loc(line), "a reducer named '" + options.name + "'",
                    options.name + " is another reduction", "choose another name"});
  }
  return {std::move(combine), std::move(identity), std::move(options)};
}

}  // namespace solway
