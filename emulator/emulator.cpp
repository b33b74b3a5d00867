#include "emulator/emulator.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "emulator/clang_command.h"
#include "emulator/detail/argument_memory.h"
#include "emulator/detail/worker_answer.h"
#include "emulator/refused_forms.h"
#include "emulator/subprocess.h"
#include "emulator/timing_word.h"
#include "emulator/toolchain.h"
#include "support/error.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

namespace solway::emulator {

namespace fs = std::filesystem;

using detail::Answer;
using detail::ArgumentMemory;
using detail::location;
using detail::parse_answer;
using detail::require_answer;
using detail::throw_failure;

namespace {

const char* mode_word(Mode mode) {
  return mode == Mode::Hazard ? "hazard" : mode == Mode::Timed ? "timed" : "functional";
}

}  // namespace

/// A temporary folder with the kernel's bitcode and object files; ends with the last copy of the
/// kernel.
struct CompiledKernel::Folder {
  fs::path path;
  Toolchain toolchain;
  std::vector<std::string> request;  ///< to the worker, but for the mode
  mutable std::mutex mutex;
  mutable std::map<Mode, std::string> made;  ///< object files that are there, and their timing
  mutable std::atomic<int> runs = 0;

  Folder() : toolchain(Toolchain::locate()) {
    std::string pattern = (fs::temp_directory_path() / "solway-emulator-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw InternalError({{}, "no temporary folder can be made", std::strerror(errno), ""});
    }
    path = pattern;
  }
  /// One that no other run has.
  fs::path timeline_file() const { return path / ("timeline" + std::to_string(++runs)); }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path object(Mode mode) const { return path / (std::string(mode_word(mode)) + ".o"); }
};

namespace {

constexpr double kCompileSeconds = 300;
constexpr std::size_t kRunMemory = std::size_t{8} << 30;
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitMemory = false;  // the sanitizer maps terabytes that it does not use
#else
constexpr bool kLimitMemory = true;
#endif

/// Reads the timeline of a run, and removes the file.
Timeline take_timeline(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  fs::remove(file);
  std::optional<Timeline> timeline = timeline_from_text(text.str());
  if (!timeline) throw InternalError({{}, "the timeline of a run is not understood", "", ""});
  return std::move(*timeline);
}

/// The first "file:line:column: error: text" of a compiler's messages.
struct Diagnostic {
  SourceLoc where;
  std::string text;
};

Diagnostic first_error(const std::string& messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    auto at = line.find(": error: ");
    std::size_t skip = 9;
    if (at == std::string::npos) {
      at = line.find(": fatal error: ");
      skip = 15;
    }
    if (at == std::string::npos) continue;
    const std::string text = line.substr(at + skip);
    const auto column = line.rfind(':', at - 1);
    const auto number = column == std::string::npos ? column : line.rfind(':', column - 1);
    if (number == std::string::npos) return {{}, text};
    return {location(line.substr(0, number), std::atoi(line.c_str() + number + 1)), text};
  }
  return {{}, messages.substr(0, 500)};
}

/// What follows `mark` in a text; all of it when the mark is not there.
std::string after(const std::string& text, const std::string& mark) {
  const auto at = text.find(mark);
  return at == std::string::npos ? text : text.substr(at + mark.size());
}

void compile_source(const KernelSources& sources, const Toolchain& toolchain,
                    const SourceFile& source, const fs::path& output) {
  if (source.path.extension() == ".s") {
    std::ofstream(output) << "# 1 \"" << source.path.string() << "\"\n"
                          << std::ifstream(source.path).rdbuf();
    return;
  }
  const auto command = clang_command(sources, toolchain, source, output);
  ChildResult result = run_child(command, {.seconds = kCompileSeconds});
  const fs::path expanded = output.string() + ".i";
  if (result.exit_code != 0 && is_form_refused(result.messages) &&
      accept_refused_forms(sources, toolchain, source, expanded)) {
    const auto again = compile_expanded_command(sources, toolchain, source, expanded, output);
    result = run_child(again, {.seconds = kCompileSeconds});
  }
  if (result.exit_code == 0) return;
  const Diagnostic error = first_error(result.messages);
  const bool is_assembly_text = error.text.find("in asm") != std::string::npos;
  if (error.text.find("is not emulated yet") != std::string::npos || is_assembly_text) {
    throw UnsupportedError(
        {error.where,
         "'" + source.path.filename().string() + "' uses what the " + "emulator does not have",
         is_assembly_text ? "inline assembly: " + error.text
                          : after(error.text, "is unavailable: "),
         "use what docs/emulator.md lists for the machine"});
  }
  const bool is_refusal = error.where.text.find("#error") != std::string::npos;
  throw DslError({error.where, "'" + source.path.filename().string() + "' does not compile",
                  error.text,
                  is_refusal ? "choose other sizes, or correct the source" : "correct the source"});
}

void require_arguments(const KernelSources& sources, std::span<const Argument> arguments) {
  if (arguments.size() != sources.parameters.size()) {
    throw ArgumentMismatchError(
        {{},
         "'" + sources.name + "' called with " + std::to_string(arguments.size()) + " arguments",
         "it has " + std::to_string(sources.parameters.size()) + " parameters",
         "pass one argument per parameter"});
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = sources.parameters[i];
    const auto declared = static_cast<std::size_t>(parameter.size_bytes());
    if (arguments[i].bytes == declared) continue;
    if (parameter.is_upper_bound && arguments[i].bytes < declared) continue;
    throw ArgumentMismatchError({{},
                                 "argument '" + parameter.name + "' of '" + sources.name + "'",
                                 "got " + std::to_string(arguments[i].bytes) +
                                     " bytes, its shape and dtype take " +
                                     std::to_string(parameter.size_bytes()),
                                 "pass an array of the declared shape and dtype"});
  }
}

const char* role_word(Role role) {
  return role == Role::In ? "in" : role == Role::Out ? "out" : "inout";
}

/// Asks the worker for the object file that `mode` runs, unless it is there.
void require_object(const KernelSources& sources, const CompiledKernel::Folder& folder, Mode mode,
                    const std::string& timing) {
  const std::lock_guard lock(folder.mutex);
  const auto made = folder.made.find(mode);
  if (made != folder.made.end() && made->second == timing) return;
  std::vector<std::string> words = folder.request;
  words.push_back("output=" + folder.object(mode).string());
  words.push_back(std::string("mode=") + mode_word(mode));
  if (!timing.empty()) words.push_back("timing=" + timing);
  const ChildResult child = run_child(words, {.seconds = kCompileSeconds});
  Answer answer = parse_answer(child.output);
  if (answer["end"] == "failure") throw_failure(answer);
  if (answer["end"] != "done") {
    throw InternalError({{},
                         "the emulator's worker did not compile '" + sources.name + "'",
                         child.messages.substr(0, 1000),
                         ""});
  }
  folder.made[mode] = timing;
}

/// What timed mode goes by, as the worker takes it; empty in other modes.
std::string timing_word(const std::optional<MachineTiming>& timing, Mode mode) {
  if (mode != Mode::Timed) return "";
  if (timing) return to_word(*timing);
  throw InternalError({{}, "timed mode without the timing of a machine", "", ""});
}

}  // namespace

CompiledKernel compile(const KernelSources& sources, Mode mode,
                       const std::optional<MachineTiming>& timing) {
  CompiledKernel kernel;
  kernel.sources_ = sources;
  const auto folder = std::make_shared<CompiledKernel::Folder>();
  std::vector<std::string> words = {folder->toolchain.worker.string(),
                                    "compile",
                                    "answer={answer}",
                                    "headers=" + folder->toolchain.headers.string(),
                                    "entry=" + sources.entry,
                                    "machine=" + sources.target};
  struct Unit {
    SourceFile source;
    fs::path made;
    std::exception_ptr error;
  };
  std::vector<Unit> units;
  for (const auto& [side, files] : {std::pair{"mpe", &sources.mpe}, {"cpe", &sources.cpe}}) {
    for (const fs::path& source : *files) {
      const bool assembly = is_assembly(source);
      const fs::path made =
          folder->path / (side + std::to_string(units.size()) + (assembly ? ".s" : ".bc"));
      units.push_back({{source, files == &sources.mpe}, made, nullptr});
      words.push_back((assembly ? "assembly" : side) + ("=" + made.string()));
    }
  }
  std::vector<std::thread> threads;
  for (Unit& unit : units) {
    threads.emplace_back([&] {
      try {
        compile_source(sources, folder->toolchain, unit.source, unit.made);
      } catch (...) {
        unit.error = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Unit& unit : units) {
    if (unit.error != nullptr) std::rethrow_exception(unit.error);
  }
  for (const Parameter& parameter : sources.parameters) {
    words.push_back("parameter=" + parameter.name + ":" + parameter.dtype + ":" +
                    (parameter.shape.empty() ? "scalar" : "array"));
  }
  folder->request = std::move(words);
  require_object(sources, *folder, mode, timing_word(timing, mode));
  kernel.folder_ = folder;
  return kernel;
}

RunResult run(const CompiledKernel& kernel, std::span<const Argument> arguments,
              const RunOptions& options) {
  const KernelSources& sources = kernel.sources();
  require_arguments(sources, arguments);
  const std::string timing = timing_word(options.timing, options.mode);
  require_object(sources, *kernel.folder_, options.mode, timing);
  ArgumentMemory memory(arguments);
  const char* const landing = options.landing == Landing::AtIssue  ? "at_issue"
                              : options.landing == Landing::AtWait ? "at_wait"
                                                                   : "random";
  std::vector<std::string> words = {
      kernel.folder_->toolchain.worker.string(),
      "run",
      "answer={answer}",
      "object=" + kernel.folder_->object(options.mode).string(),
      std::string("mode=") + mode_word(options.mode),
      "data=3",
      "data_bytes=" + std::to_string(memory.bytes()),
      "seed=" + std::to_string(options.seed),
      "steps=" + std::to_string(options.step_budget),
      std::string("landing=") + landing,
      "ldm_bytes=" + std::to_string(options.ldm_bytes),
      "reserved_bytes=" + std::to_string(options.reserved_bytes),
      "max_transfer=" + std::to_string(options.max_transfer_bytes),
      "max_block=" + std::to_string(options.max_block_bytes),
      "cores=" + std::to_string(options.cores),
      "groups=" + std::to_string(options.groups),
      "min_transfer=" + std::to_string(options.min_transfer_bytes),
      "shared_bytes=" + std::to_string(options.shared_bytes),
      "alignment=" + std::to_string(options.transfer_alignment_bytes),
      "ranks=" + std::to_string(options.transfer_ranks),
      "machine=" + sources.target,
      std::string("stack=") + (sources.stack == StackPlace::Main ? "main" : "ldm")};
  const fs::path timeline_file = kernel.folder_->timeline_file();
  if (!timing.empty()) {
    words.push_back("timing=" + timing);
    words.push_back("timeline=" + timeline_file.string());
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = sources.parameters[i];
    if (arguments[i].bytes != 0) {
      std::memcpy(memory.at(i), arguments[i].data, arguments[i].bytes);
    }
    words.push_back("argument=" + parameter.name + ":" + std::to_string(memory.offset(i)) + ":" +
                    std::to_string(arguments[i].bytes) + ":" + role_word(parameter.role));
  }
  const ChildResult child = run_child(
      words,
      {.seconds = options.seconds, .memory_bytes = kLimitMemory ? kRunMemory + memory.bytes() : 0},
      memory.descriptor());
  Answer answer = require_answer(child, sources, options.seconds);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (sources.parameters[i].role == Role::In || arguments[i].bytes == 0) continue;
    std::memcpy(arguments[i].data, memory.at(i), arguments[i].bytes);
  }
  const auto number = [&](const char* key) { return std::atoll(answer[key].c_str()); };
  RunResult result;
  result.get_bytes = number("get_bytes");
  result.put_bytes = number("put_bytes");
  result.gld_bytes = number("gld_bytes");
  result.gst_bytes = number("gst_bytes");
  if (sources.target == "sw26010pro") result.rma_bytes = number("remote_bytes");
  result.ldm_peak_bytes = number("ldm_peak_bytes");
  result.seconds = std::atof(answer["seconds"].c_str());
  if (options.mode == Mode::Timed) {
    result.timed = {number("cycles"), number("cpe_cycles"), take_timeline(timeline_file)};
  }
  return result;
}

RunResult run(const KernelSources& sources, std::span<const Argument> arguments,
              const RunOptions& options) {
  return run(compile(sources, options.mode, options.timing), arguments, options);
}

}  // namespace solway::emulator
