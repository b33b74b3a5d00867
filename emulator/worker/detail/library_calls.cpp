#include "emulator/worker/detail/library_calls.h"

#include <array>
#include <set>
#include <string>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "emulator/worker/detail/athread_calls.h"
#include "emulator/worker/detail/mpe_calls.h"
#include "emulator/worker/detail/pthread_calls.h"
#include "emulator/worker/detail/scratchpad_calls.h"
#include "emulator/worker/detail/watched_heap.h"

namespace solway::emulator {
namespace {

constexpr const char* kRefusal = "__solway_no_system";

/// Functions of `math.h`; each is there with an f behind it too.
constexpr std::array kMathematics = {
    "acos",    "acosh",     "asin",      "asinh",  "atan",      "atan2",  "atanh",  "cbrt",
    "ceil",    "copysign",  "cos",       "cosh",   "erf",       "erfc",   "exp",    "exp10",
    "exp2",    "expm1",     "fabs",      "fdim",   "floor",     "fma",    "fmax",   "fmin",
    "fmod",    "frexp",     "hypot",     "ilogb",  "ldexp",     "lgamma", "llrint", "llround",
    "log",     "log10",     "log1p",     "log2",   "logb",      "lrint",  "lround", "modf",
    "nan",     "nearbyint", "nextafter", "pow",    "remainder", "remquo", "rint",   "round",
    "scalbln", "scalbn",    "sin",       "sincos", "sinh",      "sqrt",   "tan",    "tanh",
    "tgamma",  "trunc"};

/// Of the rest of the C library.
constexpr std::array kComputing = {"memchr",
                                   "memcmp",
                                   "memcpy",
                                   "memmove",
                                   "memset",
                                   "bcmp",
                                   "stpcpy",
                                   "strcat",
                                   "strchr",
                                   "strcmp",
                                   "strcpy",
                                   "strcspn",
                                   "strlen",
                                   "strncat",
                                   "strncmp",
                                   "strncpy",
                                   "strnlen",
                                   "strpbrk",
                                   "strrchr",
                                   "strspn",
                                   "strstr",
                                   "strtok_r",
                                   "abs",
                                   "labs",
                                   "llabs",
                                   "div",
                                   "ldiv",
                                   "lldiv",
                                   "bsearch",
                                   "qsort",
                                   "rand",
                                   "srand",
                                   "rand_r",
                                   "atof",
                                   "atoi",
                                   "atol",
                                   "atoll",
                                   "strtod",
                                   "strtof",
                                   "strtol",
                                   "strtoll",
                                   "strtoul",
                                   "strtoull",
                                   "tolower",
                                   "toupper",
                                   "__ctype_b_loc",
                                   "__ctype_tolower_loc",
                                   "__ctype_toupper_loc",
                                   "printf",
                                   "puts",
                                   "putchar",
                                   "sprintf",
                                   "snprintf",
                                   "vprintf",
                                   "vsprintf",
                                   "vsnprintf",
                                   "fflush",
                                   "abort",
                                   "__assert_fail"};

/// Those that would end, copy or signal processes.
constexpr std::array kProcesses = {
    "clone",        "daemon",  "execl",  "execle",  "execlp", "execv",  "execve", "execvp",
    "execvpe",      "fexecve", "fork",   "kill",    "killpg", "pclose", "popen",  "posix_spawn",
    "posix_spawnp", "prctl",   "ptrace", "syscall", "system", "vfork",  "wait",   "waitpid"};

std::set<std::string> allowed_names() {
  std::set<std::string> names(kComputing.begin(), kComputing.end());
  for (const char* const name : kMathematics) {
    names.insert(name);
    names.insert(std::string(name) + "f");
  }
  // These say themselves where they may be called.
  for (const Symbols& calls :
       {mpe_symbols(), athread_symbols(), scratchpad_symbols(), pthread_symbols(), heap_symbols(),
        process_symbols(), hook_symbols()}) {
    for (const auto& [name, address] : calls) names.insert(name);
  }
  return names;
}

constexpr const char* kWhatCpesHave =
    "CPEs have no operating system: of the C library they have what computes, allocates memory or "
    "prints";

[[noreturn]] void no_system(const char* name) {
  fail({.kind = "program",
        .where = shared_state().site,
        .cause = nullptr,
        .cpe = machine().running()->id,
        .what = std::string(name) + " on a CPE",
        .why = kWhatCpesHave,
        .fix = "call it in the MPE program"});
}

[[noreturn]] void no_process(const char* name) {
  const Cpe* const cpe = machine().running();
  fail({.kind = "unsupported",
        .where = shared_state().site,
        .cause = nullptr,
        .cpe = cpe == nullptr ? -1 : cpe->id,
        .what = cpe == nullptr ? std::string(name) + " cannot be emulated"
                               : std::string(name) + " on a CPE",
        .why = cpe == nullptr
                   ? "one process emulates MPE and CPEs; it starts no others and sends them nothing"
                   : kWhatCpesHave,
        .fix = "leave it out of the program that is emulated"});
}

template <std::size_t at>
int refuse_process() {
  no_process(kProcesses[at]);
}

template <std::size_t... at>
void add_processes(Symbols& symbols, std::index_sequence<at...>) {
  (symbols.emplace_back(kProcesses[at], address_of(refuse_process<at>)), ...);
}

}  // namespace

void refuse_system_calls(llvm::Module& cpe) {
  const std::set<std::string> allowed = allowed_names();
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : cpe) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee == nullptr || !callee->isDeclaration() || callee->isIntrinsic()) continue;
      const llvm::StringRef name = callee->getName();
      if (name.starts_with("slave_") || name.starts_with("solway_")) continue;
      if (allowed.count(name.str()) == 0) calls.push_back(call);
    }
  }
  for (llvm::CallBase* const call : calls) {
    llvm::IRBuilder<> builder(call);
    const llvm::FunctionCallee refusal =
        cpe.getOrInsertFunction(kRefusal, builder.getVoidTy(), builder.getPtrTy());
    builder.CreateCall(refusal,
                       {builder.CreateGlobalStringPtr(call->getCalledFunction()->getName())});
  }
}

Symbols process_symbols() {
  Symbols symbols = {{kRefusal, address_of(no_system)}};
  add_processes(symbols, std::make_index_sequence<kProcesses.size()>());
  return symbols;
}

}  // namespace solway::emulator
