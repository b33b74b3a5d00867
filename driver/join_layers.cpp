#include "driver/join_layers.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "memory_planner/pack_lifetimes.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using dsl::Tensor;

/// What is known of the memory of one tensor, which its updates share.
struct Memory {
  Tensor tensor;  ///< as a layer named it first
  ir::Buffer buffer;
  bool is_brought = false;  ///< the caller brings its values
  int first_write = -1;
  int last_read = -1;
  int last_use = -1;
  bool is_kept = false;  ///< what elements hold that no layer stores
  Tensor last_written;
};

class Joiner {
 public:
  Joiner(const std::vector<NetworkLayer>& layers, const std::vector<ir::Kernel>& kernels,
         const std::vector<Tensor>& outputs, const SourceLoc& where)
      : layers_(layers), kernels_(kernels), where_(where) {
    for (std::size_t k = 0; k < layers.size(); ++k) visit(static_cast<int>(k));
    require_names();
    for (const Tensor& output : outputs) add_output(output);
  }

  JoinedLayers join(const std::string& name, bool is_told, int alignment_bytes) {
    JoinedLayers out;
    out.network.name = name;
    out.network.alignment_bytes = alignment_bytes;
    for (const Tensor& root : met_) {
      const Memory& memory = memories_.at(root);
      if (!is_told && memory.first_write >= 0 && memory.last_read < memory.first_write) {
        outputs_.insert(root);
      }
    }
    for (const bool brought : {true, false}) {
      for (const Tensor& root : met_) {
        const Memory& memory = memories_.at(root);
        const bool is_param = memory.is_brought || outputs_.count(root) != 0;
        if (is_param && memory.is_brought == brought) add_param(root, memory, out);
      }
    }
    place_arrays(alignment_bytes, out);
    for (std::size_t k = 0; k < layers_.size(); ++k) out.network.layers.push_back(layer(k));
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const Tensor& tensor, const std::string& fix) {
    throw ArgumentMismatchError(
        {where_, "the layers do not fit: '" + tensor->name + "' " + what,
         "'" + tensor->name + "' is defined at " + tensor->where.to_string(), fix});
  }

  void visit(int number) {
    const NetworkLayer& layer = layers_[static_cast<std::size_t>(number)];
    const schedule::Program& program = *layer.state.program;
    for (std::size_t a = 0; a < layer.args.size(); ++a) {
      const Tensor& tensor = layer.args[a];
      const Tensor root = dsl::root_of(tensor);
      const ir::Param& param = kernels_[static_cast<std::size_t>(number)].params[a];
      const bool is_read = program.is_input(program.array(tensor->storage_name()));
      auto [at, is_new] = memories_.try_emplace(root);
      Memory& memory = at->second;
      if (is_new) {
        memory.tensor = tensor;
        memory.buffer = param.buffer;
        memory.is_brought = is_read;
        met_.push_back(root);
      }
      if (is_read) {
        memory.last_read = number;
      } else if (memory.is_brought) {
        fail("is read before a layer computes it", tensor, "put the layer that computes it first");
      } else if (memory.first_write >= 0) {
        fail("is computed by two layers", tensor, "leave it out of the outputs of one of them");
      }
      if (param.role != ir::Role::In) {
        if (memory.first_write < 0) memory.first_write = number;
        memory.last_written = tensor;
        memory.is_kept = memory.is_kept || (!is_read && param.role == ir::Role::InOut);
      }
      memory.last_use = number;
    }
  }

  void require_names() {
    std::map<std::string, Tensor> named;
    for (const Tensor& root : met_) {
      const auto [at, is_new] = named.emplace(root->name, root);
      if (is_new) continue;
      fail("has the name of another tensor, defined at " + at->second->where.to_string(), root,
           "give one of them another name=");
    }
  }

  void add_output(const Tensor& output) {
    const Tensor root = dsl::root_of(output);
    const auto at = memories_.find(root);
    if (at == memories_.end() || at->second.first_write < 0) {
      fail("is computed by no layer", output, "leave it out of outputs=");
    }
    if (at->second.last_written != output) {
      fail("is changed by '" + at->second.last_written->name + "' later", output,
           "make '" + at->second.last_written->name + "' the output");
    }
    outputs_.insert(root);
  }

  void add_param(const Tensor& root, const Memory& memory, JoinedLayers& out) {
    const bool is_written = memory.first_write >= 0;
    const ir::Role role = !is_written                           ? ir::Role::In
                          : memory.is_brought || memory.is_kept ? ir::Role::InOut
                                                                : ir::Role::Out;
    place_of_[root] = {true, out.params.size(), 0};
    out.params.push_back(is_written ? memory.last_written : memory.tensor);
    out.network.params.push_back({memory.buffer, role});
    out.network.brought.push_back(memory.is_brought);
  }

  void place_arrays(int alignment_bytes, JoinedLayers& out) {
    std::vector<memory_planner::Lifetime> lives;
    const auto add = [&](const ir::BufferNode& buffer, int first, int last) {
      lives.push_back({std::max<std::int64_t>(1, buffer.size_bytes()), first, last});
      out.arrays.push_back({buffer.name, buffer.size_bytes(), 0, first, last});
    };
    std::vector<Tensor> between;
    for (const Tensor& root : met_) {
      if (place_of_.count(root) != 0) continue;
      const Memory& memory = memories_.at(root);
      add(*memory.buffer, memory.first_write, memory.last_use);
      between.push_back(root);
    }
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      const std::vector<ir::Param>& params = kernels_[k].params;
      for (std::size_t a = layers_[k].args.size(); a < params.size(); ++a) {
        add(*params[a].buffer, static_cast<int>(k), static_cast<int>(k));
        out.arrays.back().name = kernels_[k].name + "." + params[a].buffer->name;
      }
    }
    const std::vector<std::int64_t> offsets =
        memory_planner::pack_lifetimes(lives, alignment_bytes);
    for (std::size_t n = 0; n < lives.size(); ++n) {
      const std::int64_t unit = alignment_bytes;
      out.arrays[n].offset_bytes = offsets[n];
      out.network.area_bytes = std::max(out.network.area_bytes, offsets[n] + lives[n].size_bytes);
      out.apart_bytes += (lives[n].size_bytes + unit - 1) / unit * unit;
      if (n < between.size()) {
        place_of_[between[n]] = {false, 0, offsets[n]};
      } else {
        own_offsets_.push_back(offsets[n]);
      }
    }
    out.least_bytes = memory_planner::most_in_use(lives);
  }

  codegen::Network::Layer layer(std::size_t number) {
    codegen::Network::Layer out{kernels_[number].name, kernels_[number].params, {}};
    for (const Tensor& tensor : layers_[number].args) {
      out.operands.push_back(place_of_.at(dsl::root_of(tensor)));
    }
    while (out.operands.size() < out.params.size()) {
      out.operands.push_back({false, 0, own_offsets_[next_own_++]});
    }
    return out;
  }

  const std::vector<NetworkLayer>& layers_;
  const std::vector<ir::Kernel>& kernels_;
  const SourceLoc& where_;
  std::map<Tensor, Memory> memories_;  ///< by root
  std::vector<Tensor> met_;            ///< roots, in the order of the layers
  std::set<Tensor> outputs_;           ///< roots
  std::map<Tensor, codegen::Network::Operand> place_of_;
  std::vector<std::int64_t> own_offsets_;  ///< of the layers' temporaries, in order
  std::size_t next_own_ = 0;
};

}  // namespace

std::vector<std::string> layer_names(const std::string& network,
                                     const std::vector<NetworkLayer>& layers) {
  std::vector<std::string> out;
  for (const NetworkLayer& layer : layers) {
    const std::string name = network + "_" + layer.state.program->outputs.front()->name;
    std::string unique = name;
    for (int k = 2; std::find(out.begin(), out.end(), unique) != out.end(); ++k) {
      unique = name + "_" + std::to_string(k);
    }
    out.push_back(unique);
  }
  return out;
}

JoinedLayers join_layers(const std::string& name, const std::vector<NetworkLayer>& layers,
                         const std::vector<ir::Kernel>& kernels, const std::vector<Tensor>& outputs,
                         int alignment_bytes, const SourceLoc& where) {
  return Joiner(layers, kernels, outputs, where).join(name, !outputs.empty(), alignment_bytes);
}

}  // namespace solway::driver
