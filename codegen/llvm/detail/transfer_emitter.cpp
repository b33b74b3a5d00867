#include "codegen/llvm/detail/transfer_emitter.h"

#include <algorithm>

#include <llvm/IR/Constants.h>

#include "codegen/llvm/detail/loop.h"
#include "codegen/llvm/detail/types.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/visitor.h"
#include "support/error.h"

namespace solway::codegen::detail {
namespace {

class Issues final : public ir::Visitor {
 public:
  std::vector<const ir::TransferIssue*> found;

 private:
  using Visitor::visit;
  void visit(const ir::TransferIssue& s) override {
    if (std::find(found.begin(), found.end(), &s) == found.end()) found.push_back(&s);
  }
};

llvm::Value* make_variable(llvm::IRBuilder<>& entry, llvm::Type* type, int num_slots,
                           const std::string& name) {
  return entry.CreateAlloca(llvm::ArrayType::get(type, static_cast<std::uint64_t>(num_slots)),
                            nullptr, name);
}

bool is_contiguous(const ir::TransferDim& dim) {
  return ir::try_constant(dim.main_stride_elems) == 1 && dim.near_stride_elems == 1;
}

}  // namespace

TransferEmitter::TransferEmitter(llvm::IRBuilder<>& builder, llvm::IRBuilder<>& entry,
                                 ExprEmitter& exprs, const LlvmOptions& options,
                                 const ir::Stmt& body)
    : b_(builder), exprs_(exprs), options_(options) {
  Issues issues;
  issues.walk(body);
  for (const ir::TransferIssue* issue : issues.found) {
    Transfer& transfer = transfers_[issue->id];
    transfer.num_slots = std::max(transfer.num_slots, issue->num_slots);
    transfer.sites.emplace_back().issue = issue;
  }
  llvm::Type* position = entry.getInt64Ty();
  for (auto& [id, transfer] : transfers_) {
    const int slots = transfer.num_slots;
    transfer.pending = make_variable(entry, entry.getInt32Ty(), slots, id + ".pending");
    entry.CreateStore(llvm::Constant::getNullValue(llvm::ArrayType::get(
                          entry.getInt32Ty(), static_cast<std::uint64_t>(slots))),
                      transfer.pending);
    for (Site& site : transfer.sites) {
      site.main_position = make_variable(entry, position, slots, id + ".main");
      site.near_position = make_variable(entry, position, slots, id + ".near");
      for (const ir::TransferDim& dim : site.issue->dims) {
        const bool is_literal = dim.count.as_or_null<ir::IntImm>() != nullptr;
        site.counts.push_back(is_literal ? nullptr
                                         : make_variable(entry, position, slots, id + ".count"));
      }
    }
  }
}

TransferEmitter::Transfer& TransferEmitter::transfer_of(const std::string& id,
                                                        const SourceLoc& where) {
  const auto it = transfers_.find(id);
  if (it != transfers_.end()) return it->second;
  throw InternalError({where, "wait for transfer '" + id + "'", "nothing issues it", ""});
}

llvm::Value* TransferEmitter::slot_value(const ir::Expr& slot) {
  return slot.defined() ? exprs_.value(slot) : b_.getInt64(0);
}

llvm::Value* TransferEmitter::slot_address(llvm::Value* variable, llvm::Value* slot) {
  llvm::Type* type = llvm::cast<llvm::AllocaInst>(variable)->getAllocatedType();
  return b_.CreateInBoundsGEP(type, variable, {b_.getInt64(0), slot});
}

void TransferEmitter::fail_if(llvm::Value* condition, KernelStatus status) {
  llvm::Function* function = b_.GetInsertBlock()->getParent();
  auto* fail = llvm::BasicBlock::Create(b_.getContext(), "fail", function);
  auto* go_on = llvm::BasicBlock::Create(b_.getContext(), "go_on", function);
  b_.CreateCondBr(condition, fail, go_on);
  b_.SetInsertPoint(fail);
  b_.CreateRet(b_.getInt32(static_cast<std::uint32_t>(status)));
  b_.SetInsertPoint(go_on);
}

void TransferEmitter::issue(const ir::TransferIssue& s) {
  Transfer& transfer = transfer_of(s.id, s.where);
  const auto site = std::find_if(transfer.sites.begin(), transfer.sites.end(),
                                 [&](const Site& candidate) { return candidate.issue == &s; });
  llvm::Value* slot = slot_value(s.slot);
  llvm::Value* pending = slot_address(transfer.pending, slot);
  fail_if(b_.CreateIsNotNull(b_.CreateLoad(b_.getInt32Ty(), pending)),
          KernelStatus::IssueWhilePending);
  Region region;
  region.main_position = exprs_.position(s.main, s.main_index);
  region.near_position = exprs_.position(s.near, s.near_index);
  b_.CreateStore(region.main_position, slot_address(site->main_position, slot));
  b_.CreateStore(region.near_position, slot_address(site->near_position, slot));
  for (std::size_t d = 0; d < s.dims.size(); ++d) {
    llvm::Value* count = exprs_.value(s.dims[d].count);
    region.counts.push_back(count);
    if (site->counts[d] != nullptr) b_.CreateStore(count, slot_address(site->counts[d], slot));
  }
  if (options_.poison_transfers) poison(s, region);
  const auto number = static_cast<std::uint32_t>(site - transfer.sites.begin()) + 1;
  b_.CreateStore(b_.getInt32(number), pending);
}

void TransferEmitter::wait(const ir::TransferWait& s) {
  Transfer& transfer = transfer_of(s.id, s.where);
  llvm::Value* slot = slot_value(s.slot);
  llvm::Value* pending = slot_address(transfer.pending, slot);
  llvm::Value* number = b_.CreateLoad(b_.getInt32Ty(), pending);
  llvm::Function* function = b_.GetInsertBlock()->getParent();
  auto* done = llvm::BasicBlock::Create(b_.getContext(), s.id + ".done", function);
  fail_if(b_.CreateIsNull(number), KernelStatus::WaitWithoutIssue);
  for (std::size_t i = 0; i < transfer.sites.size(); ++i) {
    const Site& site = transfer.sites[i];
    llvm::BasicBlock* next = nullptr;
    if (i + 1 < transfer.sites.size()) {
      auto* move = llvm::BasicBlock::Create(b_.getContext(), s.id + ".move", function);
      next = llvm::BasicBlock::Create(b_.getContext(), s.id + ".next", function);
      llvm::Value* is_site = b_.CreateICmpEQ(number, b_.getInt32(static_cast<unsigned>(i) + 1));
      b_.CreateCondBr(is_site, move, next);
      b_.SetInsertPoint(move);
    }
    const auto recorded = [&](llvm::Value* variable) {
      return b_.CreateLoad(b_.getInt64Ty(), slot_address(variable, slot));
    };
    Region region;
    region.main_position = recorded(site.main_position);
    region.near_position = recorded(site.near_position);
    for (std::size_t d = 0; d < site.counts.size(); ++d) {
      region.counts.push_back(site.counts[d] == nullptr ? exprs_.value(site.issue->dims[d].count)
                                                        : recorded(site.counts[d]));
    }
    copy(*site.issue, region);
    b_.CreateBr(done);
    if (next != nullptr) b_.SetInsertPoint(next);
  }
  b_.SetInsertPoint(done);
  b_.CreateStore(b_.getInt32(0), pending);
}

template <class Body>
void TransferEmitter::for_each(const ir::TransferIssue& s, const Region& region, std::size_t dim,
                               std::size_t end_dim, Body body) {
  if (dim == end_dim) {
    body(region.main_position, region.near_position);
    return;
  }
  emit_loop(b_, b_.getInt64(0), region.counts[dim], s.id, [&](llvm::Value* k) {
    const auto advance = [&](llvm::Value* position, const ir::Expr& stride) {
      return b_.CreateAdd(position, b_.CreateMul(k, exprs_.value(stride)));
    };
    Region inner = region;
    inner.main_position = advance(region.main_position, s.dims[dim].main_stride_elems);
    inner.near_position = advance(region.near_position, ir::index(s.dims[dim].near_stride_elems));
    for_each(s, inner, dim + 1, end_dim, body);
  });
}

void TransferEmitter::copy(const ir::TransferIssue& s, const Region& region) {
  llvm::Type* type = memory_type(b_.getContext(), s.main->type);
  const llvm::Align align = exprs_.element_alignment(s.main);
  llvm::Value* main = exprs_.pointer(s.main);
  llvm::Value* near = exprs_.pointer(s.near);
  const bool is_get = s.direction == ir::TransferDirection::Get;
  const bool by_rows = !s.dims.empty() && is_contiguous(s.dims.back());
  llvm::Value* row_bytes = nullptr;
  if (by_rows) {
    llvm::Value* count =
        b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, region.counts.back(), b_.getInt64(0));
    row_bytes =
        b_.CreateMul(count, b_.getInt64(static_cast<std::uint64_t>(size_bytes(s.main->type))));
  }
  const std::size_t num_loops = s.dims.size() - (by_rows ? 1 : 0);
  for_each(s, region, 0, num_loops, [&](llvm::Value* main_at, llvm::Value* near_at) {
    llvm::Value* main_address = b_.CreateGEP(type, main, main_at);
    llvm::Value* near_address = b_.CreateGEP(type, near, near_at);
    llvm::Value* to = is_get ? near_address : main_address;
    llvm::Value* from = is_get ? main_address : near_address;
    if (by_rows) {
      b_.CreateMemCpy(to, align, from, align, row_bytes);
    } else {
      b_.CreateAlignedStore(b_.CreateAlignedLoad(type, from, align), to, align);
    }
  });
}

void TransferEmitter::poison(const ir::TransferIssue& s, const Region& region) {
  llvm::Type* type = memory_type(b_.getContext(), s.main->type);
  llvm::Constant* fill = nullptr;
  if (type->isFloatingPointTy()) {
    fill = llvm::ConstantFP::getNaN(type);
  } else if (is_float(s.main->type)) {
    constexpr std::uint64_t kNan = 0x7fc0;  // in both formats of 16 bits, which memory has as bits
    fill = llvm::ConstantInt::get(type, kNan);
  } else {
    fill = llvm::ConstantInt::get(
        b_.getContext(), llvm::APInt::getSplat(type->getScalarSizeInBits(), llvm::APInt(8, 0x5A)));
  }
  const bool is_get = s.direction == ir::TransferDirection::Get;
  llvm::Value* destination = exprs_.pointer(is_get ? s.near : s.main);
  for_each(s, region, 0, s.dims.size(), [&](llvm::Value* main_at, llvm::Value* near_at) {
    llvm::Value* address = b_.CreateGEP(type, destination, is_get ? near_at : main_at);
    b_.CreateAlignedStore(fill, address, exprs_.element_alignment(s.main));
  });
}

}  // namespace solway::codegen::detail
