#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "emulator/worker/detail/machine_calls.h"

namespace solway::emulator {

/// What `load_program` needs to know beside the bitcode.
struct ProgramFiles {
  std::vector<std::string> mpe;  ///< bitcode files
  std::vector<std::string> cpe;
  std::vector<std::string> assembly;  ///< of CPEs, as text
};

/// Marks functions that run on CPEs.
inline constexpr const char* kCpeAttribute = "solway-cpe";
/// Marks functions whose machine code is known.
inline constexpr const char* kAssemblyAttribute = "solway-assembly";

bool is_cpe(const llvm::Function& function);
/// An object in the scratchpad that all CPEs see.
bool is_shared_global(const llvm::GlobalVariable& global);
/// A `__thread_local` object of CPE code.
bool is_ldm_global(const llvm::GlobalVariable& global);

/// Takes off for which processor the functions were compiled.
void drop_processor(llvm::Module& module);

/// Links the bitcode of one side into one module.
std::unique_ptr<llvm::Module> link_side(llvm::LLVMContext& context,
                                        const std::vector<std::string>& files, const char* name);

/// Gives what CPE code defines the prefix `slave_` and marks its functions. On the Pro, names that
/// have the prefix keep it as it is, and `__cross` variables go without.
void mark_cpe_side(llvm::Module& cpe, MachineCalls calls);

/// Where MPE code names a function of CPE code as it is, lets it name the one with the prefix.
/// Fails where it does more with it than start it.
void name_cpe_functions(llvm::Module& mpe, const llvm::Module& cpe);

/// What C++ runs before the program, once `collect_constructors` has made one function of it.
inline constexpr const char* kConstructors = "solway_constructors";

/// Fails for variables of CPE code whose initial values are computed: on a CPE nothing runs before
/// the function that it is started with.
void refuse_constructors(const llvm::Module& cpe);

/// Makes one function of what C++ runs before the program, if there is anything.
///
///   before: @llvm.global_ctors = [{ 65535, @_GLOBAL__sub_I_mpe.cpp, null }]
///   after:  define internal void @solway_constructors() { call void @_GLOBAL__sub_I_mpe.cpp() }
void collect_constructors(llvm::Module& program);

/// Moves `cpe` into `mpe`; neither side may use what only the other one defines, but for
/// `slave_` names in MPE code.
void join_sides(llvm::Module& mpe, std::unique_ptr<llvm::Module> cpe);

/// Makes the constants and hook declarations that instrumented code refers to.
class HookBuilder {
 public:
  explicit HookBuilder(llvm::Module& module, std::string header_folder);

  llvm::Module& module() { return module_; }
  /// A constant `Site`; headers of the emulator are left out in favour of the user's line that
  /// uses them. Null pointer without debug information.
  llvm::Constant* site(const llvm::Instruction& at);
  llvm::Constant* site(const llvm::Function& function);
  llvm::Constant* site(const std::string& file, const std::string& function, unsigned line,
                       unsigned column);
  llvm::Constant* text(const std::string& text);
  llvm::FunctionCallee hook(const char* name, llvm::Type* result,
                            llvm::ArrayRef<llvm::Type*> parameters);
  /// Address of a field of `SharedState`.
  llvm::Value* shared_field(llvm::IRBuilder<>& builder, std::uint64_t offset);

  llvm::Type* pointer() { return llvm::PointerType::getUnqual(module_.getContext()); }
  llvm::Type* i64() { return llvm::Type::getInt64Ty(module_.getContext()); }
  llvm::Type* i32() { return llvm::Type::getInt32Ty(module_.getContext()); }
  llvm::Type* none() { return llvm::Type::getVoidTy(module_.getContext()); }

 private:
  llvm::Module& module_;
  std::string header_folder_;
  std::map<std::tuple<std::string, std::string, unsigned, unsigned>, llvm::Constant*> sites_;
  std::map<std::string, llvm::Constant*> texts_;
};

/// "file:line" of an instruction for messages; "?" without debug information.
std::string location_text(const llvm::Instruction& at);

/// Ends the process with a failure of `kind` at `at`; null: nowhere.
[[noreturn]] void fail_at(const char* kind, const llvm::DILocation* at, const std::string& what,
                          const std::string& why, const std::string& fix);
[[noreturn]] void fail_at(const char* kind, const llvm::Instruction& at, const std::string& what,
                          const std::string& why, const std::string& fix);

}  // namespace solway::emulator
