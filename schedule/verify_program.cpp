#include "schedule/verify_program.h"

#include <algorithm>
#include <set>
#include <string>

#include "schedule/panels.h"
#include "schedule/transfer_rows.h"
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
  const auto home = [&](const isl::map& own) {
    return program.home_of(isl_ext::tuple_name(own, isl_ext::Dim::Range));
  };
  const std::string array = home(access);
  const auto copy = program.statements.find(array);
  if (copy == program.statements.end() || !copy->second.is_layout_copy()) return array;
  const std::string to = home(copy->second.writes[0].relation);
  return to == array ? home(copy->second.reads[0].relation) : to;
}

/// What an operand or an inlined value of `s` stands for in the program as written.
const Operand& written_operand(const Program& original, const Statement& s, std::size_t owner,
                               std::size_t place) {
  const isl::map origin = owner != 0 ? s.inlined.at(owner - 1).origin
                          : s.origin ? *s.origin
                                     : s.domain.identity();
  const Statement& was = original.statement(isl_ext::tuple_name(origin, isl_ext::Dim::Range));
  require(place < was.reads.size(), s, "has other operands");
  return was.reads[place];
}

/// The axes of `was` are dimensions of `is`, and have the values of the instance that it computes.
bool has_axes_of(const Statement& was, const Statement& is, const isl::map& origin) {
  for (std::size_t k = 0; k < was.axes.size(); ++k) {
    const auto at = std::find(is.axes.begin(), is.axes.end(), was.axes[k]);
    if (at == is.axes.end()) return false;
    const auto dim = static_cast<int>(at - is.axes.begin());
    const isl::map same = isl_ext::equate(isl::map::universe(origin.space()), isl_ext::Dim::Domain,
                                          dim, isl_ext::Dim::Range, static_cast<int>(k));
    if (!origin.is_subset(same)) return false;
  }
  return true;
}

void verify_body(const Program& original, const Program& program, const Statement& was,
                 const Statement& is) {
  require(is.kind == was.kind && is.reduce == was.reduce && is.combiner == was.combiner &&
              is.writes.size() == was.writes.size(),
          is, "became another kind");
  require(is.group.has_value() == was.group.has_value(), is, "belongs to another reduction");
  if (is.inlined.empty()) {
    require(is.reads.size() == was.reads.size(), is, "has another body");
    for (std::size_t k = 0; k < is.writes.size(); ++k) {
      require(is.writes[k].value == was.writes[k].value, is, "has another body");
    }
  }
  for (std::size_t k = 0; k < is.reads.size(); ++k) {
    const Operand& operand = is.reads[k];
    const Operand& written =
        written_operand(original, is, operand.owner, operand.place.value_or(k));
    require((operand.read == nullptr) == (written.read == nullptr), is, "has other operands");
    const bool is_accumulator = (was.reduce || was.combiner) && k < was.writes.size();
    require((is.origin && is_accumulator) ||
                tensor_of(program, operand.relation) == tensor_of(program, written.relation),
            is, "has other operands");
    if (operand.read == nullptr) continue;
    const bool same = is.inlined.empty() ? operand.read == written.read
                                         : operand.read->tensor == written.read->tensor;
    require(same, is, "has other operands");
  }
  for (std::size_t k = 0; k < is.inlined.size(); ++k) {
    const Inlined& value = is.inlined[k];
    require(value.owner <= k && value.origin.domain().is_subset(is.domain), is,
            "computes a value where it does not run");
    const Operand& written = written_operand(original, is, value.owner, value.place);
    const Statement& producer =
        original.statement(isl_ext::tuple_name(value.origin, isl_ext::Dim::Range));
    require(producer.kind == StatementKind::Compute && written.read != nullptr &&
                producer.writes_to(isl_ext::tuple_name(written.relation, isl_ext::Dim::Range)),
            is, "has another value inside its expression");
  }
}

void verify_same(const Program& original, const Program& program, const Statement& was,
                 const Statement& is) {
  require(is.domain.is_equal(was.domain), is, "has other instances than it was written with");
  require(!is.group || !was.group || is.group->is_equal(*was.group), is,
          "belongs to another reduction");
  for (std::size_t k = 0; k < std::min(is.writes.size(), was.writes.size()); ++k) {
    require(tensor_of(program, is.writes[k].relation) == tensor_of(program, was.writes[k].relation),
            is, "writes another tensor");
  }
  verify_body(original, program, was, is);
}

/// A statement that computes other instances than its own, or none.
void verify_origin(const Program& original, const Program& program, const Statement& s) {
  if (s.domain.is_empty()) return;
  require(s.origin->domain().is_subset(s.domain), s, "computes values where it does not run");
  if (s.is_layout_copy()) {
    require(s.reads.size() == 1 && s.writes.size() == 1 && s.reads[0].read &&
                s.reads[0].read == s.writes[0].value,
            s, "is no copy");
    return;
  }
  if (s.origin->is_empty()) {
    require(s.group && (s.kind == StatementKind::Init || s.kind == StatementKind::Update), s,
            "computes nothing that was written");
    return;
  }
  const Statement& was = original.statement(isl_ext::tuple_name(*s.origin, isl_ext::Dim::Range));
  require(s.origin->domain().is_equal(s.domain) && s.origin->is_single_valued() &&
              s.origin->range().is_subset(was.domain),
          s, "computes what was not written");
  require(has_axes_of(was, s, *s.origin), s, "has other indices in its body");
  verify_body(original, program, was, s);
}

/// Whether a read at data may be of more than the first element that was promised, `said`; nothing
/// moves the elements of its tensor.
bool is_promised(const Operand& operand, const isl::map& said) {
  const auto is_wide = [](const dsl::Expr& index) {
    return index->kind == dsl::ExprKind::Bounded && dsl::extent_of_promise(*index).max > 1;
  };
  const std::vector<dsl::Expr>& indices = operand.read->operands;
  const bool one = std::none_of(indices.begin(), indices.end(), is_wide);
  const std::string array = isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range);
  return array == operand.read->tensor->storage_name() && said.is_subset(operand.relation) &&
         (one || said.is_empty() || !operand.relation.is_single_valued());
}

void verify_accesses(const Statement& s) {
  for (const Write& write : s.writes) {
    require(write.relation.is_equal(write.index.as_map().intersect_domain(s.domain)), s,
            "writes elsewhere than its index says");
  }
  for (const Operand& operand : s.reads) {
    const isl::set where = operand.relation.domain();
    const isl::map said = operand.index.as_map().intersect_domain(where);
    require(where.is_subset(s.domain) &&
                (operand.is_exact ? operand.relation.is_equal(said) : is_promised(operand, said)),
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
    const auto stride = static_cast<long>(stride_along(buffer, k));
    const isl::pw_aff steps = e.scale_down(stride).floor();
    out.inside = out.inside.intersect(e.ge_set(e.scale(0))).intersect(steps.lt_set(count.at(k)));
    if (stride != 1) out.inside = out.inside.intersect(e.eq_set(steps.scale(stride)));
  }
  const isl::multi_pw_aff corner = out.cell;
  for (std::size_t k = 0; k < buffer.dims.size(); ++k) {
    const BufferDim& dim = buffer.dims[k];
    isl::pw_aff place = offset(dim.dim);
    for (std::size_t j = 0; j < buffer.dims.size(); ++j) {
      if (buffer.dims[j].dim != dim.dim) continue;
      const isl::pw_aff digit = corner.at(static_cast<int>(j + buffer.first_dim()));
      place = place.add(digit.scale(isl::val(digit.ctx(), buffer.dims[j].step)));
    }
    out.cell = out.cell.set_at(static_cast<int>(k + buffer.first_dim()), index_along(dim, place));
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
                  program.buffers.at(copy.buffer).moved_from() &&
              isl_ext::tuple_name(copy.storage, isl_ext::Dim::Range) == copy.buffer,
          s, "moves another tensor");
  const Box box = box_of(copy, program.buffers.at(copy.buffer));
  const isl::set moved = copy.elements.wrap();
  const isl::map inside = box.inside.unwrap().intersect_domain(s.domain);
  require(copy.rows.empty() ? copy.elements.is_equal(inside) : copy.elements.is_subset(inside), s,
          "does not move the box that it says");
  require(copy.rows.empty() ||
              are_rows(cells_in_region(copy, program.buffers.at(copy.buffer)), copy.rows),
          s, "moves rows that are no boxes");
  require(copy.storage.is_equal(box.cell.as_map().intersect_domain(moved)), s,
          "keeps elements in other cells than it says");
  const isl::map near = copy.storage.domain_factor_domain();
  const bool get = copy.direction == CopyDirection::Get;
  require(s.writes[0].relation.is_equal(get ? near : copy.elements) &&
              s.reads[0].relation.is_equal(get ? copy.elements : near),
          s, "accesses other elements than it moves");
}

/// Names of the statements as written of which something is computed.
std::set<std::string> computed_statements(const Program& program) {
  std::set<std::string> out;
  for (const auto& [name, s] : program.statements) {
    if (!s.origin) out.insert(name);
    // Of what nobody needs, no instance is left to have an origin.
    if (s.origin && (!s.origin->is_empty() || s.domain.is_empty())) {
      out.insert(isl_ext::tuple_name(*s.origin, isl_ext::Dim::Range));
    }
    for (const Inlined& value : s.inlined) {
      out.insert(isl_ext::tuple_name(value.origin, isl_ext::Dim::Range));
    }
  }
  return out;
}

}  // namespace

void verify_program(const Program& original, const Program& program) {
  const std::set<std::string> computed = computed_statements(program);
  for (const auto& [name, was] : original.statements) {
    // What a copy into another layout passes on, its readers are compared by.
    require(was.is_layout_copy() || computed.count(name) != 0, was, "is no longer there");
  }
  for (const auto& [name, s] : program.statements) {
    if (s.is_transfer()) {
      verify_transfer(program, s);
      continue;
    }
    require(!s.copy, s, "is no transfer but has a copy");
    verify_accesses(s);
    if (s.origin) {
      verify_origin(original, program, s);
      continue;
    }
    const auto was = original.statements.find(name);
    require(was != original.statements.end(), s, "was never written");
    verify_same(original, program, was->second, s);
  }
}

}  // namespace solway::schedule
