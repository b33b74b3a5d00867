#include <algorithm>
#include <map>
#include <optional>

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

#include "emulator/worker/detail/core_calls.h"
#include "emulator/worker/detail/instrument.h"

namespace solway::emulator {
namespace {

constexpr unsigned kLanes = 4;

/// One instruction: "putr $0,$1" is "putr" of "$0" and "$1".
struct Instruction {
  std::string name;
  std::vector<std::string> operands;
};

/// The instructions of an assembly text, which ';' and line ends divide.
std::vector<Instruction> instructions_of(llvm::StringRef text) {
  std::vector<Instruction> out;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::SplitString(text, lines, ";\n\r");
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (line.empty()) continue;
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const llvm::StringRef name = line.take_front(end);
    const llvm::StringRef rest = line.drop_front(end);
    Instruction one{name.str(), {}};
    llvm::SmallVector<llvm::StringRef> operands;
    rest.split(operands, ',', -1, false);
    for (const llvm::StringRef operand : operands) one.operands.push_back(operand.trim().str());
    out.push_back(std::move(one));
  }
  return out;
}

/// The text as C has it: LLVM writes operand 0 as $0, and $ as $$.
std::string as_written(llvm::StringRef text) {
  std::string out;
  while (!text.empty()) {
    if (text.consume_front("$$")) {
      out += '$';
    } else if (text.consume_front("$")) {
      out += '%';
    } else {
      out += text.front();
      text = text.drop_front();
    }
  }
  return out;
}

/// Writes the calls that stand for the instructions of one inline assembly statement.
class Assembly {
 public:
  Assembly(llvm::CallInst& call, Side side)
      : on_cpe_(side == Side::Cpe),
        call_(call),
        assembly_(*llvm::cast<llvm::InlineAsm>(call.getCalledOperand())),
        builder_(&call) {
    for (const auto& constraint : assembly_.ParseConstraints()) {
      outputs_ += constraint.Type == llvm::InlineAsm::isOutput ? 1 : 0;
    }
  }

  void replace() {
    for (const Instruction& one : instructions_of(assembly_.getAsmString())) {
      if (!try_write(one)) refuse();
    }
    if (!call_.getType()->isVoidTy()) {
      if (result_ == nullptr) refuse();
      call_.replaceAllUsesWith(result_);
    }
    call_.eraseFromParent();
  }

 private:
  [[noreturn]] void refuse() {
    fail_at(
        "unsupported", call_,
        "inline assembly \"" + as_written(assembly_.getAsmString()) + "\" cannot be emulated",
        on_cpe_
            ? "the emulator executes memb, ldi, rcsr 0, 1, 2 and 4, sync, synr, faal, and putr, "
              "putc, getr and getc of vectors"
            : "of MPE code the emulator executes memb and rtc",
        on_cpe_ ? "write it in C, or with the functions of slave.h and simd.h" : "write it in C");
  }

  bool try_write(const Instruction& one) {
    const std::size_t count = one.operands.size();
    if (one.name == "memb") return count == 0;
    if (!on_cpe_) return one.name == "rtc" && count == 1 && try_read_cycles(one.operands[0]);
    if (one.name == "rcsr") return count == 2 && try_read_csr(one.operands);
    if (one.name == "ldi") return count == 2 && try_load_number(one.operands);
    if (one.name == "faal") return count == 2 && try_add(one.operands);
    if (one.name == "sync" || one.name == "synr") return count == 1 && try_meet(one);
    if (one.name == "putr" || one.name == "putc") return count == 2 && try_put(one);
    if (one.name == "getr" || one.name == "getc") return count == 1 && try_get(one);
    return false;
  }

  static std::optional<std::int64_t> try_number(llvm::StringRef text) {
    std::int64_t value = 0;
    if (text.getAsInteger(0, value)) return std::nullopt;
    return value;
  }

  /// The value of "$1", an operand of the statement, or of "$$1", a register that ldi has set.
  llvm::Value* value_of(llvm::StringRef operand) const {
    if (operand.consume_front("$$")) {
      const auto at = registers_.find(operand.str());
      return at == registers_.end() ? nullptr : at->second;
    }
    if (!operand.consume_front("$")) return nullptr;
    const auto index = try_number(operand);
    if (!index || *index < outputs_ || *index - outputs_ >= call_.arg_size()) return nullptr;
    return call_.getArgOperand(static_cast<unsigned>(*index - outputs_));
  }

  bool is_result(const std::string& operand) const { return outputs_ == 1 && operand == "$0"; }

  /// synr, putr and getr go along the row.
  static RegisterLine line_of(const Instruction& one) {
    return one.name.back() == 'r' ? RegisterLine::Row : RegisterLine::Column;
  }

  bool try_read_cycles(const std::string& operand) {
    if (!is_result(operand) || !call_.getType()->isIntegerTy()) return false;
    result_ = builder_.CreateZExtOrTrunc(read_cycles(builder_), call_.getType());
    return true;
  }

  /// 0 is the number of the CPE, 1 its row, 2 its column, 4 its cycle counter.
  bool try_read_csr(const std::vector<std::string>& operands) {
    const auto number = try_number(operands[1]);
    if (number == 4) return try_read_cycles(operands[0]);
    if (!is_result(operands[0]) || !call_.getType()->isIntegerTy()) return false;
    if (!number || *number < 0 || *number > 2) return false;
    result_ = builder_.CreateZExtOrTrunc(read_place(builder_, *number), call_.getType());
    return true;
  }

  bool try_load_number(const std::vector<std::string>& operands) {
    llvm::StringRef name = operands[0];
    const auto number = try_number(operands[1]);
    if (!name.consume_front("$$") || !number) return false;
    registers_[name.str()] = builder_.getInt32(static_cast<std::uint32_t>(*number));
    return true;
  }

  /// "faal $0, 0($1)": adds 1 to a word at once, and gives what was there.
  bool try_add(const std::vector<std::string>& operands) {
    llvm::StringRef place = operands[1];
    place.consume_front("0");
    if (!place.consume_front("(") || !place.consume_back(")")) return false;
    llvm::Value* const word = value_of(place);
    if (!is_result(operands[0]) || !call_.getType()->isIntegerTy() || word == nullptr) return false;
    if (!word->getType()->isPointerTy()) return false;
    result_ = builder_.CreateZExtOrTrunc(fetch_add(builder_, word), call_.getType());
    return true;
  }

  /// sync meets the CPEs of the column that a mask names, synr those of the row.
  bool try_meet(const Instruction& one) {
    llvm::Value* const mask = value_of(one.operands[0]);
    if (mask == nullptr || !mask->getType()->isIntegerTy()) return false;
    meet_along(builder_, line_of(one), mask);
    return true;
  }

  /// A register holds a float as a double.
  static bool is_float_vector(llvm::Type* type) {
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector != nullptr && vector->getNumElements() == kLanes &&
           vector->getElementType()->isFloatTy();
  }
  static bool is_vector_of_256_bits(llvm::Type* type) {
    return type->isVectorTy() && type->getPrimitiveSizeInBits() == 256;
  }

  bool try_put(const Instruction& one) {
    llvm::Value* value = value_of(one.operands[0]);
    llvm::Value* const destination = value_of(one.operands[1]);
    if (value == nullptr || destination == nullptr) return false;
    if (!destination->getType()->isIntegerTy()) return false;
    if (is_float_vector(value->getType())) value = builder_.CreateFPExt(value, doubles());
    if (!is_vector_of_256_bits(value->getType())) return false;
    send_along(builder_, line_of(one), builder_.CreateBitCast(value, lanes()),
               builder_.CreateZExtOrTrunc(destination, builder_.getInt32Ty()));
    return true;
  }

  bool try_get(const Instruction& one) {
    llvm::Type* const type = call_.getType();
    if (!is_result(one.operands[0])) return false;
    if (!is_float_vector(type) && !is_vector_of_256_bits(type)) return false;
    llvm::Value* const value = receive_along(builder_, line_of(one));
    result_ = is_float_vector(type)
                  ? builder_.CreateFPTrunc(builder_.CreateBitCast(value, doubles()), type)
                  : builder_.CreateBitCast(value, type);
    return true;
  }

  llvm::Type* lanes() { return llvm::FixedVectorType::get(builder_.getInt64Ty(), kLanes); }
  llvm::Type* doubles() { return llvm::FixedVectorType::get(builder_.getDoubleTy(), kLanes); }

  bool on_cpe_;
  llvm::CallInst& call_;
  const llvm::InlineAsm& assembly_;
  llvm::IRBuilder<> builder_;
  std::int64_t outputs_ = 0;
  llvm::Value* result_ = nullptr;
  std::map<std::string, llvm::Value*> registers_;  ///< "1": what ldi put into $1
};

}  // namespace

void replace_assembly(llvm::Module& module, Side side) {
  if (!module.getModuleInlineAsm().empty()) module.setModuleInlineAsm("");
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && call->isInlineAsm()) calls.push_back(call);
    }
  }
  for (llvm::CallInst* const call : calls) Assembly(*call, side).replace();
}

}  // namespace solway::emulator
