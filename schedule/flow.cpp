#include "schedule/flow.h"

#include <algorithm>
#include <map>
#include <string>

#include "schedule/compact_time.h"
#include "schedule/final_writers.h"
#include "schedule/passed_elements.h"
#include "schedule/replied_buffers.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

constexpr const char* kBefore = "before ";
constexpr const char* kAfter = "after ";
constexpr const char* kGroup = "group ";
constexpr const char* kInlined = "inlined";

/// When a statement runs, outermost: the program lies between the two virtual statements.
enum class Phase : std::uint8_t { Before, Program, After };

isl::map constant_on(const isl::set& domain, long value) {
  return domain.pw_aff_on_domain(isl::val(domain.ctx(), value)).to_multi_pw_aff().as_map();
}

isl::map in_phase(const isl::map& time, Phase phase) {
  return isl_ext::flat_range_product(constant_on(time.domain(), static_cast<long>(phase)), time);
}

int width_of(const isl::union_map& time) {
  int width = 1;
  for (const isl::map& map : isl_ext::sorted_maps(time)) {
    width = std::max(width, isl_ext::dim_count(map, isl_ext::Dim::Range));
  }
  return width;
}

isl::map zeros_on(const isl::set& domain, int width) {
  isl::map out = constant_on(domain, 0);
  for (int k = 1; k < width; ++k) out = isl_ext::flat_range_product(out, constant_on(domain, 0));
  return out;
}

bool has_inlined_values(const Program& program) {
  return std::any_of(program.statements.begin(), program.statements.end(),
                     [](const auto& pair) { return !pair.second.inlined.empty(); });
}

bool has_origins(const Program& program) {
  return std::any_of(program.statements.begin(), program.statements.end(), [](const auto& pair) {
    return pair.second.origin.has_value() || !pair.second.inlined.empty();
  });
}

bool is_seen(const Program& program, const Array& array) {
  if (program.seen) return program.seen->count(array.name) != 0;
  if (array.kind != ArrayKind::Tensor) return false;
  return program.is_input(array) || program.is_output(array);
}

class Expander {
 public:
  Expander(const Program& program, const isl::union_map& time)
      : program_(program),
        time_(compact_time(time)),
        width_(width_of(time_)),
        has_inlined_(has_inlined_values(program)) {
    const isl::union_map none = isl::union_map::empty(program.ctx());
    const isl::union_set nobody = isl::union_set::empty(program.ctx());
    out_.writes = out_.landings = out_.time = out_.groups = out_.partners = out_.users = none;
    out_.passed = none;
    out_.inits = out_.updates = out_.merges = out_.inlined = nobody;
    out_.issues = out_.completes = out_.copies = nobody;
    out_.replies = {none, none, none};
    out_.reads.push_back(none);
    if (has_origins(program)) out_.origin = none;
  }

  ElementProgram run() {
    for (const auto& [name, s] : program_.statements) {
      if (s.copy && !s.copy->elements.is_empty()) add_transfer(s);
      if (!s.copy && !s.domain.is_empty()) add_statement(s);
    }
    for (const auto& [name, array] : program_.arrays) {
      if (array.kind == ArrayKind::Buffer) continue;
      add_virtual(array, Phase::Before);
      if (is_seen(program_, array)) add_virtual(array, Phase::After);
    }
    out_.replied = replied_buffers(program_);
    out_.instances.emplace(out_.time);
    return std::move(out_);
  }

 private:
  void read(std::size_t operand, const isl::map& access) {
    while (out_.reads.size() <= operand) {
      out_.reads.push_back(isl::union_map::empty(program_.ctx()));
    }
    out_.reads[operand] = out_.reads[operand].unite(access.to_union_map());
  }

  /// Adds when `instances` { [..] -> [time] } run; of one time the inlined ones run first, the
  /// innermost before those that use it.
  void run_at(const isl::map& time, Phase phase, std::size_t inlined = 0) {
    isl::map all = in_phase(time, phase);
    if (has_inlined_) {
      const auto depth = -static_cast<long>(inlined);
      all = isl_ext::flat_range_product(all, constant_on(time.domain(), depth));
    }
    out_.time = out_.time.unite(all.to_union_map());
  }

  void computes(const isl::map& origin) {
    if (out_.origin) out_.origin = out_.origin->unite(origin.to_union_map());
  }

  void add_statement(const Statement& s) {
    out_.writes = out_.writes.unite(s.written());
    for (std::size_t k = 0; k < s.reads.size(); ++k) {
      const Operand& operand = s.reads[k];
      read(operand.place.value_or(k), by_owner(s, operand.owner, operand.relation));
    }
    const isl::map time = time_.intersect_domain(s.domain.to_union_set()).as_map();
    run_at(time, Phase::Program);
    computes(s.origin.value_or(s.domain.identity()));
    for (std::size_t k = 0; k < s.inlined.size(); ++k) add_inlined(s, k, time);
    if (s.is_layout_copy()) out_.copies = out_.copies.unite(s.domain.to_union_set());
    if (s.writes.size() == 1) {
      const std::string array = isl_ext::tuple_name(s.writes[0].relation, isl_ext::Dim::Range);
      out_.passed = out_.passed.unite(passed_elements(s, program_.array(array).type));
    }
    if (s.group) add_reduction(s);
  }

  void add_reduction(const Statement& s) {
    const std::string name = isl_ext::tuple_name(*s.group, isl_ext::Dim::Range);
    out_.groups = out_.groups.unite(
        isl_ext::with_tuple_name(*s.group, isl_ext::Dim::Range, kGroup + name).to_union_map());
    const isl::union_set all = s.domain.to_union_set();
    if (s.kind == StatementKind::Init) out_.inits = out_.inits.unite(all);
    if (s.kind != StatementKind::Update) return;
    out_.updates = out_.updates.unite(all);
    if (s.is_merge()) out_.merges = out_.merges.unite(all);
    while (out_.accumulating.size() < s.writes.size()) {
      out_.accumulating.push_back(isl::union_set::empty(program_.ctx()));
    }
    for (std::size_t k = 0; k < s.writes.size(); ++k) {
      out_.accumulating[k] = out_.accumulating[k].unite(all);
    }
  }

  /// { [S[i] -> inlined_k[]] -> S[i] }, owner 0 being S itself.
  static isl::map user_of(const Statement& s, std::size_t owner) {
    if (owner == 0) return s.domain.identity();
    const isl::set where = s.inlined[owner - 1].origin.domain();
    const isl::space pair =
        where.space().add_named_tuple(isl::id(where.ctx(), kInlined + std::to_string(owner)), 0);
    return isl::multi_aff::domain_map(pair).as_map().intersect_domain(
        isl::map::universe(pair).intersect_domain(where).wrap());
  }

  static isl::map by_owner(const Statement& s, std::size_t owner, const isl::map& access) {
    return owner == 0 ? access : user_of(s, owner).apply_range(access);
  }

  void add_inlined(const Statement& s, std::size_t k, const isl::map& time) {
    const Inlined& value = s.inlined[k];
    const isl::map user = user_of(s, k + 1);
    const isl::map cell = isl_ext::with_tuple_name(
        value.origin.domain().identity(), isl_ext::Dim::Range, s.name + " " + std::to_string(k));
    out_.writes = out_.writes.unite(user.apply_range(cell).to_union_map());
    out_.inlined = out_.inlined.unite(cell.range().to_union_set());
    out_.users = out_.users.unite(user.to_union_map());
    read(value.place, by_owner(s, value.owner, cell));
    run_at(user.apply_range(time), Phase::Program, k + 1);
    computes(user.apply_range(value.origin));
  }

  void add_transfer(const Statement& s) {
    const Copy& copy = *s.copy;
    const isl::map far = copy.elements.range_map().as_map();
    const isl::map& near = copy.storage;
    const bool get = copy.direction == CopyDirection::Get;
    const isl::map& written = get ? near : far;
    const isl::union_set moved = copy.elements.wrap().to_union_set();
    out_.writes = out_.writes.unite(written.to_union_map());
    read(0, get ? far : near);
    run_at(copy.elements.domain_map().apply_range(time_).as_map(), Phase::Program);
    add_reply(s);
    if (s.kind == StatementKind::Issue) {
      out_.issues = out_.issues.unite(moved);
      return;
    }
    out_.completes = out_.completes.unite(moved);
    out_.copies = out_.copies.unite(moved);
    out_.landings = out_.landings.unite(written.to_union_map());
    const std::string issue = copy.transfer + "_issue";
    const isl::set positions = copy.elements.domain();
    const isl::map same_position =
        isl_ext::with_tuple_name(positions.identity(), isl_ext::Dim::Range, issue);
    out_.partners = out_.partners.unite(same_position.product(copy.elements.range().identity())
                                            .intersect_domain(copy.elements.wrap())
                                            .to_union_map());
  }

  void add_reply(const Statement& s) {
    const isl::map use = program_.reply_of(s);
    out_.replies.uses = out_.replies.uses.unite(use.to_union_map());
    out_.replies.time =
        out_.replies.time.unite(time_.intersect_domain(use.domain().to_union_set()));
    if (s.kind == StatementKind::Issue) return;
    const isl::map same_position = isl_ext::with_tuple_name(
        use.domain().identity(), isl_ext::Dim::Range, s.copy->transfer + "_issue");
    out_.replies.partners = out_.replies.partners.unite(same_position.to_union_map());
  }

  void add_virtual(const Array& array, Phase phase) {
    const std::string name = (phase == Phase::Before ? kBefore : kAfter) + array.name;
    const isl::map places = array.layout ? array.layout->places : array.extent.identity();
    const isl::map access = isl_ext::with_tuple_name(places, isl_ext::Dim::Domain, name);
    if (phase == Phase::Before) {
      out_.writes = out_.writes.unite(access.to_union_map());
    } else {
      read(0, access);
    }
    run_at(zeros_on(access.domain(), width_), phase);
    computes(access.domain().identity());
  }

  const Program& program_;
  isl::union_map time_;
  int width_;
  bool has_inlined_;
  ElementProgram out_;
};

std::optional<std::string> without_prefix(const std::string& text, const std::string& prefix) {
  if (text.rfind(prefix, 0) != 0) return std::nullopt;
  return text.substr(prefix.size());
}

}  // namespace

ElementProgram elementwise(const Program& program, const isl::union_map& time) {
  return Expander(program, time).run();
}

std::optional<std::string> array_before_program(const std::string& tuple) {
  return without_prefix(tuple, kBefore);
}

std::optional<std::string> array_after_program(const std::string& tuple) {
  return without_prefix(tuple, kAfter);
}

namespace {

/// By the array that they access.
std::map<std::string, isl::union_map> by_array(const isl::union_map& accesses) {
  std::map<std::string, isl::union_map> out;
  accesses.foreach_map([&](const isl::map& one) {
    const auto [at, is_new] =
        out.emplace(isl_ext::tuple_name(one, isl_ext::Dim::Range), one.to_union_map());
    if (!is_new) at->second = at->second.unite(one.to_union_map());
  });
  return out;
}

/// Whether elements are written before the program alone, each once.
bool are_only_given(const isl::union_map& writes) {
  return by_phase(writes, array_before_program).others.is_empty() && writes.is_injective();
}

/// last_writers of accesses to one array.
isl::union_map last_writers_of_array(const isl::union_map& reads, const isl::union_map& writes,
                                     const LoopInstances& instances) {
  if (are_only_given(writes)) return reads.apply_range(writes.reverse());
  // Of few statements fewer columns of time differ, and isl looks at each.
  const isl::union_map sinks = instances.accesses(reads);
  const isl::union_map sources = instances.accesses(writes);
  const isl::union_set statements = sinks.domain().unite(sources.domain()).universe();
  const isl::union_map order = compact_time(instances.time().intersect_domain(statements));
  const isl::union_map found = isl_ext::last_writers(sinks, sources, order).must.reverse();
  return instances.pairs_as_written(found);
}

/// Calls `act` with the reads and the writes of each array that has both.
template <typename Act>
void for_each_array(const isl::union_map& reads, const isl::union_map& writes, const Act& act) {
  const std::map<std::string, isl::union_map> all = by_array(writes);
  for (const auto& [array, accesses] : by_array(reads)) {
    const auto own = all.find(array);
    if (own != all.end()) act(accesses, own->second);
  }
}

}  // namespace

isl::union_map last_writers(const isl::union_map& reads, const isl::union_map& writes,
                            const LoopInstances& instances) {
  isl::union_map out = isl::union_map::empty(reads.ctx());
  for_each_array(reads, writes, [&](const isl::union_map& own, const isl::union_map& written) {
    out = out.unite(last_writers_of_array(own, written, instances));
  });
  return out;
}

isl::union_map last_writers(const ElementProgram& program, const isl::union_map& reads) {
  std::optional<LoopInstances> made;
  const auto instances = [&]() -> const LoopInstances& {
    if (program.instances) return *program.instances;
    if (!made) made.emplace(program.time);
    return *made;
  };
  isl::union_map out = isl::union_map::empty(reads.ctx());
  const auto add = [&](const isl::union_map& own, const isl::union_map& written) {
    const auto [after, inside] = by_phase(own, array_after_program);
    const auto last = after.is_empty() ? std::nullopt : final_writers(program, after, written);
    if (last) out = out.unite(*last);
    const isl::union_map& left = last ? inside : own;
    if (!left.is_empty()) out = out.unite(last_writers_of_array(left, written, instances()));
  };
  for_each_array(reads, program.writes, add);
  return out;
}

std::optional<Sources> sources_of(const ElementProgram& program) {
  Sources out;
  for (const isl::union_map& reads : program.reads) {
    out.direct.push_back(last_writers(program, reads));
  }
  const isl::union_map step = out.direct[0].intersect_domain(program.copies);
  const isl::union_set transfers = program.issues.unite(program.copies);
  for (const isl::union_map& direct : out.direct) {
    isl::union_map source = direct.subtract_domain(transfers);
    int copies = 0;
    for (;; ++copies) {
      const isl::union_map copied = source.intersect_range(program.copies);
      if (copied.is_empty()) break;
      if (copies == kMaxCopies) return std::nullopt;
      source = source.subtract(copied).unite(copied.apply_range(step)).coalesce();
    }
    out.computed.push_back(source);
  }
  return out;
}

isl::union_map by_group(const isl::union_map& sources, const ElementProgram& program) {
  return sources.subtract_range(program.groups.domain()).unite(sources.apply_range(program.groups));
}

}  // namespace solway::schedule
