#include "codegen/athread/detail/cpe_file.h"

#include <algorithm>

#include "codegen/athread/c_expr.h"
#include "codegen/athread/detail/c_helpers.h"
#include "codegen/athread/detail/c_text.h"
#include "codegen/athread/detail/cpe_stmts.h"
#include "codegen/athread/detail/dialect.h"
#include "codegen/athread/detail/vector_functions.h"
#include "codegen/c/half.h"

namespace solway::codegen {
namespace {

/// "[64][128]" of the sizes from `first` on.
std::string extents(const ir::BufferNode& buffer, std::size_t first) {
  std::string text;
  for (std::size_t d = first; d < buffer.shape.size(); ++d) {
    text += "[" + std::to_string(std::max<std::int64_t>(1, buffer.shape[d])) + "]";
  }
  return text;
}

/// "const float (*B)[1024] = (const float (*)[1024])args.B;", "float *C = args.C;"
std::string pointer(const ir::BufferNode& buffer, const std::string& type, const std::string& name,
                    const std::string& value) {
  if (buffer.shape.size() < 2) return type + " *" + name + " = " + value + ";";
  const std::string rows = extents(buffer, 1);
  return type + " (*" + name + ")" + rows + " = (" + type + " (*)" + rows + ")" + value + ";";
}

bool is_shared(const ir::Buffer& buffer, const AthreadOptions& options) {
  return options.near_offsets.count(buffer->name) != 0;
}

/// Of all LDM buffers together.
std::int64_t ldm_bytes(const KernelPlan& plan, const AthreadOptions& options) {
  std::int64_t bytes = plan.shared_bytes;
  for (const ir::Buffer& buffer : plan.ldm) {
    if (!is_shared(buffer, options)) bytes += buffer->size_bytes();
  }
  return bytes;
}

/// Whether a buffer does in the block that nests share. Such a buffer has its bytes for itself.
bool begins_with_zeros(const KernelPlan& plan, const AthreadOptions& options) {
  return std::any_of(plan.ldm.begin(), plan.ldm.end(), [&](const ir::Buffer& buffer) {
    return is_shared(buffer, options) && plan.zeroed.count(buffer->name) != 0;
  });
}

/// LDM buffers and reply counters. `block` names the memory of those that share bytes.
void declare_ldm(CText& out, const KernelPlan& plan, CNames& names, const CpeStmts& stmts,
                 const std::string& block, const AthreadOptions& options) {
  const Dialect& dialect = Dialect::of(options.machine);
  const std::string storage = "static " + dialect.near_storage() + " ";
  if (!plan.ldm.empty()) {
    out.comment(dialect.near() + " buffers: " + std::to_string(ldm_bytes(plan, options)) + " of " +
                std::to_string(options.ldm_bytes) + " bytes");
  }
  if (plan.shared_bytes > 0 && options.network) {
    out.line("extern " + dialect.near_storage() + " char " + block + "[];");
  } else if (plan.shared_bytes > 0) {
    out.line(dialect.aligned(storage + "char",
                             block + "[" + std::to_string(plan.shared_bytes) + "]",
                             static_cast<int>(options.least_alignment())) +
             (begins_with_zeros(plan, options) ? " = {0};" : ";"));
  }
  for (const ir::Buffer& buffer : plan.ldm) {
    if (is_shared(buffer, options)) continue;
    const std::string shape = buffer->shape.empty() ? "[1]" : extents(*buffer, 0);
    const int alignment =
        std::max(static_cast<int>(options.least_alignment()), buffer->alignment_bytes);
    const std::string value = plan.zeroed.count(buffer->name) != 0 ? " = {0};" : ";";
    out.line(
        dialect.aligned(storage + c_type(buffer->type), names.of(buffer->name) + shape, alignment) +
        value);
  }
  if (!plan.ldm.empty()) out.line("");
  if (plan.replies.empty()) return;
  out.comment("Completed transfers are counted here");
  for (const KernelPlan::Reply& reply : plan.replies) {
    if (reply.calls == 0) continue;
    const std::string slots =
        reply.num_slots == 1 ? ";" : "[" + std::to_string(reply.num_slots) + "];";
    out.line(storage + dialect.counter_type() + " " + stmts.reply_name(reply.id) + slots);
    const std::string calls = stmts.calls_name(reply.id);
    if (!calls.empty()) out.line(storage + "int " + calls + slots);
  }
  out.line("");
}

/// Buffers of which there is one for all cores.
void declare_common(CText& out, const KernelPlan& plan, CNames& names,
                    const AthreadOptions& options) {
  if (plan.common.empty()) return;
  const Dialect& dialect = Dialect::of(options.machine);
  std::int64_t bytes = 0;
  for (const ir::Buffer& buffer : plan.common) bytes += buffer->size_bytes();
  out.comment("Buffers of all cores: " + std::to_string(bytes) + " of " +
              std::to_string(options.shared_bytes) + " bytes");
  const std::string storage = "static " + dialect.shared_storage() + " ";
  for (const ir::Buffer& buffer : plan.common) {
    const std::string shape = buffer->shape.empty() ? "[1]" : extents(*buffer, 0);
    const std::int64_t alignment =
        std::max(options.least_alignment(), options.shared_alignment_bytes);
    out.line(dialect.aligned(storage + c_type(buffer->type), names.of(buffer->name) + shape,
                             std::max(static_cast<int>(alignment), buffer->alignment_bytes)) +
             ";");
  }
  out.line("");
}

/// Pointers to the buffers that share bytes with those of other nests.
void declare_shared(CText& out, const KernelPlan& plan, CNames& names, const std::string& block,
                    const AthreadOptions& options) {
  if (plan.shared_bytes == 0) return;
  out.comment(options.network ? "Nests and layers that follow each other use the same bytes"
                              : "Nests that follow each other use the same bytes");
  for (const ir::Buffer& buffer : plan.ldm) {
    const auto at = options.near_offsets.find(buffer->name);
    if (at == options.near_offsets.end()) continue;
    if (plan.used_buffers.count(buffer->name) == 0) continue;
    const std::string type = c_type(buffer->type);
    const std::string start =
        at->second == 0 ? block : "(" + block + " + " + std::to_string(at->second) + ")";
    const bool is_row = buffer->shape.size() < 2;
    out.line(pointer(*buffer, type, names.of(buffer->name),
                     is_row ? "(" + type + " *)" + start : start));
  }
}

/// Whether the parameters are no longer than one transfer may be; else loads bring them.
bool is_one_transfer(const KernelPlan& plan, const AthreadOptions& options) {
  constexpr std::int64_t kLargestMember = 8;
  const std::int64_t unit = options.transfers.unit_bytes;
  const auto members = static_cast<std::int64_t>(std::max<std::size_t>(1, plan.main.size()));
  // What fills a short struct up to the least transfer comes behind its members.
  const std::int64_t bytes =
      members * kLargestMember +
      (4 * members < options.transfers.min_bytes ? options.transfers.min_bytes : 0);
  const std::int64_t most =
      std::min(options.transfers.max_bytes, options.transfers.max_block_bytes);
  return (bytes + unit - 1) / unit * unit <= most;
}

/// Pointers to the arrays in main memory that the function uses.
void declare_main(CText& out, const KernelPlan& plan, CNames& names, const std::string& args,
                  const std::string& id) {
  for (const KernelPlan::MainArray& array : plan.main) {
    const ir::BufferNode& buffer = *array.buffer;
    if (plan.used_buffers.count(buffer.name) == 0) continue;
    const std::string name = names.of(buffer.name);
    const std::string type = (array.is_read_only() ? "const " : "") + c_type(buffer.type);
    std::string value = args + "." + name;
    if (array.is_per_core) {
      value = "(" + value + " + " + id + " * " + std::to_string(array.copy_elems) + ")";
    }
    out.line(pointer(buffer, type, name, value));
  }
}

}  // namespace

CpeFiles cpe_files(const ir::Kernel& kernel, const KernelPlan& plan, const FileNames& files,
                   CNames& names, const AthreadOptions& options) {
  const Dialect& dialect = Dialect::of(options.machine);
  const std::string args = names.fresh("args");
  const std::string args_reply = names.fresh("args_reply");
  const std::string main_args = names.fresh("main_args");
  const std::string id = names.fresh("id");
  const std::string block = plan.shared_bytes == 0 ? ""
                            : options.network      ? options.near_block()
                                                   : names.fresh(options.near);
  CpeStmts stmts(names, plan, options, id, kernel.name);

  CText body;
  body.open("void " + files.core_function() + "(void *" + main_args + ")");
  body.comment("The parameters come from main memory once");
  if (is_one_transfer(plan, options)) {
    body.line(args_reply + " = 0;");
    TransferCall get;
    get.main = main_args;
    get.near = "&" + args;
    get.counter = "&" + args_reply;
    get.bytes = "sizeof(" + args + ")";
    const auto [get_head, get_tail] = dialect.transfer(get);
    body.call(get_head, get_tail, 12);
    body.line(dialect.wait(args_reply, "1"));
  } else {
    body.line(args + " = *(const " + files.args_type() + " *)" + main_args + ";");
  }
  body.line("");
  body.line("const long " + id + " = " + dialect.core_number() + ";");
  declare_main(body, plan, names, args, id);
  declare_shared(body, plan, names, block, options);
  body.line("");

  // The statements are written one level deep.
  stmts.out.open("");
  stmts.root(kernel.body);
  stmts.out.close();
  std::string statements = stmts.out.take();
  statements = statements.substr(2);  // without "{\n"; its "}\n" closes the function

  CText head;
  head.comment(kernel.name + ": what each " + dialect.core() + " runs");
  if (stmts.expressions().needs_math()) head.line("#include <math.h>");
  const bool has_functions = !stmts.expressions().vector_functions().empty() ||
                             !stmts.expressions().number_functions().empty();
  if (stmts.needs_vectors() || has_functions) head.line("#include <simd.h>");
  head.line("#include <" + dialect.core_header() + ">");
  head.line("");
  head.line("#include \"" + files.header() + "\"");
  head.line("");
  const auto singles = vector_type_of(DType::Float32, options.machine);
  const std::string functions =
      has_functions ? vector_function_definitions(stmts.expressions().vector_functions(),
                                                  stmts.expressions().number_functions(), *singles)
                    : "";
  const std::string helpers = half_definitions(stmts.expressions().halves()) +
                              helper_definitions(stmts.expressions().helpers()) + functions;
  if (!helpers.empty()) head.line(helpers);
  const std::string exchanges = stmts.exchanges.definitions();
  if (!exchanges.empty()) head.line(exchanges.substr(0, exchanges.size() - 1));
  const std::string calls = stmts.calls.definitions();
  if (!calls.empty()) head.line(calls);
  const std::vector<std::string>& prototypes = stmts.micro_kernels.prototypes();
  if (!prototypes.empty()) head.comment("In " + files.kernels());
  for (const std::string& one : prototypes) head.line(one);
  if (!prototypes.empty()) head.line("");
  const std::string storage = "static " + dialect.near_storage() + " ";
  head.line(storage + files.args_type() + " " + args + ";");
  if (is_one_transfer(plan, options)) {
    head.line(storage + dialect.counter_type() + " " + args_reply + ";");
  }
  head.line("");
  declare_common(head, plan, names, options);
  declare_ldm(head, plan, names, stmts, block, options);
  return {head.take() + body.take() + statements, stmts.micro_kernels.assembly()};
}

}  // namespace solway::codegen
