#include "emulator/worker/detail/assembly_instructions.h"

#include "emulator/worker/detail/assembly_operations.h"
#include "emulator/worker/detail/core_calls.h"
#include "emulator/worker/detail/failure.h"

namespace solway::emulator {
namespace {

constexpr int kToAllOthers = 8;

}  // namespace

void fail_assembly(const AssemblyProblem& problem) {
  const Site site{problem.where.file.c_str(), "", problem.where.line, 0};
  fail({.kind = problem.is_unsupported ? "unsupported" : "program",
        .where = &site,
        .cause = nullptr,
        .cpe = -1,
        .what = problem.what,
        .why = problem.why,
        .fix = problem.fix});
}

llvm::Function& callee_of(llvm::Module& module, const DecodedInstruction& call) {
  const std::string& name = call.operands[1].name;
  llvm::Function* const callee = module.getFunction(name);
  if (callee != nullptr && !callee->isVarArg()) return *callee;
  fail_assembly({call.where, false, "a call of '" + name + "', which is not known here",
                 "no CPE source in C declares a function of this name with its parameters",
                 "declare it in a C source that calls it, or call it from C"});
}

void AssemblyTranslator::begin_block(bool waits) {
  pointers_.clear();
  waits_ = waits;
}

llvm::Value* AssemblyTranslator::variable_of(const Operand& operand, const SourceLine& where) {
  if (operand.name.empty()) return nullptr;
  llvm::GlobalValue* const found = module_.getNamedValue(operand.name);
  if (found != nullptr) return found;
  fail_assembly({where, false, "'" + operand.name + "' is not known here",
                 "no CPE source in C declares a variable of this name",
                 "declare it in a C source, or pass its address"});
}

llvm::Value* AssemblyTranslator::address_of(const DecodedInstruction& one) {
  const Operand& operand = one.operands[1];
  if (llvm::Value* const variable = variable_of(operand, one.where)) return variable;
  llvm::Value* const base = registers_.read(operand.reg);
  llvm::Value*& pointer = pointers_[base];
  if (pointer == nullptr) pointer = builder_.CreateIntToPtr(base, builder_.getPtrTy());
  if (operand.number == 0) return pointer;
  return builder_.CreatePtrAdd(pointer,
                               builder_.getInt64(static_cast<std::uint64_t>(operand.number)));
}

llvm::Value* AssemblyTranslator::load(llvm::Type* type, llvm::Value* address) {
  auto* const value = builder_.CreateAlignedLoad(type, address, llvm::Align(1), waits_);
  const bool is_wide = type->isVectorTy();
  if (is_wide) value->setAlignment(llvm::Align(type->getPrimitiveSizeInBits() / 8));
  return value;
}

llvm::Value* AssemblyTranslator::splat(llvm::Value* scalar) {
  return to_lanes(builder_, builder_.CreateVectorSplat(4, scalar));
}

llvm::Value* AssemblyTranslator::loaded(const DecodedInstruction& one) {
  const std::string name = one.core->name;
  llvm::Value* const address = address_of(one);
  // "name($gp) !literal": the address of a variable lies there.
  const bool is_literal = !one.operands[1].name.empty() && one.operands[1].reg == kGlobalPointer;
  if (is_literal) return builder_.CreatePtrToInt(address, builder_.getInt64Ty());
  llvm::Type* const real = builder_.getDoubleTy();
  llvm::Type* const single = builder_.getFloatTy();
  if (name == "vldd" || name == "vldr" || name == "vldc") {
    return load(lanes_type(builder_), address);
  }
  if (name == "vlds") {
    return to_lanes(builder_, load(llvm::FixedVectorType::get(single, 4), address));
  }
  if (name == "ldde" || name == "ldder" || name == "lddec") return splat(load(real, address));
  if (name == "ldse") return splat(builder_.CreateFPExt(load(single, address), real));
  if (name == "flds") return registers_.to_register(load(single, address));
  if (name == "ldw") {
    return builder_.CreateSExt(load(builder_.getInt32Ty(), address), builder_.getInt64Ty());
  }
  if (name == "ldhu" || name == "ldbu") {
    llvm::Type* const type = name == "ldhu" ? builder_.getInt16Ty() : builder_.getInt8Ty();
    return builder_.CreateZExt(load(type, address), builder_.getInt64Ty());
  }
  return load(builder_.getInt64Ty(), address);  // ldl, fldd
}

void AssemblyTranslator::store(const DecodedInstruction& one) {
  const std::string name = one.core->name;
  const int reg = one.operands[0].reg;
  llvm::Value* const address = address_of(one);
  llvm::Align alignment(1);
  llvm::Value* value = nullptr;
  if (name == "vstd" || name == "vsts") {
    value = name == "vstd" ? registers_.read_whole(reg)
                           : to_floats(builder_, registers_.read_whole(reg));
    alignment = llvm::Align(value->getType()->getPrimitiveSizeInBits() / 8);
  } else if (name == "fsts") {
    value = registers_.from_register(reg, builder_.getFloatTy());
  } else {
    const unsigned bits = name == "stw" ? 32 : name == "sth" ? 16 : name == "stb" ? 8 : 64;
    value = builder_.CreateTrunc(registers_.read(reg), builder_.getIntNTy(bits));
  }
  builder_.CreateAlignedStore(value, address, alignment);
}

void AssemblyTranslator::load_address(const DecodedInstruction& one) {
  const Operand& to = one.operands[0];
  const Operand& from = one.operands[1];
  // The pair that forms the global pointer: variables are found by name.
  if (to.reg == kGlobalPointer) return;
  if (llvm::Value* const variable = variable_of(from, one.where)) {
    registers_.write(to.reg, builder_.CreatePtrToInt(variable, builder_.getInt64Ty()));
    return;
  }
  const bool high = std::string(one.core->name) == "ldih";
  const std::int64_t offset = high ? from.number * 65536 : from.number;
  registers_.write(to.reg,
                   builder_.CreateAdd(registers_.read(from.reg),
                                      builder_.getInt64(static_cast<std::uint64_t>(offset))));
}

llvm::Value* AssemblyTranslator::control_register(const DecodedInstruction& one) {
  const std::int64_t number = one.operands[1].number;
  if (number == 4) return read_cycles(builder_);
  if (number < 0 || number > 2) {
    fail_assembly({one.where, true,
                   "control register " + std::to_string(number) + " cannot be emulated",
                   "the emulator has 0 (the number of the CPE), 1 (its row), 2 (its column) "
                   "and 4 (its cycle counter)",
                   "read one of these"});
  }
  return builder_.CreateZExt(read_place(builder_, number), builder_.getInt64Ty());
}

void AssemblyTranslator::call_function(const DecodedInstruction& one) {
  llvm::Function& callee = callee_of(module_, one);
  llvm::Type* const gives = callee.getReturnType()->isVoidTy() ? nullptr : callee.getReturnType();
  std::vector<llvm::Value*> arguments;
  for (unsigned k = 0; k < callee.arg_size(); ++k) {
    llvm::Type* const type = callee.getFunctionType()->getParamType(k);
    const bool in_register = k < kArgumentRegisters;
    const bool is_number = type->isPointerTy() || type->isIntegerTy() ||
                           (in_register && (type->isFloatTy() || type->isDoubleTy()));
    if (!is_number || callee.hasParamAttribute(k, llvm::Attribute::ByVal)) {
      fail_assembly({one.where, true,
                     "a call of '" + callee.getName().str() + "', whose parameter " +
                         std::to_string(k + 1) + " is a vector or lies on the stack",
                     "assembly calls functions of integers and pointers, and of up to six "
                     "parameters float and double too",
                     "pass its address"});
    }
    if (in_register) {
      const int reg = kFirstArgumentRegister + static_cast<int>(k);
      arguments.push_back(registers_.from_register(reg, type));
      continue;
    }
    llvm::Value* const stack =
        builder_.CreateIntToPtr(registers_.read(kStackPointer), builder_.getPtrTy());
    llvm::Value* const slot =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), stack, k - kArgumentRegisters);
    llvm::Value* const word = builder_.CreateLoad(builder_.getInt64Ty(), slot);
    arguments.push_back(type->isPointerTy() ? builder_.CreateIntToPtr(word, type)
                                            : builder_.CreateSExtOrTrunc(word, type));
  }
  const bool gives_other = callee.hasStructRetAttr() ||
                           (gives != nullptr && (gives->isVectorTy() || gives->isAggregateType()));
  if (gives_other) {
    fail_assembly(
        {one.where, true,
         "a call of '" + callee.getName().str() + "', whose result is a vector or a struct",
         "assembly calls functions that return nothing, a number or a pointer",
         "let it store the result at an address that it is passed"});
  }
  llvm::Value* const result = builder_.CreateCall(&callee, arguments);
  if (gives == nullptr) return;
  registers_.write(kResultRegister, registers_.to_register(result));
}

llvm::Value* AssemblyTranslator::shuffled(const DecodedInstruction& one) {
  llvm::Value* const high = registers_.read_whole(one.operands[0].reg);
  llvm::Value* const low = registers_.read_whole(one.operands[1].reg);
  llvm::Value* const mask = registers_.read(one.operands[2]);
  llvm::Value* value = llvm::PoisonValue::get(lanes_type(builder_));
  for (std::uint64_t k = 0; k < 4; ++k) {
    llvm::Value* const lane = builder_.CreateAnd(builder_.CreateLShr(mask, 2 * k), 3);
    value = builder_.CreateInsertElement(
        value, builder_.CreateExtractElement(k < 2 ? low : high, lane), k);
  }
  return value;
}

llvm::FixedVectorType* AssemblyTranslator::parts_type(const DecodedInstruction& one) {
  const bool words = std::string(one.core->name).ends_with("w");
  return words ? llvm::FixedVectorType::get(builder_.getInt32Ty(), 8) : lanes_type(builder_);
}

llvm::Value* AssemblyTranslator::inserted(const DecodedInstruction& one) {
  auto* const type = parts_type(one);
  llvm::Value* const whole =
      builder_.CreateBitCast(registers_.read_whole(one.operands[1].reg), type);
  llvm::Value* const part =
      builder_.CreateTrunc(registers_.read(one.operands[0]), type->getElementType());
  return builder_.CreateBitCast(builder_.CreateInsertElement(whole, part, part_index(one, 2)),
                                lanes_type(builder_));
}

llvm::Value* AssemblyTranslator::extracted(const DecodedInstruction& one) {
  llvm::Value* const whole =
      builder_.CreateBitCast(registers_.read_whole(one.operands[0].reg), parts_type(one));
  return builder_.CreateSExt(builder_.CreateExtractElement(whole, part_index(one, 1)),
                             builder_.getInt64Ty());
}

std::uint64_t AssemblyTranslator::part_index(const DecodedInstruction& one, std::size_t operand) {
  const auto count = parts_type(one)->getNumElements();
  const std::int64_t index = one.operands[operand].number;
  if (index >= 0 && index < count) return static_cast<std::uint64_t>(index);
  fail_assembly({one.where, false,
                 "'" + std::string(one.core->name) + "' of part " + std::to_string(index),
                 "a register has parts 0 to " + std::to_string(count - 1), "give one of these"});
}

void AssemblyTranslator::translate(const DecodedInstruction& one) {
  const std::string name = one.core->name;
  const std::vector<Operand>& at = one.operands;
  // Of instructions that go along one: putr, vldr and synr along the row.
  const RegisterLine line = name.back() == 'r' ? RegisterLine::Row : RegisterLine::Column;
  const auto whole = [&](std::size_t k) { return registers_.read_whole(at[k].reg); };
  switch (one.core->form) {
    case Form::Nothing:
    case Form::Branch:
    case Form::Jump:
    case Form::Return:
      return;
    case Form::Load:
      return registers_.write(at[0].reg, loaded(one));
    case Form::LoadAndSend: {
      llvm::Value* const value = loaded(one);
      registers_.write(at[0].reg, value);
      return send_along(builder_, line, value, builder_.getInt32(kToAllOthers));
    }
    case Form::Store:
      return store(one);
    case Form::LoadAddress:
      return load_address(one);
    case Form::Scalars:
      return registers_.write(at[2].reg, scalar_operation(builder_, name, registers_.read(at[0]),
                                                          registers_.read(at[1])));
    case Form::ScalarFloats:
      return registers_.write(
          at[2].reg,
          scalar_float_operation(builder_, name, registers_.read(at[0]), registers_.read(at[1])));
    case Form::ScalarSelect:
      return registers_.write(
          at[3].reg,
          builder_.CreateSelect(compares_with_zero(builder_, name, registers_.read(at[0])),
                                registers_.read(at[1]), registers_.read(at[2])));
    case Form::ScalarCopy: {
      llvm::Value* const value = registers_.read(at[0]);
      return registers_.write(
          at[1].reg, name == "mov"
                         ? value
                         : builder_.CreateSExt(builder_.CreateTrunc(value, builder_.getInt32Ty()),
                                               builder_.getInt64Ty()));
    }
    case Form::Fused:
      return registers_.write(at[3].reg,
                              fused_operation(builder_, name, whole(0), whole(1), whole(2)));
    case Form::Vectors:
      return registers_.write(at[2].reg, vector_operation(builder_, name, whole(0), whole(1)));
    case Form::VectorShift:
      return registers_.write(at[2].reg, vector_shift(builder_, name, whole(0), at[1].number));
    case Form::VectorSelect:
      return registers_.write(at[3].reg,
                              vector_select(builder_, name, whole(0), whole(1), whole(2)));
    case Form::VectorCopy:
      return registers_.write(at[1].reg, whole(0));
    case Form::Insert:
      return registers_.write(at[3].reg, inserted(one));
    case Form::Extract:
      return registers_.write(at[2].reg, extracted(one));
    case Form::Shuffle:
      return registers_.write(at[3].reg, shuffled(one));
    case Form::Send:
      return send_along(
          builder_, line, whole(0),
          builder_.CreateAnd(builder_.CreateTrunc(registers_.read(at[1]), builder_.getInt32Ty()),
                             builder_.getInt32(15)));
    case Form::Receive:
      return registers_.write(at[0].reg, receive_along(builder_, line));
    case Form::Meet:
      return meet_along(builder_, line, registers_.read(at[0]));
    case Form::ReadRegister:
      return registers_.write(at[0].reg, control_register(one));
    case Form::Call:
      return call_function(one);
  }
}

}  // namespace solway::emulator
