#include "codegen/athread/detail/cpe_stmts.h"
#include "lowering/ir/simplify.h"

namespace solway::codegen {

using ir::Expr;
using ir::TransferIssue;

/// One call from where a unit begins, and what a run has of the array's last unit where that is not
/// whole:
///
///     const long lead = (i * 67) % 4;
///     long moved = (lead + 64 + 3) / 4 * 4;
///     athread_get(PE_MODE, &A[i * 67] - lead, &AA[0][lead] - lead, moved, ...);
void CpeStmts::unit_calls(const TransferIssue& n, const TransferForm& form,
                          const std::string& offset_main, const std::string& offset_near) {
  const TransferForm::Units& units = *form.units;
  const std::string unit = std::to_string(units.elems);
  const std::int64_t elem_bytes = size_bytes(n.near->type);
  const Expr first = ir::simplify(ir::flat_index(*n.main, n.main_index));
  const std::string lead = names_.fresh("lead");
  out.open("");
  out.line("const long " + lead + " = (" + exprs_.print(first) + offset_main + ") % " + unit + ";");
  TransferCall call;
  call.main = "(&" + exprs_.element(*n.main, n.main_index) + offset_main + " - " + lead + ")";
  call.near = "(&" + exprs_.element(*n.near, n.near_index) + offset_near + " - " + lead + ")";
  call.counter = "&" + slot_of(reply_name(n.id), n.id, n.slot);
  const auto emit = [&] {
    const auto [head, tail] = dialect_.transfer(call);
    out.call(head, tail, 12);
    count_call(n);
  };
  if (form.block) {
    const std::int64_t block_bytes = units.run_elems * elem_bytes;
    const std::int64_t pitch_bytes = *ir::try_constant(form.block->main_stride_elems) * elem_bytes;
    call.block_bytes = std::to_string(block_bytes);
    call.blocks = exprs_.print(form.block->count);
    call.gap_bytes = std::to_string(pitch_bytes - block_bytes);
    call.pitch_bytes = std::to_string(pitch_bytes);
    call.bytes = exprs_.print(ir::mul(form.block->count, ir::index(block_bytes)));
    emit();
  } else {
    const std::string moved = names_.fresh("moved");
    const std::string run = exprs_.print_operand(form.run);
    out.line("long " + moved + " = (" + lead + " + " + run + " + " +
             std::to_string(units.elems - 1) + ") / " + unit + " * " + unit + ";");
    call.bytes = moved + " * " + std::to_string(elem_bytes);
    if (units.ends_within_one()) {
      const std::string most = names_.fresh("most");
      out.line("const long " + most + " = (" + std::to_string(units.array_elems) + " - (" +
               exprs_.print(first) + offset_main + ") + " + lead + ") / " + unit + " * " + unit +
               ";");
      out.line("if (" + moved + " > " + most + ") " + moved + " = " + most + ";");
      out.open("if (" + moved + " > 0)");
      emit();
      out.close();
      const std::string rest = names_.fresh("e");
      out.open("for (long " + rest + " = " + moved + " > " + lead + " ? " + moved + " - " + lead +
               " : 0; " + rest + " < " + run + "; ++" + rest + ")");
      out.line("(&" + exprs_.element(*n.near, n.near_index) + offset_near + ")[" + rest + "] = (&" +
               exprs_.element(*n.main, n.main_index) + offset_main + ")[" + rest + "];");
      out.close();
      names_.release(rest);
      names_.release(most);
    } else {
      emit();
    }
    names_.release(moved);
  }
  out.close();
  names_.release(lead);
}

}  // namespace solway::codegen
