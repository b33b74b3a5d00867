#include "schedule/padded_copy.h"

#include <algorithm>
#include <utility>

#include "schedule/as_written.h"
#include "schedule/fusion.h"
#include "schedule/nested_statement.h"
#include "schedule/passed_elements.h"
#include "schedule/rewrite_loops.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// Finds out whether a stage is a padded copy that nobody has scheduled.
class Finder {
 public:
  Finder(const State& state, const std::string& tensor, const std::set<std::string>& readers,
         const Request& request)
      : state_(state), program_(*state.program), readers_(readers), request_(request) {
    out_.stage = tensor;
  }

  PaddedCopy run() {
    const Statement& s = the_statement();
    require_unscheduled();
    require_only_readers();
    find_copy(s);
    find_shift();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why, const std::string& fix) const {
    throw ScheduleArgumentError(
        {request_.where, request_.text + ": the border of '" + out_.stage + "' cannot be filled",
         why, fix});
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw UnsupportedError(
        {request_.where, request_.text + ": the border of '" + out_.stage + "' cannot be filled",
         why, "leave fill_padding out: the tensor is computed in main memory, border included"});
  }

  const Statement& the_statement() const {
    const std::vector<std::string> names = statements_of(state_, out_.stage);
    if (names.empty()) {
      refuse("no stage of this schedule computes it", "leave fill_padding out");
    }
    const Statement& s = program_.statement(names.front());
    const bool is_copy = names.size() == 1 && s.name == out_.stage &&
                         s.kind == StatementKind::Compute && s.writes.size() == 1 && !s.group;
    if (!is_copy) {
      fail("it is no select between the elements of one tensor and what is around them");
    }
    const isl::map stored = s.writes[0].relation.set_range_tuple(s.name);
    if (s.origin || !s.inlined.empty() || !stored.is_equal(s.domain.identity())) {
      refuse("another primitive changed where or how it is computed",
             "leave that one out, or fill_padding");
    }
    return s;
  }

  /// Its loops move with it, and start where a tile does.
  void require_unscheduled() const {
    if (has_loops_as_written(state_, out_.stage)) return;
    refuse("its loops are not as they were written, or something else runs in them",
           "leave the stage as it is, and schedule what reads it");
  }

  [[noreturn]] void refuse_user(const std::string& who) const {
    refuse(who + " uses it as well, outside of the buffer",
           "choose a position around all that read it, or leave fill_padding out");
  }

  void require_only_readers() const {
    if (program_.is_output(program_.array(out_.stage))) refuse_user("the caller");
    for (const auto& [name, s] : program_.statements) {
      if (name == out_.stage || readers_.count(name) != 0) continue;
      if (!s.reads_from(out_.stage) && !s.writes_to(out_.stage)) continue;
      refuse_user("'" + s.stage + "'");
    }
  }

  void find_copy(const Statement& s) {
    const DType type = program_.array(out_.stage).type;
    const isl::union_map passed = passed_elements(s, type).coalesce();
    const bool is_one = isl_ext::sorted_maps(passed).size() == 1;
    if (is_one) {
      out_.inside = passed.as_map().set_domain_tuple(out_.stage);
      out_.memory = isl_ext::tuple_name(out_.inside, Dim::Range);
    }
    if (!is_one || program_.array(out_.memory).kind != ArrayKind::Tensor) {
      fail("it does not copy the elements of one tensor of main memory as they are");
    }
    if (s.domain.is_subset(out_.inside.domain())) {
      refuse("it has no border: all of it is copied", "leave fill_padding out");
    }
  }

  void find_shift() {
    const auto from = isl_ext::dim_count(out_.inside, Dim::Domain);
    if (from != isl_ext::dim_count(out_.inside, Dim::Range)) fail_moved();
    const isl::map apart = isl_ext::with_tuple_name(out_.inside, Dim::Domain, "");
    const isl::set deltas = isl_ext::with_tuple_name(apart, Dim::Range, "").deltas();
    for (int k = 0; k < from; ++k) {
      const auto low = isl_ext::try_dim_min(deltas, k);
      if (!low || low != isl_ext::try_dim_max(deltas, k)) fail_moved();
      out_.shift.push_back(*low);
    }
  }

  [[noreturn]] void fail_moved() const {
    fail("its dimensions are not those of '" + out_.memory + "', moved by constants");
  }

  const State& state_;
  const Program& program_;
  const std::set<std::string>& readers_;
  const Request& request_;
  PaddedCopy out_;
};

isl::multi_aff shifted(const isl::multi_aff& corner, const PaddedCopy& copy) {
  isl::multi_aff out = corner.set_range_tuple(copy.memory);
  for (std::size_t k = 0; k < copy.shift.size(); ++k) {
    const auto dim = static_cast<int>(k);
    out = out.set_at(dim, out.at(dim).add_constant(static_cast<long>(copy.shift[k])));
  }
  return out;
}

}  // namespace

PaddedCopy padded_copy_of(const State& state, const std::string& tensor,
                          const std::set<std::string>& readers, const Request& request) {
  return Finder(state, tensor, readers, request).run();
}

bool is_padded_copy(const State& state, const std::string& stage) {
  std::set<std::string> readers;
  for (const auto& [name, s] : state.program->statements) {
    if (s.reads_from(stage) && !s.is_transfer()) readers.insert(name);
  }
  try {
    padded_copy_of(state, stage, readers, {"fill_padding", {}});
    return !readers.empty();
  } catch (const ScheduleArgumentError&) {
    return false;
  } catch (const UnsupportedError&) {
    return false;
  }
}

Footprint footprint_in_memory(const Footprint& footprint, const PaddedCopy& copy) {
  Footprint out = footprint;
  out.box = footprint.box.apply_range(copy.inside).coalesce();
  out.offset = shifted(footprint.offset, copy);
  out.origin = shifted(footprint.origin, copy);
  return out;
}

void fill_border(Program& program, Order& order, const Position& position,
                 const Footprint& footprint, const PaddedCopy& copy, const std::string& buffer) {
  const Statement was = program.statement(copy.stage);
  const isl::map border =
      footprint.box.subtract(footprint.box.intersect_range(copy.inside.domain()));
  const NestedStatement made =
      nested_statement(was, border.set_range_tuple(was.name).coalesce(), position.axes());
  Statement s = made.statement;
  Write& write = s.writes[0];
  write.index = cell_of(footprint, write.index, made.position, buffer);
  write.relation = write.index.as_map().intersect_domain(s.domain);
  copy_coordinates(order, s.name, s.name, made.inner);
  position.give_values(order, s.name, made.position);
  const std::vector<LoopId> path = order.placement_of(s.name).path;
  for (std::size_t k = 0; k < path.size(); ++k) {
    Loop& loop = order.loops.at(path[k]);
    const isl::pw_aff start(footprint.offset.at(static_cast<int>(k)));
    loop.value.insert_or_assign(
        s.name, loop.value.at(s.name).pullback(made.inner).sub(start.pullback(made.position)));
    set_range(loop, {{s.name, s.domain}});
  }
  program.statements.insert_or_assign(s.name, std::move(s));
  Array& tensor = program.arrays.at(copy.stage);  // main memory has none of it
  tensor.kind = ArrayKind::Buffer;
  tensor.scope.clear();
}

std::optional<std::string> filled_buffer(const State& state, const std::string& stage) {
  const auto s = state.program->statements.find(stage);
  if (s == state.program->statements.end()) return std::nullopt;
  for (const Write& write : s->second.writes) {
    const auto buffer =
        state.program->buffers.find(isl_ext::tuple_name(write.relation, Dim::Range));
    if (buffer == state.program->buffers.end() || buffer->second.memory.empty()) continue;
    if (buffer->second.tensor == stage) return buffer->first;
  }
  return std::nullopt;
}

void require_not_filled(const State& state, const std::string& stage, const Request& request) {
  const auto buffer = filled_buffer(state, stage);
  if (!buffer) return;
  const Buffer& made = state.program->buffers.at(*buffer);
  throw ScheduleArgumentError(
      {request.where, request.text + ": '" + stage + "' fills the border of '" + *buffer + "'",
       made.primitive + " at " + made.where.to_string() + " put it there",
       "leave fill_padding out of that buffer, or this call"});
}

}  // namespace solway::schedule
