#include <algorithm>

#include "codegen/athread/detail/cpe_stmts.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"

namespace solway::codegen {
namespace {

using ir::Expr;
using ir::TransferIssue;
using ir::try_constant;

/// "get A[0, (ko * 64)] -> AA[0, 0] (64, 1, 1)", without the word "issue" and the id.
std::string description(const TransferIssue& n) {
  const bool is_get = n.direction == ir::TransferDirection::Get;
  const auto side = [](const ir::Buffer& buffer, const std::vector<Expr>& index) {
    return ir::to_string(ir::Load::make(buffer, index));
  };
  const std::string main = side(n.main, n.main_index);
  const std::string near = side(n.near, n.near_index);
  std::string text = is_get ? "get " + main + " -> " + near : "put " + near + " -> " + main;
  text += ": ";
  for (std::size_t d = 0; d < n.dims.size(); ++d) {
    text += (d == 0 ? "" : " x ") + ir::to_string(n.dims[d].count);
  }
  return text + (n.dims.empty() ? "1 " : " ") + std::string(to_string(n.near->type));
}

std::string scaled(const std::string& var, const std::string& stride) {
  return stride == "1" ? var : var + " * " + stride;
}

std::string at(const std::string& address, const std::string& offset) {
  return offset.empty() ? address : address + offset;
}

}  // namespace

const KernelPlan::Reply& CpeStmts::reply(const std::string& id) const {
  return *std::find_if(plan_.replies.begin(), plan_.replies.end(),
                       [&](const KernelPlan::Reply& r) { return r.id == id; });
}

std::string CpeStmts::slot_of(const std::string& name, const std::string& id, const Expr& slot) {
  if (reply(id).num_slots == 1) return name;
  return name + "[" + (slot.defined() ? exprs_.print(slot) : "0") + "]";
}

void CpeStmts::issue(const TransferIssue& n) {
  const TransferForm form = legal_form(n, ranges_, options_.transfers);
  out.comment(description(n) +
              (form.units ? ", in units of " + std::to_string(form.units->elems) : ""));
  if (reply(n.id).calls != 0) {
    out.line(slot_of(reply_name(n.id), n.id, n.slot) + " = 0;");
    if (!calls_name(n.id).empty()) out.line(slot_of(calls_name(n.id), n.id, n.slot) + " = 0;");
  }
  if (form.kind == TransferForm::Kind::Dma) dma(n, form);
  if (form.kind == TransferForm::Kind::Copy) copy(n, form);
}

void CpeStmts::dma(const TransferIssue& n, const TransferForm& form) {
  std::vector<std::string> vars;
  std::string guard;
  for (const Expr& count : form.guards) {
    guard += (guard.empty() ? "" : " && ") + exprs_.print_operand(count) + " > 0";
  }
  if (!guard.empty()) out.open("if (" + guard + ")");
  std::string main_offset;
  std::string near_offset;
  for (const ir::TransferDim& dim : form.loops) {
    const std::string& var = vars.emplace_back(names_.fresh("r"));
    out.open("for (long " + var + " = 0; " + var + " < " + exprs_.print_bound(dim.count) + "; ++" +
             var + ")");
    const std::string main_stride = exprs_.print_operand(dim.main_stride_elems);
    const std::string near_stride = std::to_string(dim.near_stride_elems);
    if (main_stride != "0") main_offset += " + " + scaled(var, main_stride);
    if (near_stride != "0") near_offset += " + " + scaled(var, near_stride);
  }
  if (form.units) {
    unit_calls(n, form, main_offset, near_offset);
  } else {
    dma_call(n, form, main_offset, near_offset);
    count_call(n);
  }
  for (const std::string& var : vars) {
    names_.release(var);
    out.close();
  }
  if (!guard.empty()) out.close();
}

void CpeStmts::count_call(const TransferIssue& n) {
  if (!calls_name(n.id).empty()) out.line("++" + slot_of(calls_name(n.id), n.id, n.slot) + ";");
}

void CpeStmts::dma_call(const TransferIssue& n, const TransferForm& form,
                        const std::string& offset_main, const std::string& offset_near) {
  const int elem_bytes = size_bytes(n.near->type);
  const auto bytes = [&](const Expr& elems) {
    return exprs_.print(ir::mul(elems, ir::index(elem_bytes)));
  };
  TransferCall call;
  if (n.direction == ir::TransferDirection::Put) call.direction = TransferCall::Direction::Put;
  call.main = "&" + exprs_.element(*n.main, n.main_index);
  if (!offset_main.empty()) call.main = "(" + call.main + offset_main + ")";
  call.near = at("&" + exprs_.element(*n.near, n.near_index), offset_near);
  call.counter = "&" + slot_of(reply_name(n.id), n.id, n.slot);
  call.bytes = bytes(form.run);
  if (form.block) {
    const Expr gap = ir::sub(form.block->main_stride_elems, form.run);
    call.block_bytes = std::to_string(*try_constant(form.run) * elem_bytes);
    call.blocks = exprs_.print(form.block->count);
    call.gap_bytes = bytes(gap);
    call.pitch_bytes = bytes(form.block->main_stride_elems);
    call.bytes = exprs_.print(ir::mul(form.block->count, ir::mul(form.run, ir::index(elem_bytes))));
  }
  if (form.plane) {
    call.planes = exprs_.print(form.plane->count);
    call.plane_pitch_bytes = bytes(form.plane->main_stride_elems);
  }
  const auto [head, tail] = dialect_.transfer(call);
  out.call(head, tail, 12);
}

void CpeStmts::copy(const TransferIssue& n, const TransferForm& form) {
  const bool is_get = n.direction == ir::TransferDirection::Get;
  out.comment("by loads and stores: " + form.why_copy);
  out.open("");
  const std::string type = c_type(n.near->type);
  const std::string main = names_.fresh("main_side");
  const std::string near = names_.fresh("near_side");
  out.line((is_get ? "const " : "") + type + " *" + main + " = &" +
           exprs_.element(*n.main, n.main_index) + ";");
  out.line((is_get ? "" : "const ") + type + " *" + near + " = &" +
           exprs_.element(*n.near, n.near_index) + ";");
  std::vector<ir::TransferDim> dims = form.loops;
  const std::int64_t run_elems = form.block ? *try_constant(form.run) : 1;
  if (form.plane) {
    const std::int64_t near_stride = run_elems * *try_constant(form.block->count);
    dims.push_back({form.plane->count, form.plane->main_stride_elems, near_stride});
  }
  if (form.block) dims.push_back({form.block->count, form.block->main_stride_elems, run_elems});
  if (try_constant(form.run) != 1) dims.push_back({form.run, ir::index(1), 1});
  std::vector<std::string> vars;
  std::string main_at;
  std::string near_at;
  for (const ir::TransferDim& dim : dims) {
    const std::string& var = vars.emplace_back(names_.fresh("r"));
    out.open("for (long " + var + " = 0; " + var + " < " + exprs_.print_bound(dim.count) + "; ++" +
             var + ")");
    main_at +=
        (main_at.empty() ? "" : " + ") + scaled(var, exprs_.print_operand(dim.main_stride_elems));
    near_at += (near_at.empty() ? "" : " + ") + scaled(var, std::to_string(dim.near_stride_elems));
  }
  const std::string main_elem = main + "[" + (main_at.empty() ? "0" : main_at) + "]";
  const std::string near_elem = near + "[" + (near_at.empty() ? "0" : near_at) + "]";
  out.line(is_get ? near_elem + " = " + main_elem + ";" : main_elem + " = " + near_elem + ";");
  for (const std::string& var : vars) {
    names_.release(var);
    out.close();
  }
  names_.release(main);
  names_.release(near);
  out.close();
}

void CpeStmts::wait(const ir::TransferWait& n) {
  const std::optional<std::int64_t> calls = reply(n.id).calls;
  if (calls == 0) return out.comment(n.id + ": nothing to wait for");
  const std::string counter = slot_of(reply_name(n.id), n.id, n.slot);
  if (calls) return out.line(dialect_.wait(counter, std::to_string(*calls)));
  out.open("");
  const std::string expected = names_.fresh("expected");
  out.line("const int " + expected + " = " + slot_of(calls_name(n.id), n.id, n.slot) + ";");
  out.line(dialect_.wait(counter, expected));
  names_.release(expected);
  out.close();
}

}  // namespace solway::codegen
