#include "emulator/worker/detail/run_kernel.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/TargetSelect.h>

#include "emulator/worker/detail/athread_calls.h"
#include "emulator/worker/detail/hooks.h"
#include "emulator/worker/detail/library_calls.h"
#include "emulator/worker/detail/machine.h"
#include "emulator/worker/detail/mpe_calls.h"
#include "emulator/worker/detail/poison.h"
#include "emulator/worker/detail/pthread_calls.h"
#include "emulator/worker/detail/scratchpad_calls.h"
#include "emulator/worker/detail/watched_heap.h"

#include <signal.h>
#include <sys/mman.h>

namespace solway::emulator {
namespace {

Machine* machine_of_signals = nullptr;

/// A fault that no check saw: deep recursion, a wild pointer given to the C library, a division
/// by zero.
void on_signal(int signal, siginfo_t* info, void*) {
  Machine& machine = *machine_of_signals;
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  const Site* const site = machine.shared().site;
  if (signal == SIGFPE) {
    machine.fault(
        "crash", site, "the program divided an integer by zero",
        site == nullptr ? "no call of the program came before" : "it happened after this call",
        "check the divisor");
  }
  if (signal == SIGILL) {
    machine.fault(
        "crash", site, "the program ran into a trap",
        site == nullptr ? "no call of the program came before" : "it happened after this call",
        "look for __builtin_trap(), and for C++ functions that end without their value");
  }
  if (signal == SIGSEGV && machine.in_stack_guard(address)) {
    machine.fault("stack_overflow", site, "a CPE's stack has no end",
                  site == nullptr ? "its recursion went deeper than any LDM"
                                  : "the recursion after this call went deeper than any LDM",
                  "bound the recursion");
  }
  const bool null = address < 4096;
  machine.fault(null ? "null_pointer" : "out_of_bounds_main", site,
                std::string("the program crashed: ") + strsignal(signal),
                "the address was " + std::to_string(address) + ", in or after this call",
                "check the pointers of this call");
}

void catch_signals() {
  static char stack[1 << 16];
  const stack_t alternate{stack, 0, sizeof stack};
  sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
}

template <typename T>
T take(llvm::Expected<T> value, const char* what) {
  if (!value) fail_internal(what, llvm::toString(value.takeError()));
  return std::move(*value);
}

/// Names that the sources use and nobody defines.
[[noreturn]] void fail_undefined(const std::string& message) {
  fail({.kind = "unsupported",
        .where = nullptr,
        .cause = nullptr,
        .cpe = -1,
        .what = "the program calls something that the emulator does not have",
        .why = message,
        .fix = "use athread.h, slave.h, dma.h, simd.h and the C library"});
}

/// `messages` takes what the loader says while it looks names up.
std::unique_ptr<llvm::orc::LLJIT> load(const std::string& object_file, std::string& messages) {
  using llvm::orc::ExecutorAddr;
  auto jit = take(llvm::orc::LLJITBuilder().create(), "the loader did not start");
  jit->getExecutionSession().setErrorReporter([&messages](llvm::Error error) {
    messages += (messages.empty() ? "" : "; ") + llvm::toString(std::move(error));
  });
  llvm::orc::SymbolMap symbols;
  Symbols known = hook_symbols();
  for (Symbols more : {mpe_symbols(), athread_symbols(), scratchpad_symbols(), heap_symbols(),
                       pthread_symbols(), process_symbols()}) {
    known.insert(known.end(), more.begin(), more.end());
  }
  for (const auto& [name, address] : known) {
    symbols[jit->mangleAndIntern(name)] = {ExecutorAddr::fromPtr(address),
                                           llvm::JITSymbolFlags::Exported};
  }
  llvm::orc::JITDylib& dylib = jit->getMainJITDylib();
  llvm::cantFail(dylib.define(llvm::orc::absoluteSymbols(std::move(symbols))));
  dylib.addGenerator(take(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
                              jit->getDataLayout().getGlobalPrefix()),
                          "the C library was not found"));
  auto buffer = llvm::MemoryBuffer::getFile(object_file);
  if (!buffer) fail_internal("the kernel's object file is gone", buffer.getError().message());
  if (auto error = jit->addObjectFile(std::move(*buffer))) {
    fail_internal("the kernel's object file could not be loaded", llvm::toString(std::move(error)));
  }
  return jit;
}

}  // namespace

void run_kernel(const RunRequest& request) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::string messages;
  const auto jit = load(request.object_file, messages);
  auto found = jit->lookup("solway_program");
  if (!found) {
    const std::string failed = llvm::toString(found.takeError());
    fail_undefined(messages.empty() ? failed : messages);
  }
  const Program& program = *found->toPtr<Program*>();

  void* data = nullptr;
  if (request.data_bytes != 0) {
    data = mmap(nullptr, request.data_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                request.data_descriptor, 0);
    if (data == MAP_FAILED) fail_internal("the arguments could not be mapped", strerror(errno));
  }
  SharedState& shared = shared_state();
  Machine machine(request.machine, program, shared);
  set_machine(&machine);
  machine_of_signals = &machine;
  std::vector<void*> addresses;
  for (const PlacedArgument& argument : request.arguments) {
    void* const address = static_cast<char*>(data) + argument.offset;
    const auto number = reinterpret_cast<std::uint64_t>(address);
    addresses.push_back(address);
    if (argument.bytes == 0) continue;
    Object* const object = machine.main_objects().add(ObjectKind::Main, number, argument.bytes,
                                                      argument.name, nullptr);
    if (argument.role == ArgumentRole::In) object->store_size = 0;
    if (argument.role == ArgumentRole::Out) poison(number, argument.bytes);
  }
  catch_signals();
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t status = program.entry(addresses.data());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  machine.finish();
  std::fflush(nullptr);
  if (status != 0) {
    fail({.kind = "program",
          .where = nullptr,
          .cause = nullptr,
          .cpe = -1,
          .what = "the entry returned " + std::to_string(status),
          .why = "0 means done, anything else is an error of the program",
          .fix = "see what the number means in the MPE source"});
  }
  std::uint64_t loaded = 0;
  std::uint64_t stored = 0;
  for (const ObjectKind kind : {ObjectKind::Main, ObjectKind::MainHeap}) {
    loaded += machine.main_objects().sum(kind, &Object::loaded_bytes);
    stored += machine.main_objects().sum(kind, &Object::stored_bytes);
  }
  loaded += machine.stack_traffic().loaded_bytes;
  stored += machine.stack_traffic().stored_bytes;
  const Traffic traffic = machine.traffic();
  answer("get_bytes", std::to_string(traffic.get));
  answer("put_bytes", std::to_string(traffic.put));
  answer("remote_bytes", std::to_string(traffic.remote));
  answer("gld_bytes", std::to_string(loaded));
  answer("gst_bytes", std::to_string(stored));
  answer("ldm_peak_bytes", std::to_string(machine.ldm_peak_bytes()));
  answer("seconds", std::to_string(seconds.count()));
  if (const auto& recorder = machine.recorder()) {
    const auto answer_cycles = [](const char* key, std::int64_t ticks) {
      answer(key, std::to_string((ticks + kTicksPerCycle - 1) / kTicksPerCycle));
    };
    answer_cycles("cycles", shared.ticks);
    answer_cycles("cpe_cycles", machine.cpe_ticks());
    std::ofstream file(request.timeline_file);
    if (!(file << to_text(recorder->timeline()) << std::flush)) {
      fail_internal("the timeline could not be written", request.timeline_file);
    }
  }
  answer("end", "done");
}

}  // namespace solway::emulator
