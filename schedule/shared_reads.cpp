#include "schedule/shared_reads.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "schedule/region.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// The copies of one buffer, by who makes them when.
class SharedRead {
 public:
  SharedRead(const State& state, const Buffer& buffer)
      : state_(state),
        buffer_(buffer),
        complete_(state.program->statement(buffer.name + "_get_complete")),
        path_(state.order.placement_of(complete_.name).path),
        shared_(sharing_loops(state, buffer)) {
    for (const LoopId id : path_) {
      if (std::find(shared_.begin(), shared_.end(), id) == shared_.end()) others_.push_back(id);
    }
  }

  void require_legal(const Request& request) const {
    std::optional<isl::set> absent;
    std::optional<isl::map> unread, unfilled_cells;
    try {
      const IslBudget budget(state_.program->ctx(), kProgramBudget);
      absent = absences();
      if (absent->is_empty()) unread = differences();
      if (absent->is_empty() && unread->is_empty()) unfilled_cells = unfilled();
    } catch (const isl::exception_quota&) {
      throw undecided(request, kProgramBudget);
    }
    if (!absent->is_empty()) refuse_absence(*absent, request);
    if (!unread->is_empty()) refuse_difference(*unread, request);
    if (!unfilled_cells->is_empty()) refuse_border(*unfilled_cells, request);
  }

 private:
  /// { C[position] -> [values of `loops`] }
  isl::map values(const std::vector<LoopId>& loops) const {
    return values_of(state_, complete_.name, loops).as_map().intersect_domain(complete_.domain);
  }

  /// { [[shared loops] -> [other loops]] }: what one core does not run and another one does.
  isl::set absences() const {
    const isl::map cores = values(shared_);
    const isl::map times = values(others_);
    isl::set all = isl::set::universe(cores.range().space());
    for (std::size_t k = 0; k < shared_.size(); ++k) {
      const Loop& loop = state_.order.loop(shared_[k]);
      all = isl_ext::bound(all, static_cast<int>(k), loop.begin, loop.end);
    }
    const isl::map run = cores.reverse().apply_range(times);
    return all.product(times.range()).subtract(run.wrap());
  }

  /// { C[position] -> T[element] }: what is not copied there, but is by another core then.
  isl::map differences() const {
    const isl::map times = values(others_);
    const isl::map together = times.apply_range(times.reverse());
    const isl::map& copied = complete_.copy->elements;
    if (buffer_.memory.empty()) return together.apply_range(copied).subtract(copied);
    // What lies inside of a border may be the same where the borders are not.
    const isl::map placed = complete_.copy->storage.curry();
    const isl::map others = together.apply_range(placed).subtract(placed);
    return others.uncurry().domain().unwrap();
  }

  /// { C[position] -> B[cell] }: of the border, what is not filled there, but is by another core
  /// then, which may send it.
  isl::map unfilled() const {
    if (buffer_.memory.empty()) return isl::map::empty(complete_.copy->elements.space());
    const Statement& fill = state_.program->statement(buffer_.tensor);
    const isl::map filled = values_of(state_, fill.name, path_)
                                .as_map()
                                .intersect_domain(fill.domain)
                                .reverse()
                                .apply_range(fill.writes[0].relation);
    const isl::map times = values(others_);
    const isl::map own = values(path_).apply_range(filled);
    return times.apply_range(times.reverse()).apply_range(own).subtract(own);
  }

  std::string at(const std::vector<LoopId>& loops, const std::vector<std::int64_t>& values) const {
    std::string out;
    for (std::size_t k = 0; k < loops.size(); ++k) {
      out += (k == 0 ? "" : ", ") + loop_name(state_, loops[k]) + "=" + std::to_string(values[k]);
    }
    return out;
  }

  std::string who() const {
    return buffer_.shared_by == SharedBy::Row      ? "the cores of a row"
           : buffer_.shared_by == SharedBy::Column ? "the cores of a column"
                                                   : "the cores of the mesh";
  }

  std::string names() const {
    std::string out;
    for (const LoopId id : shared_)
      out += (out.empty() ? "'" : " and '") + loop_name(state_, id) + "'";
    return out;
  }

  [[noreturn]] void refuse_absence(const isl::set& absent, const Request& request) const {
    const std::vector<std::int64_t> all = isl_ext::coordinates(absent.lexmin().sample_point());
    const auto split = all.begin() + static_cast<std::ptrdiff_t>(shared_.size());
    const std::vector<std::int64_t> core(all.begin(), split);
    const std::vector<std::int64_t> time(split, all.end());
    const std::string then = others_.empty() ? "" : " at " + at(others_, time);
    const isl::map times = values(others_);
    const std::vector<std::int64_t> other =
        first(point(time, times.range().space()).apply(times.reverse()));
    const isl::set copied = point(other, complete_.domain.space()).apply(complete_.copy->elements);
    throw IllegalScheduleError(
        {request.where,
         request.text + " would let cores wait for a part of " + buffer_.name +
             " that nobody sends",
         who() + " copy " + buffer_.name + " together" + located(buffer_.shared_at) +
             ", but that of " + at(shared_, core) + " does not" + then,
         "let all iterations of " + names() + " copy it, without a condition on " + names() +
             ", or leave out broadcast"},
        {instance_of(complete_, other), instance_of(complete_, {}), buffer_.tensor,
         copied.is_empty() ? std::vector<std::int64_t>{} : first(copied), request.text});
  }

  /// The first instance of `instances`.
  static std::vector<std::int64_t> first(const isl::set& instances) {
    return isl_ext::coordinates(instances.lexmin().sample_point());
  }

  isl::set point(const std::vector<std::int64_t>& where, const isl::space& space) const {
    isl::set out = isl::set::universe(space);
    for (std::size_t k = 0; k < where.size(); ++k) {
      out = isl_ext::fix(out, static_cast<int>(k), where[k]);
    }
    return out;
  }

  [[noreturn]] void refuse_difference(const isl::map& unread, const Request& request) const {
    const isl::map smallest = with_smallest_sizes(unread.to_union_map()).as_map();
    const std::vector<std::int64_t> reader = first(smallest.domain());
    const isl::set here = point(reader, complete_.domain.space());
    const isl::set element = smallest.intersect_domain(here).range();
    const std::vector<std::int64_t> missing = first(element);
    const isl::map times = values(others_);
    const isl::set there = point(missing, element.space())
                               .apply(complete_.copy->elements.reverse())
                               .intersect(here.apply(times).apply(times.reverse()));
    const std::vector<std::int64_t> other = first(there);
    const auto values_at = [&](const std::vector<std::int64_t>& instance) {
      return first(point(instance, complete_.domain.space()).apply(values(path_)));
    };
    throw IllegalScheduleError(
        {request.where,
         request.text + " would give " + who() + " what only some of them read into " +
             buffer_.name,
         "at " + at(path_, values_at(other)) + " it holds " +
             element_text(buffer_.tensor, missing) + ", at " + at(path_, values_at(reader)) +
             " it does not; these are copied together" + located(buffer_.shared_at),
         "share a buffer whose region does not depend on " + names() + ", or leave out broadcast"},
        {instance_of(complete_, other), instance_of(complete_, reader), buffer_.tensor, missing,
         request.text});
  }

  [[noreturn]] void refuse_border(const isl::map& cells, const Request& request) const {
    const std::vector<std::int64_t> here = first(cells.domain());
    const auto loops = first(point(here, complete_.domain.space()).apply(values(path_)));
    throw IllegalScheduleError(
        {request.where,
         request.text + " would give " + who() + " what only some of them fill in " + buffer_.name,
         "at " + at(path_, loops) + " the border of " + buffer_.tensor +
             " is not that of another core; these are copied together" + located(buffer_.shared_at),
         "share a buffer whose region does not depend on " + names() + ", or leave out broadcast"},
        {instance_of(complete_, here),
         instance_of(complete_, here),
         buffer_.tensor,
         {},
         request.text});
  }

  const State& state_;
  const Buffer& buffer_;
  const Statement& complete_;
  const std::vector<LoopId>& path_;
  std::vector<LoopId> shared_;
  std::vector<LoopId> others_;
};

}  // namespace

std::vector<LoopId> sharing_loops(const State& state, const Buffer& buffer) {
  std::vector<LoopId> out;
  for (const LoopId id : state.order.placement_of(buffer.name + "_get_complete").path) {
    const Loop& loop = state.order.loop(id);
    if (loop.mark != LoopMark::Parallel) continue;
    const bool is_row = loop.hardware == "row";
    const bool is_column = loop.hardware == "column";
    if (buffer.shared_by == SharedBy::Row && !is_column) continue;
    if (buffer.shared_by == SharedBy::Column && !is_row) continue;
    out.push_back(id);
  }
  return out;
}

void require_shared_reads_legal(const State& state, const Request& request) {
  for (const auto& [name, buffer] : state.program->buffers) {
    if (buffer.shared_by == SharedBy::Core) continue;
    SharedRead(state, buffer).require_legal(request);
  }
}

}  // namespace solway::schedule
