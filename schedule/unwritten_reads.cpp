#include "schedule/unwritten_reads.h"

#include "schedule/compact_time.h"
#include "schedule/loop_instances.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// Whether the first instance of all that read finds such an element: where a statement reads what
/// it has computed, most often so, and far quicker to see than where every value comes from.
bool is_first_unwritten(const isl::union_map& reads, const isl::union_map& writes,
                        const isl::union_map& time) {
  const isl::union_map readers = time.intersect_domain(reads.domain());
  const isl::union_set moment = readers.range().lexmin();
  const isl::union_map first = readers.intersect_range(moment);
  const isl::union_set elements = first.domain().apply(reads);
  const isl::union_map near = writes.intersect_range(elements);
  const isl::union_map earlier = isl_ext::lex_lt(time.intersect_domain(near.domain()), first);
  return !elements.is_subset(earlier.domain().apply(near));
}

}  // namespace

bool has_unwritten_reads(const isl::union_map& reads, const isl::union_map& writes,
                         const isl::union_map& time) {
  if (reads.is_empty()) return false;
  const LoopInstances instances(
      compact_time(time.intersect_domain(reads.domain().unite(writes.domain()))));
  const isl::union_map by_loops = instances.accesses(reads);
  const isl::union_map written = instances.accesses(writes);
  if (is_first_unwritten(by_loops, written, instances.time())) return true;
  return !isl_ext::last_writers(by_loops, written, instances.time()).no_source.is_empty();
}

}  // namespace solway::schedule
