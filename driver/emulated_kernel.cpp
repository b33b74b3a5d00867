#include "driver/emulated_kernel.h"

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "support/error.h"

namespace solway::driver {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::stringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

void write_files(const fs::path& folder, const std::map<std::string, std::string>& files,
                 const SourceLoc& where) {
  std::error_code error;
  fs::create_directory(folder, error);
  for (const auto& [name, text] : files) {
    std::ofstream stream(folder / name, std::ios::binary);
    stream << text;
    stream.close();
    if (stream) continue;
    throw UnsupportedError({where, "the generated files could not be written",
                            "'" + (folder / name).string() + "' could not be written",
                            "make room there, or set TMPDIR to another folder"});
  }
}

/// Files of C and assembly, those that others include, and kernel.toml.
const std::set<std::string> kSources = {".c", ".h", ".s", ".S", ".inc", ".toml"};

/// kernel.toml, the sources, and every such file beside them, in the absolute folder `root`.
std::map<std::string, std::string> files_of(const fs::path& root,
                                            const emulator::KernelSources& sources) {
  std::map<std::string, std::string> files;
  const auto add = [&](const fs::path& file) {
    files[file.lexically_normal().lexically_relative(root).generic_string()] = text_of(file);
  };
  for (const fs::path& file : sources.mpe) add(file);
  for (const fs::path& file : sources.cpe) add(file);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const fs::path extension = entry.path().extension();
    const bool is_source = kSources.contains(extension.string());
    if (entry.is_regular_file() && is_source) add(entry.path());
  }
  return files;
}

/// The user's line that line `number` of generated C stands for: the last comment up to it of the
/// form "file:line" or "file:line: text"; empty when there is none.
std::string schedule_line(const std::string& text, int number) {
  static const std::regex kPlace(R"(\s*/\* (.+:[0-9]+(: .*)?) \*/)");
  std::istringstream lines(text);
  std::string found;
  std::smatch match;
  std::string line;
  for (int k = 0; k < number && std::getline(lines, line); ++k) {
    if (std::regex_match(line, match, kPlace)) found = match[1];
  }
  return found;
}

/// `where`, or `fallback` when it names no line.
SourceLoc place_or(const SourceLoc& where, const SourceLoc& fallback) {
  return where.line == 0 ? fallback : where;
}

/// The targets that come with solway whose programs make the calls of `machine`.
std::string targets_of(const std::string& machine, const SourceLoc& where) {
  std::string names;
  for (const std::string& name : builtin_target_names()) {
    if (load_target(name, where).machine != machine) continue;
    names += (names.empty() ? "\"" : " or \"") + name + "\"";
  }
  return names;
}

void require_machine(const emulator::KernelSources& sources, const Target& target,
                     const SourceLoc& where) {
  if (sources.target == target.machine) return;
  throw UnsupportedError(
      {where, "hand kernel '" + sources.name + "' cannot run on target '" + target.name + "'",
       "it is for " + sources.target + ", the target is a machine of kind " + target.machine,
       "pass target=" + targets_of(sources.target, where)});
}

void require_cores(const emulator::KernelSources& sources, const Target& target,
                   const SourceLoc& where) {
  constexpr int kMostCores = 64;
  const int count = target.cores.count;
  if (count >= 1 && count <= kMostCores) return;
  throw UnsupportedError(
      {where, "hand kernel '" + sources.name + "' cannot run on target '" + target.name + "'",
       "it has " + std::to_string(count) + " cores, the emulator 1 to " +
           std::to_string(kMostCores),
       "use a target of so many cores"});
}

/// The machine that a hand kernel names.
Target own_target(const emulator::KernelSources& sources, const SourceLoc& where) {
  if (sources.target != "generic") return load_target(sources.target, where);
  throw UnsupportedError(
      {where, "hand kernel '" + sources.name + "' runs on no machine of its own",
       "its kernel.toml says \"generic\", the interface of any machine with scratchpads",
       "pass target=" + targets_of("generic", where) + ", or the path of a target file"});
}

}  // namespace

const Memory& require_scratchpad(const Target& target, const SourceLoc& where) {
  const Memory* const memory = target.scratchpad_or_null();
  if (memory == nullptr && target.dialect == "athread") {
    throw UnsupportedError(
        {where, "target '" + target.name + "' has no scratchpad 'ldm'",
         "athread C stages in the memory of that name",
         "name the scratchpad 'ldm' in the target file, or choose another dialect"});
  }
  if (memory == nullptr) {
    throw UnsupportedError({where, "target '" + target.name + "' has no scratchpad to stage in",
                            "its default scope '" + target.default_scope +
                                "' is no scratchpad that each core has for itself",
                            "make it one of kind \"scratchpad\", shared_by \"core\""});
  }
  if (target.dialect == "generic" && target.engine_or_null(memory->name) == nullptr) {
    throw UnsupportedError({where, "target '" + target.name + "' has no engine for its scratchpad",
                            "nothing moves data into '" + memory->name + "' while cores compute",
                            "describe the engine in [[transfer_engines]], or use dialect \"c\""});
  }
  return *memory;
}

/// Runs `function`; its errors name files as `sources()` does, and the user's line where they name
/// no line at all.
template <typename Function>
auto EmulatedKernel::with_user_places(Function function) const {
  const auto named = [&](SourceLoc place) {
    if (folder_ == nullptr) return place;
    if (place.file.starts_with(root_)) place.file.erase(0, root_.size());
    return place;
  };
  try {
    return function();
  } catch (const EmulatorError& e) {
    Error::Report r = e.report();
    const auto generated = files_.find(named(r.where).file);
    if (folder_ != nullptr && generated != files_.end()) {
      const std::string line = schedule_line(generated->second, r.where.line);
      if (!line.empty()) r.why += "; the C stands for " + line;
    }
    throw EmulatorError({place_or(named(r.where), where_), r.what, r.why, r.fix}, e.kind(),
                        named(e.cause()), e.cpe(), e.group());
  } catch (const UnsupportedError& e) {
    const Error::Report& r = e.report();
    throw UnsupportedError({place_or(named(r.where), where_), r.what, r.why, r.fix});
  } catch (const DslError& e) {
    const Error::Report& r = e.report();
    const SourceLoc place = named(r.where);
    if (folder_ == nullptr) throw DslError({place_or(place, where_), r.what, r.why, r.fix});
    throw InternalError({place_or(place, where_), "the emulator refused the generated C",
                         r.what + ": " + r.why, ""});
  }
}

std::unique_ptr<EmulatedKernel> EmulatedKernel::from_files(
    const std::string& name, const std::map<std::string, std::string>& files, const Target& target,
    const SourceLoc& where) {
  std::unique_ptr<EmulatedKernel> out(new EmulatedKernel);
  require_scratchpad(target, where);
  out->folder_ = std::make_unique<TemporaryFolder>(where);
  const fs::path folder = out->folder_->path() / name;
  write_files(folder, files, where);
  out->files_ = files;
  out->root_ = folder.string() + "/";
  out->sources_ = emulator::load_hand_kernel(folder);
  out->target_ = target;
  out->where_ = where;
  return out;
}

std::unique_ptr<EmulatedKernel> EmulatedKernel::from_folder(const fs::path& folder,
                                                            const std::optional<Target>& target,
                                                            const emulator::ChosenSizes& chosen) {
  std::unique_ptr<EmulatedKernel> out(new EmulatedKernel);
  const SourceLoc& where = chosen.where;
  if (target && !target->is_emulated()) {
    throw UnsupportedError({where, "a hand kernel cannot run on target '" + target->name + "'",
                            "hand kernels are run by the emulator, which has 'sw26010', "
                            "'sw26010pro' and machines of dialect 'generic'",
                            "leave out target=, and it runs on the one of its kernel.toml"});
  }
  out->where_ = where;
  out->sources_ = out->with_user_places([&] { return emulator::load_hand_kernel(folder, chosen); });
  out->target_ = target ? *target : own_target(out->sources_, where);
  require_scratchpad(out->target_, where);
  require_machine(out->sources_, out->target_, where);
  require_cores(out->sources_, out->target_, where);
  const fs::path root = fs::absolute(folder).lexically_normal();
  out->files_ = files_of(root, out->sources_);
  std::string& toml = out->files_.at("kernel.toml");
  toml = emulator::with_sizes(toml, out->sources_.sizes);
  out->root_ = root.string() + "/";
  return out;
}

void EmulatedKernel::prepare() { prepare_for(emulator::Mode::Functional); }

void EmulatedKernel::prepare_for(emulator::Mode mode) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (compiled_) return;
  compiled_ = with_user_places([&] {
    return std::make_unique<emulator::CompiledKernel>(
        emulator::compile(sources_, mode, timing_for(mode)));
  });
}

std::optional<emulator::MachineTiming> EmulatedKernel::timing_for(emulator::Mode mode) const {
  if (mode != emulator::Mode::Timed) return std::nullopt;
  return emulator::timing_of(target_);
}

RunReport EmulatedKernel::run(std::span<void* const> arguments, const RunOptions& options) {
  prepare_for(options.mode);
  std::vector<emulator::Argument> given;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::int64_t bytes = options.argument_bytes.empty() ? parameters().at(k).size_bytes()
                                                              : options.argument_bytes.at(k);
    given.push_back({arguments[k], static_cast<std::size_t>(bytes)});
  }
  emulator::RunOptions run_options;
  run_options.mode = options.mode;
  run_options.seed = options.seed;
  run_options.landing = options.landing;
  run_options.seconds = options.seconds;
  const Memory& memory = require_scratchpad(target_, where_);
  run_options.ldm_bytes = memory.size_bytes;
  run_options.reserved_bytes = memory.reserved_bytes;
  if (const Memory* const shared = target_.shared_or_null()) {
    run_options.shared_bytes = shared->size_bytes;
  }
  run_options.cores = target_.cores.count;
  run_options.groups = target_.cores.groups;
  if (const TransferEngine* const engine = target_.engine_or_null(memory.name)) {
    run_options.max_transfer_bytes = engine->max_size_bytes;
    run_options.max_block_bytes = engine->max_block_bytes;
    run_options.min_transfer_bytes = engine->min_size_bytes;
    run_options.transfer_alignment_bytes = engine->alignment_bytes;
    run_options.transfer_ranks = engine->ranks;
  }
  emulator::RunResult result = with_user_places([&] {
    run_options.timing = timing_for(options.mode);
    return emulator::run(*compiled_, given, run_options);
  });
  if (result.timed) {
    for (std::string& place : result.timed->timeline.names) {
      if (place.starts_with(root_)) place.erase(0, root_.size());
    }
  }
  return {0, result.seconds, std::move(result)};
}

}  // namespace solway::driver
