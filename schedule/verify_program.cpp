#include "schedule/verify_program.h"

#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

void require(bool holds, const Statement& s, const std::string& what) {
  if (!holds) throw InternalError({s.where, "statement '" + s.name + "' " + what, "", ""});
}

/// The tensor that an access is about, be it in a buffer or not: two values of one instance are
/// told apart by it.
std::string tensor_of(const Program& program, const isl::map& access) {
  std::string array = isl_ext::tuple_name(access, isl_ext::Dim::Range);
  for (auto at = program.buffers.find(array); at != program.buffers.end();
       at = program.buffers.find(array)) {
    array = at->second.tensor;
  }
  return array;
}

void verify_same(const Program& program, const Statement& was, const Statement& is) {
  require(is.kind == was.kind && is.reduce == was.reduce, is, "became another kind");
  require(is.domain.is_equal(was.domain), is, "has other instances than it was written with");
  require(is.writes.size() == was.writes.size() && is.reads.size() == was.reads.size(), is,
          "has another body");
  for (std::size_t k = 0; k < is.writes.size(); ++k) {
    require(is.writes[k].value == was.writes[k].value, is, "has another body");
    require(tensor_of(program, is.writes[k].relation) == tensor_of(program, was.writes[k].relation),
            is, "writes another tensor");
  }
  for (std::size_t k = 0; k < is.reads.size(); ++k) {
    require(is.reads[k].read == was.reads[k].read && tensor_of(program, is.reads[k].relation) ==
                                                         tensor_of(program, was.reads[k].relation),
            is, "has other operands");
  }
  require(is.group.has_value() == was.group.has_value() &&
              (!is.group || is.group->is_equal(*was.group)),
          is, "belongs to another reduction");
}

void verify_accesses(const Statement& s) {
  for (const Write& write : s.writes) {
    require(write.relation.is_equal(write.index.as_map().intersect_domain(s.domain)), s,
            "writes elsewhere than its index says");
  }
  for (const Operand& operand : s.reads) {
    const isl::set where = operand.relation.domain();
    require(where.is_subset(s.domain) &&
                operand.relation.is_equal(operand.index.as_map().intersect_domain(where)),
            s, "reads elsewhere than its index says");
  }
}

/// The relations of a copy on [S[position] -> T[element]], as its expressions say.
struct Box {
  isl::set inside;
  isl::multi_pw_aff cell;  ///< { [S[position] -> T[element]] -> [cell] }
};

Box box_of(const Copy& copy, const Buffer& buffer) {
  const isl::space space = copy.elements.space();
  const isl::multi_aff position = space.domain_map_multi_aff();
  const isl::multi_aff element = space.range_map_multi_aff();
  const isl::multi_pw_aff first = copy.first.pullback(position);
  const isl::multi_pw_aff count = copy.count.pullback(position);
  const auto offset = [&](int k) { return isl::pw_aff(element.at(k)).sub(first.at(k)); };
  Box out{isl::set::universe(copy.elements.wrap().space()), copy.near_first.pullback(position)};
  for (int k = 0; k < isl_ext::dim_count(copy.elements, isl_ext::Dim::Range); ++k) {
    const isl::pw_aff e = offset(k);
    out.inside = out.inside.intersect(e.ge_set(e.scale(0))).intersect(e.lt_set(count.at(k)));
  }
  for (std::size_t k = 0; k < buffer.dims.size(); ++k) {
    const int at = static_cast<int>(k);
    out.cell = out.cell.set_at(at, out.cell.at(at).add(offset(buffer.dims[k])));
  }
  return out;
}

void verify_transfer(const Program& program, const Statement& s) {
  require(s.copy.has_value() && s.writes.size() == 1 && s.reads.size() == 1, s,
          "is a transfer without a copy");
  const Copy& copy = *s.copy;
  const bool issue = s.kind == StatementKind::Issue;
  require(s.name == copy.transfer + (issue ? "_issue" : "_complete"), s, "has another name");
  require(program.buffers.count(copy.buffer) != 0 && program.arrays.count(copy.buffer) != 0 &&
              program.array(copy.buffer).kind == ArrayKind::Buffer,
          s, "has no buffer");
  require(copy.elements.domain().is_subset(s.domain), s, "moves data where it does not run");
  require(isl_ext::tuple_name(copy.elements, isl_ext::Dim::Range) ==
                  program.buffers.at(copy.buffer).tensor &&
              isl_ext::tuple_name(copy.storage, isl_ext::Dim::Range) == copy.buffer,
          s, "moves another tensor");
  const Box box = box_of(copy, program.buffers.at(copy.buffer));
  const isl::set moved = copy.elements.wrap();
  require(copy.elements.is_equal(box.inside.unwrap().intersect_domain(s.domain)), s,
          "does not move the box that it says");
  require(copy.storage.is_equal(box.cell.as_map().intersect_domain(moved)), s,
          "keeps elements in other cells than it says");
  const isl::map near = copy.storage.domain_factor_domain();
  const bool get = copy.direction == CopyDirection::Get;
  require(s.writes[0].relation.is_equal(get ? near : copy.elements) &&
              s.reads[0].relation.is_equal(get ? copy.elements : near),
          s, "accesses other elements than it moves");
}

}  // namespace

void verify_program(const Program& original, const Program& program) {
  for (const auto& [name, was] : original.statements) {
    const auto is = program.statements.find(name);
    require(is != program.statements.end(), was, "is no longer there");
    verify_same(program, was, is->second);
  }
  for (const auto& [name, s] : program.statements) {
    if (s.is_transfer()) {
      verify_transfer(program, s);
      continue;
    }
    require(!s.copy && original.statements.count(name) != 0, s, "was never written");
    verify_accesses(s);
  }
}

}  // namespace solway::schedule
