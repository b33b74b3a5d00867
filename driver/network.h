#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driver/build.h"
#include "driver/executable.h"
#include "driver/join_layers.h"

namespace solway::driver {

/// Several kernels as one program with one entry. Copies share the code.
class CompiledNetwork {
 public:
  const std::string& name() const { return joined_.network.name; }
  /// The name that was built for: "host", not what it stands for here.
  const std::string& target() const { return target_; }
  /// What a call gives, in order, and how the network is joined.
  const JoinedLayers& joined() const { return joined_; }
  /// Generated files by name: those of all layers and, but for machine code of this machine, of the
  /// entry, of a program that reads and writes files, and a Makefile.
  std::map<std::string, std::string> sources() const { return code_->sources(); }
  const Remarks& remarks() const { return remarks_; }  ///< of all layers, in order
  /// Compiles what has not been compiled yet. Throws UnsupportedError when no C compiler is there.
  void prepare() const { code_->prepare(); }
  /// Whether calls may ask for threads: machine code of this machine.
  bool has_threads() const { return code_->has_threads(); }
  /// Calls it with one pointer per parameter.
  RunReport run(std::span<void* const> arguments, const RunOptions& options = {}) const {
    return code_->run(arguments, options);
  }

 private:
  friend CompiledNetwork build_network(const std::vector<NetworkLayer>& layers,
                                       const std::vector<dsl::Tensor>& outputs,
                                       const BuildOptions& options, const SourceLoc& where);

  JoinedLayers joined_;
  std::string target_;
  Remarks remarks_;
  std::shared_ptr<Executable> code_;
};

/// Compiles each layer, plans one area of main memory for all that passes between them and for
/// their temporaries, and one block of near memory that they use in turn. `outputs` as in
/// join_layers(). Throws what build() and join_layers() throw; UnsupportedError for a layer whose
/// sizes are known when it runs; CapacityError when the layers' buffers, parameters and counters
/// together do not fit near memory.
CompiledNetwork build_network(const std::vector<NetworkLayer>& layers,
                              const std::vector<dsl::Tensor>& outputs, const BuildOptions& options,
                              const SourceLoc& where);

}  // namespace solway::driver
