#include "codegen/athread/emit_network.h"

#include <algorithm>
#include <utility>

#include "codegen/athread/c_expr.h"
#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/detail/c_text.h"
#include "codegen/athread/detail/dialect.h"
#include "codegen/athread/detail/file_names.h"
#include "codegen/athread/detail/kernel_toml.h"
#include "codegen/athread/emit_athread.h"
#include "codegen/athread/kernel_plan.h"

namespace solway::codegen {
namespace {

/// What a layer declares in near memory beside its buffers: its parameters, and the counters of its
/// transfers.
std::int64_t own_bytes(const KernelPlan& plan, const AthreadOptions& options) {
  constexpr std::int64_t kPointer = 8;
  constexpr std::int64_t kCounters = 8;  // how many are complete, and how many there will be
  const auto members = static_cast<std::int64_t>(std::max<std::size_t>(1, plan.main.size()));
  std::int64_t out = std::max(members * kPointer, options.transfers.min_bytes) +
                     options.least_alignment() + kCounters;
  for (const KernelPlan::Reply& reply : plan.replies) out += reply.num_slots * kCounters;
  return out;
}

NetworkStyle style_of(const std::vector<FileNames>& layers, const AthreadOptions& options,
                      int alignment_bytes) {
  const Dialect& dialect = Dialect::of(options.machine);
  NetworkStyle style;
  style.result = "int";
  style.type = c_type;
  style.is_reserved = is_reserved_in_c;
  style.includes.push_back("#include <" + dialect.manager_header() + ">");
  style.includes.push_back("");
  for (const FileNames& files : layers) {
    style.includes.push_back("#include \"" + files.header() + "\"");
  }
  style.start = dialect.initialise();
  style.area = [&dialect, alignment_bytes](const std::string& declarator) {
    return dialect.aligned("static char", declarator, alignment_bytes);
  };
  return style;
}

/// The file that defines the near memory of all layers. With zeros only where a layer passes on
/// more than it fills: machines may write an initialiser at every start.
std::string memory_file(const std::string& network, std::int64_t bytes, bool begins_with_zeros,
                        const AthreadOptions& options) {
  const Dialect& dialect = Dialect::of(options.machine);
  CText out;
  out.comment(network + ": the " + dialect.near() + " that the layers use, one after the other");
  out.line("#include <" + dialect.core_header() + ">");
  out.line("");
  out.line(dialect.aligned(dialect.near_storage() + " char",
                           options.near_block() + "[" + std::to_string(bytes) + "]",
                           static_cast<int>(options.least_alignment())) +
           (begins_with_zeros ? " = {0};" : ";"));
  return out.take();
}

}  // namespace

AthreadNetwork emit_athread_network(const Network& network,
                                    const std::vector<AthreadLayer>& layers) {
  const AthreadOptions& common = layers.front().options;
  const Dialect& dialect = Dialect::of(common.machine);
  AthreadNetwork out;
  std::vector<FileNames> names;
  EmulatedProgram program{network.name, common.machine, {network.name + ".c"}, {}, network.params};
  std::int64_t block_bytes = 0;
  bool begins_with_zeros = false;
  for (const AthreadLayer& layer : layers) {
    out.remarks.emplace_back();
    std::map<std::string, std::string> files =
        emit_athread(layer.kernel, layer.options, &out.remarks.back());
    FileNames own{layer.kernel.name, dialect.core_suffix(), false};
    own.has_kernels = files.count(own.kernels()) != 0;
    program.mpe.push_back(own.manager());
    const std::vector<std::string> cores = own.cores();
    program.cpe.insert(program.cpe.end(), cores.begin(), cores.end());
    names.push_back(std::move(own));
    out.files.merge(files);
    const KernelPlan plan = plan_kernel(layer.kernel, layer.options);
    block_bytes = std::max(block_bytes, plan.shared_bytes);
    begins_with_zeros = begins_with_zeros || !plan.zeroed.empty();
    out.near_bytes += own_bytes(plan, layer.options);
  }
  out.near_bytes += block_bytes;
  const std::string memory = block_bytes == 0 ? "" : common.near_block() + ".c";
  if (!memory.empty()) {
    out.files[memory] = memory_file(network.name, block_bytes, begins_with_zeros, common);
    program.cpe.push_back(memory);
  }
  const NetworkStyle style = style_of(names, common, network.alignment_bytes);
  out.files[network.name + ".h"] = network_header(network, style);
  out.files[network.name + ".c"] = network_entry(network, style);
  out.files[network.name + "_main.c"] = network_main(network, style);
  out.files["kernel.toml"] = kernel_toml(program);
  out.files["Makefile"] = dialect.makefile(network.name, names, memory);
  return out;
}

}  // namespace solway::codegen
