#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "driver/executable.h"
#include "driver/temporary_folder.h"
#include "emulator/emulator.h"
#include "support/target.h"

namespace solway::driver {

/// The scratchpad that code of an emulated target stages in. Throws UnsupportedError when the
/// target has none, or no engine that fills it.
const Memory& require_scratchpad(const Target& target, const SourceLoc& where);

/// MPE and CPE sources that the emulator runs, compiled at the first call.
class EmulatedKernel final : public Executable {
 public:
  /// Generated files, one of them kernel.toml, of a kernel called `name`.
  static std::unique_ptr<EmulatedKernel> from_files(const std::string& name,
                                                    const std::map<std::string, std::string>& files,
                                                    const Target& target, const SourceLoc& where);
  /// A folder with a kernel.toml that somebody wrote. Throws DslError that names the key and the
  /// line of a kernel.toml that does not fit, UnsupportedError when it is not for `target`,
  /// ArgumentMismatchError when it has no such sizes. Without a target, it runs on the one that
  /// kernel.toml names.
  static std::unique_ptr<EmulatedKernel> from_folder(const std::filesystem::path& folder,
                                                     const std::optional<Target>& target,
                                                     const emulator::ChosenSizes& chosen);

  const std::string& name() const { return sources_.name; }
  const Target& target() const { return target_; }
  const std::vector<emulator::Parameter>& parameters() const { return sources_.parameters; }
  /// The sizes that it is compiled for.
  const std::map<std::string, std::int64_t>& sizes() const { return sources_.sizes; }

  /// C files, headers and kernel.toml by path relative to the kernel's folder.
  std::map<std::string, std::string> sources() const override { return files_; }
  /// Throws UnsupportedError when clang is not there, DslError for hand-written C that does not
  /// compile.
  void prepare() override;
  /// Throws EmulatorError for what the machine forbids; the arguments then hold what they held.
  RunReport run(std::span<void* const> arguments, const RunOptions& options) override;

 private:
  EmulatedKernel() = default;

  void prepare_for(emulator::Mode mode);
  /// What timed mode goes by; empty in other modes.
  std::optional<emulator::MachineTiming> timing_for(emulator::Mode mode) const;
  template <typename Function>
  auto with_user_places(Function function) const;

  std::unique_ptr<TemporaryFolder> folder_;  ///< of generated files
  std::map<std::string, std::string> files_;
  std::string root_;  ///< the folder that `files_` are in, with a slash behind it
  emulator::KernelSources sources_;
  Target target_;
  SourceLoc where_;
  std::mutex mutex_;  ///< of what follows
  std::unique_ptr<emulator::CompiledKernel> compiled_;
};

}  // namespace solway::driver
