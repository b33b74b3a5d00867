#include "codegen/llvm/emit_llvm.h"

#include <algorithm>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/llvm/detail/defer_nan_checks.h"
#include "codegen/llvm/detail/dots.h"
#include "codegen/llvm/detail/expr_emitter.h"
#include "codegen/llvm/detail/half.h"
#include "codegen/llvm/detail/library_entry.h"
#include "codegen/llvm/detail/memory_plan.h"
#include "codegen/llvm/detail/stack_memory.h"
#include "codegen/llvm/detail/stmt_emitter.h"
#include "codegen/llvm/detail/team_emitter.h"
#include "codegen/llvm/detail/team_entry.h"
#include "codegen/llvm/detail/turned_square.h"
#include "codegen/llvm/detail/types.h"
#include "codegen/llvm/detail/vector_math/float_ops.h"
#include "codegen/llvm/runtime_symbols.h"
#include "codegen/llvm/team_work.h"
#include "codegen/llvm/vector_lack.h"
#include "support/error.h"
#include "support/target.h"

namespace solway::codegen {
namespace {

using detail::MemoryPlan;

/// Whether one instruction of the cpu multiplies and adds, of vectors and of scalars.
bool fuses(const llvm::TargetMachine& machine) {
  const llvm::Triple& triple = machine.getTargetTriple();
  const llvm::MCSubtargetInfo& cpu = *machine.getMCSubtargetInfo();
  if (triple.isX86()) return cpu.checkFeatures("+fma");
  if (triple.isAArch64()) return cpu.checkFeatures("+fp-armv8");
  return triple.isRISCV() && cpu.checkFeatures("+f");
}

/// Whether one instruction of the cpu multiplies and adds vectors.
bool fuses_vectors(const llvm::TargetMachine& machine) {
  return fuses(machine) || machine.getTargetTriple().isVE();
}

/// Whether the cpu multiplies vectors of float32 by powers of two, and finds their elements in
/// tables, in one instruction each.
bool has_avx512(const llvm::TargetMachine& machine) {
  const llvm::MCSubtargetInfo& cpu = *machine.getMCSubtargetInfo();
  return machine.getTargetTriple().isX86() && cpu.checkFeatures("+avx512f") &&
         cpu.checkFeatures("+avx512vl");
}

/// Whether the cpu finds elements of vectors of float32 in a register by their numbers.
bool has_avx2(const llvm::TargetMachine& machine) {
  return machine.getTargetTriple().isX86() && machine.getMCSubtargetInfo()->checkFeatures("+avx2");
}

/// Whether the machine has registers of a length that is known when code runs.
bool is_scalable(const llvm::TargetMachine& machine) {
  if (vector_scale_bits(machine.getTargetTriple().str()) == 0) return false;
  const char* const feature = machine.getTargetTriple().isAArch64() ? "+sve" : "+v";
  return machine.getMCSubtargetInfo()->checkFeatures(feature);
}

void require_lanes(const ir::Kernel& kernel, const llvm::TargetMachine& machine) {
  if (is_scalable(machine) || !has_scalable_lanes(kernel.body)) return;
  throw UnsupportedError(
      {kernel.where,
       "vectors of a length that is known at run time in kernel '" + kernel.name + "'",
       "the machine's vectors have a fixed number of lanes",
       "use a fixed number of lanes, such as 8"});
}

/// What the architectures say about how long a register of scalable vectors is: a power of two.
void set_vector_scale(llvm::Function& function, const llvm::TargetMachine& machine) {
  if (!is_scalable(machine)) return;
  const int unit_bits = vector_scale_bits(machine.getTargetTriple().str());
  const bool is_arm = machine.getTargetTriple().isAArch64();
  constexpr unsigned kLeastBits = 128;
  const unsigned most_bits = is_arm ? 2048 : 65536;
  const auto unit = static_cast<unsigned>(unit_bits);
  function.addFnAttr(llvm::Attribute::getWithVScaleRangeArgs(function.getContext(),
                                                             kLeastBits / unit, most_bits / unit));
}

/// The cpu, and that its widest vectors are to be used: vector forms were made on purpose.
void set_attributes(llvm::Function& function, const llvm::TargetMachine& machine) {
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  function.addFnAttr("target-features", machine.getTargetFeatureString());
  function.addFnAttr("prefer-vector-width", "512");
  if (fuses(machine)) function.addFnAttr(detail::kFusesAttribute);
  if (fuses_vectors(machine)) function.addFnAttr(detail::kVectorFusesAttribute);
  if (has_avx512(machine)) {
    function.addFnAttr(detail::kMasksAttribute);
    function.addFnAttr(detail::kScalesAttribute);
    function.addFnAttr(detail::kTablesAttribute);
  } else if (has_avx2(machine)) {
    function.addFnAttr(detail::kWordMasksAttribute);
    if (fuses(machine)) function.addFnAttr(detail::kSmallTablesAttribute);
  }
  detail::set_dot_attributes(function, machine);
  set_vector_scale(function, machine);
  detail::set_half_attributes(function, machine);
  function.setDoesNotThrow();
}

void set_pointer_attributes(llvm::Argument& arg, const ir::BufferNode& buffer,
                            std::int64_t alignment_bytes) {
  llvm::AttrBuilder attributes(arg.getContext());
  attributes.addAttribute(llvm::Attribute::NoAlias);
  attributes.addAlignmentAttr(static_cast<std::uint64_t>(alignment_bytes));
  if (buffer.size_bytes() > 0 && !buffer.is_upper_bound) {
    attributes.addDereferenceableAttr(static_cast<std::uint64_t>(buffer.size_bytes()));
  }
  arg.addAttrs(attributes);
  arg.setName(buffer.name);
}

std::int64_t parameter_alignment(const ir::BufferNode& buffer) {
  return std::max<std::int64_t>(buffer.alignment_bytes, size_bytes(buffer.type));
}

llvm::Value* emit_constant(llvm::Module& module, const ir::Constant& constant) {
  const std::vector<std::byte>& bytes = *constant.values;
  const llvm::StringRef data(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  llvm::Constant* values =
      llvm::ConstantDataArray::getString(module.getContext(), data, /*AddNull=*/false);
  auto* memory =
      new llvm::GlobalVariable(module, values->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, values, constant.buffer->name);
  memory->setAlignment(
      llvm::Align(static_cast<std::uint64_t>(detail::allocation_alignment(*constant.buffer))));
  return memory;
}

/// Returns from the function when a requirement fails.
void emit_requirements(llvm::IRBuilder<>& b, const ir::Kernel& kernel, detail::Bindings& bindings) {
  detail::ExprEmitter exprs(b, bindings);
  for (const ir::Expr& requirement : kernel.requirements) {
    llvm::Value* holds = exprs.value(requirement);
    llvm::Function* function = b.GetInsertBlock()->getParent();
    auto* fail = llvm::BasicBlock::Create(b.getContext(), "unmet", function);
    auto* go_on = llvm::BasicBlock::Create(b.getContext(), "met", function);
    b.CreateCondBr(holds, go_on, fail);
    b.SetInsertPoint(fail);
    b.CreateRet(b.getInt32(static_cast<std::uint32_t>(KernelStatus::RequirementFailed)));
    b.SetInsertPoint(go_on);
  }
}

/// Whether its code is for a team.
bool is_on_team(const ir::Kernel& kernel, const LlvmOptions& options) {
  return options.parallel == ParallelForm::Team && team_lack(kernel, options.shared).empty();
}

/// Binds the parameters, the memory that the entry provides and the constants.
void bind_memory(llvm::Function& function, const ir::Kernel& kernel, const MemoryPlan& plan,
                 const LlvmOptions& options, detail::Bindings& bindings) {
  llvm::Argument* arg = function.arg_begin();
  for (const ir::Param& param : kernel.params) {
    set_pointer_attributes(*arg, *param.buffer, parameter_alignment(*param.buffer));
    if (options.shared.count(param.buffer->name) != 0) arg->removeAttr(llvm::Attribute::NoAlias);
    if (param.role == ir::Role::In) arg->addAttr(llvm::Attribute::ReadOnly);
    bindings.pointers[param.buffer.get()] = arg++;
  }
  for (const std::vector<MemoryPlan::InArena>* placed : {&plan.in_arena, &plan.in_common}) {
    for (const auto& [buffer, offset_bytes] : *placed) {
      set_pointer_attributes(*arg, *buffer, detail::allocation_alignment(*buffer));
      bindings.pointers[buffer.get()] = arg++;
    }
  }
  for (const ir::Constant& constant : kernel.constants) {
    bindings.pointers[constant.buffer.get()] = emit_constant(*function.getParent(), constant);
  }
}

/// What the threads of a team know: the last three arguments, and which memory they all reach.
detail::TeamValues team_values(llvm::Function& function, const ir::Kernel& kernel,
                               const MemoryPlan& plan, const detail::Bindings& bindings) {
  const auto count = static_cast<unsigned>(function.arg_size());
  detail::TeamValues out{
      function.getArg(count - 3), function.getArg(count - 2), function.getArg(count - 1), {}};
  out.thread->setName("thread");
  out.threads->setName("threads");
  out.team->setName("team");
  for (const ir::Param& param : kernel.params) {
    if (param.role != ir::Role::In) out.common.push_back(bindings.pointers.at(param.buffer.get()));
  }
  for (const MemoryPlan::InArena& placed : plan.in_common) {
    out.common.push_back(bindings.pointers.at(placed.buffer.get()));
  }
  return out;
}

/// The statements of the kernel, over one pointer per parameter and per buffer of the arena; of a
/// team, which thread it is, of how many, and the team come last.
llvm::Function* emit_body(llvm::Module& module, const ir::Kernel& kernel, const MemoryPlan& plan,
                          const LlvmOptions& options, const llvm::TargetMachine& machine,
                          Remarks& remarks) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  std::vector<llvm::Type*> types(
      kernel.params.size() + plan.in_arena.size() + plan.in_common.size(), b.getPtrTy());
  const bool on_team = options.parallel == ParallelForm::Team;
  if (on_team) types.insert(types.end(), {b.getInt64Ty(), b.getInt64Ty(), b.getPtrTy()});
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(b.getInt32Ty(), types, /*isVarArg=*/false),
                             llvm::Function::InternalLinkage, kernel.name + ".body", module);
  set_attributes(*function, machine);  // first: what is emitted depends on the cpu
  detail::Bindings bindings;
  bind_memory(*function, kernel, plan, options, bindings);
  auto* entry_block = llvm::BasicBlock::Create(context, "entry", function);
  auto* body_block = llvm::BasicBlock::Create(context, "body", function);
  llvm::IRBuilder<> entry(entry_block);
  detail::bind_stack(entry, plan.on_stack, kernel.body, bindings);
  b.SetInsertPoint(body_block);
  emit_requirements(b, kernel, bindings);
  detail::StmtEmitter stmts(b, entry, bindings, options, remarks, kernel.body);
  if (on_team) {
    const detail::TeamValues values = team_values(*function, kernel, plan, bindings);
    detail::TeamEmitter(b, stmts, values).emit(kernel.body);
  } else {
    stmts.emit(kernel.body);
  }
  b.CreateRet(b.getInt32(static_cast<std::uint32_t>(KernelStatus::Ok)));
  entry.CreateBr(body_block);
  return function;
}

/// The entry that a team is given to, or that brings its own.
void emit_entry_of_team(llvm::Module& module, const ir::Kernel& kernel, const MemoryPlan& plan,
                        llvm::Function& body, const std::string& name, EntryForm form) {
  if (form == EntryForm::Array) {
    detail::emit_team_entry(module, kernel, plan, body, name);
    return;
  }
  std::vector<std::string> parameters;
  for (const ir::Param& param : kernel.params) parameters.push_back(param.buffer->name);
  llvm::Function* const on_team =
      detail::emit_team_entry(module, kernel, plan, body, kernel.name + ".on_team");
  detail::emit_library_entry(module, *on_team, parameters, name);
}

void emit_entry(llvm::Module& module, const ir::Kernel& kernel, const MemoryPlan& plan,
                llvm::Function& body, const LlvmOptions& options) {
  const std::string name = options.entry_name.empty() ? entry_symbol(kernel) : options.entry_name;
  if (options.parallel == ParallelForm::Team) {
    emit_entry_of_team(module, kernel, plan, body, name, options.entry);
    return;
  }
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  const bool takes_array = options.entry == EntryForm::Array;
  const std::vector<llvm::Type*> types(takes_array ? 1 : kernel.params.size(), b.getPtrTy());
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(b.getInt32Ty(), types, /*isVarArg=*/false),
                             llvm::Function::ExternalLinkage, name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  llvm::Value* arena = nullptr;
  if (!plan.in_arena.empty()) {
    arena = detail::emit_allocation(b, detail::arena_alignment(plan),
                                    b.getInt64(static_cast<std::uint64_t>(plan.arena_bytes)));
  }
  std::vector<llvm::Value*> pointers;
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    const std::string& param = kernel.params[i].buffer->name;
    if (!takes_array) {
      function->getArg(static_cast<unsigned>(i))->setName(param);
      pointers.push_back(function->getArg(static_cast<unsigned>(i)));
      continue;
    }
    llvm::Value* address = b.CreateConstInBoundsGEP1_64(b.getPtrTy(), function->getArg(0), i);
    pointers.push_back(b.CreateLoad(b.getPtrTy(), address, param));
  }
  if (takes_array) function->getArg(0)->setName("args");
  for (const MemoryPlan::InArena& placed : plan.in_arena) {
    pointers.push_back(b.CreateConstInBoundsGEP1_64(
        b.getInt8Ty(), arena, static_cast<std::uint64_t>(placed.offset_bytes)));
  }
  llvm::Value* status = b.CreateCall(&body, pointers);
  if (arena != nullptr) {
    b.CreateCall(module.getOrInsertFunction(kFree, b.getVoidTy(), b.getPtrTy()), {arena});
  }
  b.CreateRet(status);
}

}  // namespace

std::string entry_symbol(const ir::Kernel& kernel) {
  const bool is_taken =
      std::any_of(runtime_symbols().begin(), runtime_symbols().end(),
                  [&](const RuntimeSymbol& symbol) { return symbol.name == kernel.name; });
  return is_taken ? kernel.name + "_kernel" : kernel.name;
}

std::unique_ptr<llvm::Module> emit_llvm(const ir::Kernel& kernel, const LlvmOptions& asked,
                                        llvm::TargetMachine& machine, llvm::LLVMContext& context,
                                        Remarks& remarks) {
  require_lanes(kernel, machine);
  LlvmOptions options = asked;
  if (!is_on_team(kernel, options)) options.parallel = ParallelForm::OneThread;
  auto module = std::make_unique<llvm::Module>(kernel.name, context);
  module->setTargetTriple(machine.getTargetTriple().str());
  module->setDataLayout(machine.createDataLayout());
  const MemoryPlan plan = detail::plan_memory(kernel.body, options.parallel == ParallelForm::Team
                                                               ? detail::MainScope::OfTeam
                                                               : detail::MainScope::OfThread);
  llvm::Function* body = emit_body(*module, kernel, plan, options, machine, remarks);
  // The pointers are noalias in there; inlined into the entry they would lose that.
  body->addFnAttr(llvm::Attribute::NoInline);
  emit_entry(*module, kernel, plan, *body, options);
  for (llvm::Function& function : *module) {
    if (&function != body && !function.isDeclaration()) set_attributes(function, machine);
  }
  std::string text;
  llvm::raw_string_ostream problems(text);
  if (llvm::verifyModule(*module, &problems)) {
    throw InternalError({kernel.where, "LLVM IR of kernel '" + kernel.name + "' breaks its rules",
                         problems.str(), ""});
  }
  return module;
}

}  // namespace solway::codegen
