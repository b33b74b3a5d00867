#include "schedule/cross_cores.h"

#include "schedule/shared_scope.h"
#include "schedule/widened_reads.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// { S[iteration] -> [the core that runs it] }
isl::pw_aff core_of(const State& state, const std::string& statement, const CorePiece& piece) {
  const isl::set& instances = piece.instances.at(statement);
  isl::pw_aff core = instances.space().universe_set().pw_aff_on_domain(0L);
  for (const Share& share : piece.shares) {
    const isl::pw_aff value = state.order.value_of(share.loop, statement);
    const isl::pw_aff index = value.add_constant(-static_cast<long>(share.begin))
                                  .scale_down(isl::val(value.ctx(), static_cast<long>(share.chunk)))
                                  .floor();
    core = core.add(index.scale(isl::val(value.ctx(), static_cast<long>(share.step))));
  }
  return core;
}

/// What a piece does to main memory, and to buffers that all cores see: { [values of the loops
/// around, who runs it] -> T[element] }.
struct Footprint {
  isl::union_map reads;
  isl::union_map writes;
};

Footprint footprint_of(const State& state, const CorePiece& piece,
                       const std::vector<LoopId>& around) {
  const Program& program = *state.program;
  Footprint out{isl::union_map::empty(program.ctx()), isl::union_map::empty(program.ctx())};
  for (const auto& [name, instances] : piece.instances) {
    isl::map key = core_of(state, name, piece).as_map();
    const auto add_loops = [&, &name = name](const std::vector<LoopId>& loops) {
      for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
        key = isl_ext::flat_range_product(state.order.value_of(*loop, name).as_map(), key);
      }
    };
    add_loops(piece.deciding);
    add_loops(around);
    const isl::map from_key = key.intersect_domain(instances).reverse();
    const auto add = [&](isl::union_map& all, const isl::map& relation) {
      const Array& array = program.array(isl_ext::tuple_name(relation, isl_ext::Dim::Range));
      if (array.kind == ArrayKind::Buffer && !is_shared(array)) return;
      all = all.unite(from_key.apply_range(relation).to_union_map());
    };
    const Statement& statement = program.statement(name);
    for (const Write& write : statement.writes) add(out.writes, write.relation);
    if (reads_whole_units(program, statement)) {
      const isl::map& read = statement.copy->elements;
      add(out.reads, around_in_array(program, read));
      continue;
    }
    for (const Operand& operand : statement.reads) add(out.reads, operand.relation);
  }
  return out;
}

/// { [t..., core...] -> [t'..., core'...] } of the pairs in question, with `num_loops` in t.
isl::map wanted(const isl::space& pairs, std::size_t carrier, std::size_t num_loops,
                SharedOut shared) {
  isl::map out = isl::map::universe(pairs);
  for (std::size_t k = 0; k < carrier; ++k) {
    const int at = static_cast<int>(k);
    out = isl_ext::equate(out, isl_ext::Dim::Domain, at, isl_ext::Dim::Range, at);
  }
  if (carrier < num_loops) {
    const int at = static_cast<int>(carrier);
    out = isl_ext::order_lt(out, isl_ext::Dim::Domain, at, isl_ext::Dim::Range, at);
  }
  if (shared == SharedOut::Unknown) return out;
  isl::map same = isl::map::universe(out.space());
  const int dims = isl_ext::dim_count(out, isl_ext::Dim::Domain);
  for (int at = static_cast<int>(num_loops); at < dims; ++at) {
    same = isl_ext::equate(same, isl_ext::Dim::Domain, at, isl_ext::Dim::Range, at);
  }
  return out.subtract(same);
}

}  // namespace

std::optional<bool> crosses_cores(const State& state, const CorePiece& from, const CorePiece& to,
                                  const std::vector<LoopId>& around, std::size_t carrier,
                                  SharedOut shared) {
  try {
    const IslBudget budget(state.program->ctx(), kOrderBudget);
    const Footprint first = footprint_of(state, from, around);
    const Footprint second = footprint_of(state, to, around);
    const isl::union_map pairs =
        first.writes.apply_range(second.reads.unite(second.writes).reverse())
            .unite(first.reads.apply_range(second.writes.reverse()));
    if (pairs.is_empty()) return false;
    const isl::map all = pairs.as_map();
    const isl::map crossing = wanted(all.space(), carrier, around.size(), shared).intersect(all);
    return !crossing.is_empty();
  } catch (const isl::exception_quota&) {
    return std::nullopt;
  }
}

}  // namespace solway::schedule
