#include "driver/foreign_kernel.h"

#include <cstring>
#include <fstream>
#include <utility>

#include "driver/find_program.h"
#include "driver/linkable_files.h"
#include "emulator/subprocess.h"
#include "support/error.h"

namespace solway::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEntry = "solway_run_kernel";
constexpr const char* kProgram = "kernel";
constexpr std::int64_t kAlignment = 64;

/// The program's side of `run`: maps the file that holds the arguments, and calls the kernel with
/// copies of them that lie against pages which nobody may read.
constexpr const char* kRunner = R"c(#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int32_t solway_run_kernel(void** args);

/* Memory that ends where an unreadable page begins; with SOLWAY_GUARD=before, that begins where one ends. */
static char* guarded(size_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t inside = (bytes + page - 1) / page * page;
  char* const all = mmap(0, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return 0;
  if (inside != 0 && mprotect(all + page, inside, PROT_READ | PROT_WRITE) != 0) return 0;
  const char* const side = getenv("SOLWAY_GUARD");
  return all + page + (side != 0 && strcmp(side, "before") == 0 ? 0 : inside - bytes);
}

/* The file: status, nanoseconds, the number of arguments, of each where it begins and how many
   bytes it has; then these bytes. */
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const int file = open(argv[1], O_RDWR);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0) return 2;
  char* const memory = mmap(0, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return 2;
  int64_t* const head = (int64_t*)memory;
  const int64_t count = head[2];
  const int64_t* const offsets = head + 3;
  const int64_t* const sizes = offsets + count;
  void** const args = malloc((size_t)(count + 1) * sizeof(void*));
  if (args == 0) return 2;
  for (int64_t k = 0; k < count; ++k) {
    int64_t same = 0;
    while (offsets[same] != offsets[k] || sizes[same] != sizes[k]) ++same;
    args[k] = same < k ? args[same] : guarded((size_t)sizes[k]);
    if (args[k] == 0) return 2;
    memcpy(args[k], memory + offsets[k], (size_t)sizes[k]);
  }
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  head[0] = solway_run_kernel(args);
  clock_gettime(CLOCK_MONOTONIC, &end);
  head[1] = (int64_t)(end.tv_sec - start.tv_sec) * 1000000000 + (end.tv_nsec - start.tv_nsec);
  for (int64_t k = 0; k < count; ++k) memcpy(memory + offsets[k], args[k], (size_t)sizes[k]);
  return 0;
}
)c";

std::string require_program(const std::string& program, const Target& target,
                            const SourceLoc& where) {
  if (const auto path = find_program(program)) return *path;
  throw UnsupportedError(
      {where, "a kernel for '" + target.name + "' cannot be run here",
       "'" + program + "' was not found",
       "install it (Debian: qemu-user and gcc-aarch64-linux-gnu or gcc-riscv64-linux-gnu), or use "
       "k.save(), which needs no other program"});
}

/// Where each argument begins in the file; those of one address are one region.
struct Layout {
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> sizes;
  std::int64_t total = 0;
};

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

Layout layout_of(const ir::Kernel& kernel, std::span<void* const> arguments,
                 const RunOptions& options) {
  Layout out;
  out.total = aligned(static_cast<std::int64_t>(sizeof(std::int64_t) * (3 + 2 * arguments.size())));
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    out.sizes.push_back(options.argument_bytes.empty() ? kernel.params[k].buffer->size_bytes()
                                                       : options.argument_bytes[k]);
    std::size_t same = 0;
    while (same < k && (arguments[same] != arguments[k] || out.sizes[same] != out.sizes[k])) ++same;
    out.offsets.push_back(same < k ? out.offsets[same] : out.total);
    if (same == k) out.total = aligned(out.total + out.sizes[k]);
  }
  return out;
}

}  // namespace

ForeignKernel::ForeignKernel(const ir::Kernel& kernel, codegen::LlvmOptions options, Target target,
                             SourceLoc where)
    : kernel_(kernel),
      options_(std::move(options)),
      target_(std::move(target)),
      where_(std::move(where)) {
  options_.entry = codegen::EntryForm::Array;
  options_.entry_name = kEntry;
  code_ = codegen::compile_object(kernel_, options_);
}

std::map<std::string, std::string> ForeignKernel::sources() const {
  return {{kernel_.name + ".ll", code_.llvm_ir}, {kernel_.name + ".s", code_.assembly()}};
}

std::map<std::string, std::string> ForeignKernel::libraries(codegen::ParallelForm parallel,
                                                            const SourceLoc& where) const {
  codegen::LlvmOptions options = options_;
  options.parallel = parallel;
  return linkable_files(kernel_, options, where);
}

void ForeignKernel::prepare() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (folder_) return;
  const ForeignMachine& machine = target_.foreign.value();
  if (machine.emulator.empty()) {
    throw UnsupportedError({where_, "a kernel for '" + target_.name + "' cannot be run here",
                            "its target file names no emulator",
                            "use k.save() and run the example on the machine"});
  }
  const std::string compiler = require_program(machine.compiler, target_, where_);
  command_ = machine.emulator;
  command_[0] = require_program(command_[0], target_, where_);
  auto folder = std::make_unique<TemporaryFolder>(where_);
  const fs::path runner = folder->write("runner.c", kRunner, where_);
  const fs::path object = folder->write("kernel.o", code_.bytes, where_);
  const fs::path program = folder->path() / kProgram;
  const emulator::ChildResult linked =
      emulator::run_child({compiler, "-std=c99", "-O1", "-static", "-o", program.string(),
                           runner.string(), object.string(), "-lm"},
                          {});
  if (linked.exit_code != 0) {
    folder->require_room(where_);
    throw InternalError(
        {where_, "'" + machine.compiler + "' did not link the kernel", linked.messages, ""});
  }
  folder_ = std::move(folder);
}

RunReport ForeignKernel::run(std::span<void* const> arguments, const RunOptions& options) {
  prepare();
  const Layout layout = layout_of(kernel_, arguments, options);
  std::string bytes(static_cast<std::size_t>(layout.total), '\0');
  std::vector<std::int64_t> head = {0, 0, static_cast<std::int64_t>(arguments.size())};
  head.insert(head.end(), layout.offsets.begin(), layout.offsets.end());
  head.insert(head.end(), layout.sizes.begin(), layout.sizes.end());
  std::memcpy(bytes.data(), head.data(), head.size() * sizeof head[0]);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (layout.sizes[k] == 0) continue;
    std::memcpy(bytes.data() + layout.offsets[k], arguments[k],
                static_cast<std::size_t>(layout.sizes[k]));
  }
  const TemporaryFolder folder(where_);  // calls may run at the same time
  const fs::path data = folder.write("arguments", bytes, where_);
  std::vector<std::string> command = command_;
  command.push_back((folder_->path() / kProgram).string());
  command.push_back(data.string());
  const emulator::ChildResult ended = emulator::run_child(command, {.seconds = options.seconds});
  if (ended.timed_out) {
    throw UnsupportedError({where_, "the emulated kernel '" + kernel_.name + "' was ended",
                            "it ran for " + std::to_string(options.seconds) + " s",
                            "give it more time: sw.emulator(seconds=...)"});
  }
  if (ended.exit_code != 0) {
    throw InternalError({where_,
                         "the emulated kernel '" + kernel_.name + "' ended with exit code " +
                             std::to_string(ended.exit_code) + ", signal " +
                             std::to_string(ended.signal),
                         ended.messages, ""});
  }
  std::ifstream(data, std::ios::binary).read(bytes.data(), layout.total);
  std::memcpy(head.data(), bytes.data(), 2 * sizeof head[0]);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (layout.sizes[k] == 0 || kernel_.params[k].role == ir::Role::In) continue;
    std::memcpy(arguments[k], bytes.data() + layout.offsets[k],
                static_cast<std::size_t>(layout.sizes[k]));
  }
  return {static_cast<std::int32_t>(head[0]), static_cast<double>(head[1]) * 1e-9, std::nullopt};
}

}  // namespace solway::driver
