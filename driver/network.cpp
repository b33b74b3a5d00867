#include "driver/network.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

#include "codegen/athread/emit_network.h"
#include "codegen/c/emit_c.h"
#include "codegen/c/helpers.h"
#include "codegen/c/makefile.h"
#include "codegen/c/names.h"
#include "driver/emulated_kernel.h"
#include "driver/generate_code.h"
#include "driver/loop_names.h"
#include "driver/lower_kernel.h"
#include "driver/native_call.h"
#include "driver/native_library.h"
#include "support/error.h"

namespace solway::driver {
namespace {

constexpr int kTransactionBytes = 128;
constexpr std::int64_t kStackBytes = 1024;  // of near memory, for the frames of generated code

/// Layers of machine code in this process, called one after the other.
class NetworkOfCalls final : public Executable {
 public:
  NetworkOfCalls(codegen::Network network, std::vector<std::shared_ptr<Executable>> layers)
      : network_(std::move(network)), layers_(std::move(layers)) {}

  std::map<std::string, std::string> sources() const override {
    std::map<std::string, std::string> out;
    for (const auto& layer : layers_) out.merge(layer->sources());
    return out;
  }
  void prepare() override {
    for (const auto& layer : layers_) layer->prepare();
  }
  bool has_threads() const override {
    return std::all_of(layers_.begin(), layers_.end(),
                       [](const auto& layer) { return layer->has_threads(); });
  }
  RunReport run(std::span<void* const> arguments, const RunOptions& options) override {
    const auto unit = static_cast<std::size_t>(network_.alignment_bytes);
    const std::unique_ptr<char[]> block(
        new char[static_cast<std::size_t>(network_.area_bytes) + unit]);
    char* const area = block.get() + (unit - reinterpret_cast<std::uintptr_t>(block.get()) % unit);
    RunReport out;
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      std::vector<void*> own;
      for (const codegen::Network::Operand& operand : network_.layers[k].operands) {
        own.push_back(operand.is_param ? arguments[operand.param] : area + operand.offset_bytes);
      }
      const RunReport report = layers_[k]->run(own, options);
      out.seconds += report.seconds;
      out.threads = std::max(out.threads, report.threads);
      out.status = report.status;
      if (out.status != 0) break;
    }
    return out;
  }

 private:
  codegen::Network network_;
  std::vector<std::shared_ptr<Executable>> layers_;
};

/// Layers as portable C, compiled together at the first call.
class NetworkInC final : public Executable {
 public:
  NetworkInC(std::string name, std::size_t params, std::map<std::string, std::string> files,
             SourceLoc where)
      : name_(std::move(name)),
        params_(params),
        files_(std::move(files)),
        where_(std::move(where)) {}

  std::map<std::string, std::string> sources() const override { return files_; }
  void prepare() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (library_) return;
    std::map<std::string, std::string> sources = files_;
    sources.erase(name_ + "_main.c");
    sources.erase("Makefile");
    std::string& entry = sources.at(name_ + ".c");
    entry += "\nint32_t " + name_ + "_entry(void **" + name_ + "_args) {\n  return " + name_ + "(";
    for (std::size_t k = 0; k < params_; ++k) {
      entry += (k == 0 ? "" : ", ") + name_ + "_args[" + std::to_string(k) + "]";
    }
    entry += ");\n}\n";
    library_ = std::make_unique<NativeLibrary>(sources, where_);
  }
  RunReport run(std::span<void* const> arguments, const RunOptions&) override {
    prepare();
    return call_native(reinterpret_cast<NativeEntry>(library_->symbol(name_ + "_entry")),
                       arguments);
  }

 private:
  std::string name_;
  std::size_t params_;
  std::map<std::string, std::string> files_;
  SourceLoc where_;
  std::mutex mutex_;  ///< of the library
  std::unique_ptr<NativeLibrary> library_;
};

std::string c_makefile(const codegen::Network& network, const Target& target) {
  std::string sources = network.name + ".c";
  for (const codegen::Network::Layer& layer : network.layers) sources += " " + layer.name + ".c";
  const std::string& name = network.name;
  return "# " + name + ", a program that reads and writes files, and lib" + name + ".a\n" +
         (target.pragmas == "nec" ? codegen::nec_tools() : "CFLAGS = -O2 -std=c99\n") +
         "LDFLAGS = -static\nSOURCES = " + sources + "\n\n" + name + ": " + name + "_main.o lib" +
         name + ".a\n\t$(CC) $(LDFLAGS) $^ -lm -o $@\n\nlib" + name +
         ".a: $(SOURCES:.c=.o)\n\t$(AR) cr $@ $^\n\n" + name + ".o " + name + "_main.o: " + name +
         ".h\n\nclean:\n\trm -f " + name + " " + name + "_main.o lib" + name +
         ".a $(SOURCES:.c=.o)\n\n.PHONY: clean\n";
}

std::map<std::string, std::string> c_files(const codegen::Network& network,
                                           const std::vector<std::string>& layers,
                                           const std::vector<ir::Kernel>& kernels,
                                           const Target& target) {
  codegen::NetworkStyle style;
  style.result = "int32_t";
  style.type = codegen::c99::c_type;
  style.is_reserved = codegen::c99::is_reserved_in_c;
  style.header_lines = "#include <stdbool.h>\n#include <stdint.h>\n\n";
  if (network.area_bytes > 0) style.includes.emplace_back("#include <stdlib.h>");
  style.includes.emplace_back("#include <stdint.h>");
  style.includes.emplace_back("#include <stdbool.h>");
  style.includes.emplace_back("");
  for (const ir::Kernel& kernel : kernels) {
    style.includes.push_back(codegen::emit_c_prototype(kernel));
  }
  std::map<std::string, std::string> out;
  for (std::size_t k = 0; k < kernels.size(); ++k) out[kernels[k].name + ".c"] = layers[k];
  out[network.name + ".h"] = codegen::network_header(network, style);
  out[network.name + ".c"] = codegen::network_entry(network, style);
  out[network.name + "_main.c"] = codegen::network_main(network, style);
  out["Makefile"] = c_makefile(network, target);
  return out;
}

void require_constant_sizes(const NetworkLayer& layer, const SourceLoc& where) {
  if (layer.state.program->sizes.empty()) return;
  const dsl::Size& size = layer.state.program->sizes.front();
  throw UnsupportedError(
      {where,
       "layer '" + layer.state.program->outputs.front()->name + "' has size '" + size->name + "'",
       "the memory of a network is planned when it is built, so its sizes are "
       "constants",
       "give the extents as integers"});
}

void require_near_room(std::int64_t bytes, const std::string& name, const Target& target,
                       const SourceLoc& where) {
  const Memory& memory = require_scratchpad(target, where);
  const std::int64_t room = memory.size_bytes - memory.reserved_bytes - kStackBytes;
  if (bytes <= room) return;
  throw CapacityError({where,
                       "network '" + name + "' needs " + std::to_string(bytes) + " bytes of '" +
                           memory.name + "', there is room for " + std::to_string(room),
                       "the buffers of its largest layer, and the parameters and counters of all "
                       "layers, are there at once",
                       "choose smaller tiles for the largest layer, or fewer layers"},
                      bytes, room, {});
}

}  // namespace

CompiledNetwork build_network(const std::vector<NetworkLayer>& layers,
                              const std::vector<dsl::Tensor>& outputs, const BuildOptions& options,
                              const SourceLoc& where) {
  if (layers.empty()) {
    throw ArgumentMismatchError({where, "a network needs at least one layer", "got an empty list",
                                 "pass (schedule, arguments) for each layer"});
  }
  if (!options.passes.stop_after.empty()) {
    throw UnsupportedError({where, "a network is built whole",
                            "stop_after='" + options.passes.stop_after + "' leaves no code",
                            "build one layer with sw.build"});
  }
  const Target target = target_of(options, where);
  CompiledNetwork out;
  out.target_ = options.machine ? target.name : options.target;
  const std::vector<std::string> names = layer_names(options.name, layers);
  std::vector<ir::Kernel> kernels;
  std::vector<LoweredKernel> lowered;
  for (std::size_t k = 0; k < layers.size(); ++k) {
    require_constant_sizes(layers[k], where);
    BuildOptions own = options;
    own.name = names[k];
    lowered.push_back(
        lower_kernel(layers[k].state, layers[k].args, target, own, where, Temporaries::Passed));
    kernels.push_back(lowered.back().kernel);
  }
  int alignment = kTransactionBytes;
  if (const TransferEngine* const engine = target.engine_or_null(target.default_scope)) {
    alignment = std::max(alignment, static_cast<int>(engine->alignment_bytes));
  }
  out.joined_ = join_layers(options.name, layers, kernels, outputs, alignment, where);
  const codegen::Network& network = out.joined_.network;
  const auto with_names = [&](std::size_t k, auto generate) {
    try {
      return generate();
    } catch (const UnsupportedError& e) {
      throw UnsupportedError(in_loop_names(e.report(), lowered[k].loop_names));
    }
  };
  std::vector<Remarks> remarks;
  for (const LoweredKernel& one : lowered) remarks.push_back(one.remarks);
  if (target.dialect == "host") {
    std::vector<std::shared_ptr<Executable>> code;
    for (std::size_t k = 0; k < layers.size(); ++k) {
      code.push_back(with_names(k, [&] {
        return compile_with_llvm(kernels[k], target, options, {}, remarks[k], where);
      }));
    }
    out.code_ = std::make_shared<NetworkOfCalls>(network, std::move(code));
  } else if (target.dialect == "c") {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < layers.size(); ++k) {
      texts.push_back(with_names(k, [&] {
        return c_source(lowered[k], layers[k].state.order, target, options, {}, remarks[k]);
      }));
    }
    out.code_ = std::make_shared<NetworkInC>(network.name, network.params.size(),
                                             c_files(network, texts, kernels, target), where);
  } else {
    std::vector<codegen::AthreadLayer> parts;
    for (std::size_t k = 0; k < layers.size(); ++k) {
      parts.push_back({kernels[k], athread_options(target, layers[k].state, where, network.name)});
    }
    codegen::AthreadNetwork made = codegen::emit_athread_network(network, parts);
    require_near_room(made.near_bytes, network.name, target, where);
    for (std::size_t k = 0; k < layers.size(); ++k) {
      add_transfer_remarks(std::move(made.remarks[k]), *layers[k].state.program, remarks[k]);
    }
    out.code_ = EmulatedKernel::from_files(network.name, made.files, target, where);
  }
  for (std::size_t k = 0; k < layers.size(); ++k) {
    for (const Remark& remark : remarks[k]) {
      out.remarks_.push_back(in_loop_names(remark, lowered[k].loop_names));
    }
  }
  return out;
}

}  // namespace solway::driver
