#include "schedule/flow.h"

#include <algorithm>

#include "schedule/compact_time.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

constexpr const char* kBefore = "before ";
constexpr const char* kAfter = "after ";
constexpr const char* kGroup = "group ";

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

bool caller_sees(const Program& program, const Array& array) {
  if (array.kind != ArrayKind::Tensor) return false;
  return array.tensor->is_placeholder() || program.is_output(array);
}

class Expander {
 public:
  Expander(const Program& program, const isl::union_map& time)
      : program_(program), time_(compact_time(time)), width_(width_of(time_)) {
    const isl::union_map none = isl::union_map::empty(program.ctx());
    out_.writes = out_.landings = out_.time = out_.groups = out_.partners = none;
    out_.updates = out_.issues = out_.completes = isl::union_set::empty(program.ctx());
    out_.reads.push_back(none);
  }

  ElementProgram run() {
    for (const auto& [name, s] : program_.statements) {
      if (s.copy && !s.copy->elements.is_empty()) add_transfer(s);
      if (!s.copy && !s.domain.is_empty()) add_statement(s);
    }
    for (const auto& [name, array] : program_.arrays) {
      if (array.kind == ArrayKind::Buffer) continue;
      add_virtual(array, Phase::Before);
      if (caller_sees(program_, array)) add_virtual(array, Phase::After);
    }
    return std::move(out_);
  }

 private:
  void read(std::size_t operand, const isl::map& access) {
    while (out_.reads.size() <= operand) {
      out_.reads.push_back(isl::union_map::empty(program_.ctx()));
    }
    out_.reads[operand] = out_.reads[operand].unite(access.to_union_map());
  }

  void add_statement(const Statement& s) {
    out_.writes = out_.writes.unite(s.written());
    for (std::size_t k = 0; k < s.reads.size(); ++k) read(k, s.reads[k].relation);
    const isl::map time = time_.intersect_domain(s.domain.to_union_set()).as_map();
    out_.time = out_.time.unite(in_phase(time, Phase::Program).to_union_map());
    if (!s.group) return;
    const std::string name = isl_ext::tuple_name(*s.group, isl_ext::Dim::Range);
    out_.groups = out_.groups.unite(
        isl_ext::with_tuple_name(*s.group, isl_ext::Dim::Range, kGroup + name).to_union_map());
    if (s.kind == StatementKind::Update) out_.updates = out_.updates.unite(s.domain.to_union_set());
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
    const isl::map time = copy.elements.domain_map().apply_range(time_).as_map();
    out_.time = out_.time.unite(in_phase(time, Phase::Program).to_union_map());
    if (s.kind == StatementKind::Issue) {
      out_.issues = out_.issues.unite(moved);
      return;
    }
    out_.completes = out_.completes.unite(moved);
    out_.landings = out_.landings.unite(written.to_union_map());
    const std::string issue = copy.transfer + "_issue";
    const isl::set positions = copy.elements.domain();
    const isl::map same_position =
        isl_ext::with_tuple_name(positions.identity(), isl_ext::Dim::Range, issue);
    out_.partners = out_.partners.unite(same_position.product(copy.elements.range().identity())
                                            .intersect_domain(copy.elements.wrap())
                                            .to_union_map());
  }

  void add_virtual(const Array& array, Phase phase) {
    const std::string name = (phase == Phase::Before ? kBefore : kAfter) + array.name;
    const isl::map access =
        isl_ext::with_tuple_name(array.extent.identity(), isl_ext::Dim::Domain, name);
    if (phase == Phase::Before) {
      out_.writes = out_.writes.unite(access.to_union_map());
    } else {
      read(0, access);
    }
    out_.time = out_.time.unite(in_phase(zeros_on(access.domain(), width_), phase).to_union_map());
  }

  const Program& program_;
  isl::union_map time_;
  int width_;
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

isl::union_map last_writers(const ElementProgram& program, const isl::union_map& reads) {
  return isl_ext::last_writers(reads, program.writes, program.time).must.reverse();
}

std::optional<Sources> sources_of(const ElementProgram& program) {
  Sources out;
  for (const isl::union_map& reads : program.reads) {
    out.direct.push_back(last_writers(program, reads));
  }
  const isl::union_map step = out.direct[0].intersect_domain(program.completes);
  const isl::union_set transfers = program.issues.unite(program.completes);
  for (const isl::union_map& direct : out.direct) {
    isl::union_map source = direct.subtract_domain(transfers);
    int copies = 0;
    for (;; ++copies) {
      const isl::union_map copied = source.intersect_range(program.completes);
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
