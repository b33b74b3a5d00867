#include "codegen/llvm/detail/library_entry.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

#include "support/error.h"

/// LLVM IR of runtime/library_team.c, made when solway is built.
extern const char kSolwayLibraryTeamIr[];

namespace solway::codegen::detail {
namespace {

/// Puts the functions of runtime/library_team.c into the module. They are written so that the IR
/// says nothing of a machine but what its compiler adds.
void link_team(llvm::Module& module) {
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> team =
      llvm::parseAssemblyString(kSolwayLibraryTeamIr, problem, module.getContext());
  if (team == nullptr) {
    throw InternalError({{}, "the IR of library_team.c", problem.getMessage().str(), ""});
  }
  team->setTargetTriple(module.getTargetTriple());
  team->setDataLayout(module.getDataLayout());
  for (const char* const name : {"llvm.module.flags", "llvm.ident"}) {
    if (llvm::NamedMDNode* const node = team->getNamedMetadata(name)) node->eraseFromParent();
  }
  std::vector<std::string> defined;
  for (llvm::Function& function : *team) {
    for (const char* const attribute : {"target-cpu", "target-features", "tune-cpu"}) {
      function.removeFnAttr(attribute);
    }
    if (!function.isDeclaration()) defined.push_back(function.getName().str());
  }
  if (llvm::Linker::linkModules(module, std::move(team))) {
    throw InternalError({{}, "the IR of library_team.c does not fit the kernel's", "", ""});
  }
  for (const std::string& name : defined) {
    module.getFunction(name)->setLinkage(llvm::Function::InternalLinkage);
  }
}

}  // namespace

void emit_library_entry(llvm::Module& module, llvm::Function& on_team,
                        const std::vector<std::string>& parameters, const std::string& name) {
  link_team(module);
  on_team.setLinkage(llvm::Function::InternalLinkage);
  llvm::Function* const set_threads = module.getFunction("solway_library_set_threads");
  set_threads->setName(name + "_set_threads");
  set_threads->setLinkage(llvm::Function::ExternalLinkage);

  llvm::IRBuilder<> b(module.getContext());
  const std::vector<llvm::Type*> types(parameters.size(), b.getPtrTy());
  auto* const function =
      llvm::Function::Create(llvm::FunctionType::get(b.getInt32Ty(), types, /*isVarArg=*/false),
                             llvm::Function::ExternalLinkage, name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  llvm::Value* const args = b.CreateAlloca(
      b.getPtrTy(), b.getInt32(static_cast<std::uint32_t>(parameters.size())), "args");
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    llvm::Argument* const given = function->getArg(static_cast<unsigned>(k));
    given->setName(parameters[k]);
    b.CreateStore(given, b.CreateConstInBoundsGEP1_64(b.getPtrTy(), args, k));
  }
  b.CreateRet(b.CreateCall(module.getFunction("solway_library_call"), {&on_team, args}));
}

}  // namespace solway::codegen::detail
