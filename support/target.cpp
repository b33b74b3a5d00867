#include "support/target.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <toml++/toml.h>

#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "support/detail/builtin_targets.h"
#include "support/detail/read_engine.h"
#include "support/detail/table_reader.h"
#include "support/error.h"

namespace solway {
namespace {

using detail::joined;
using detail::near_names;
using detail::read_engine;
using detail::TableReader;

Cores read_cores(TableReader table) {
  Cores cores;
  cores.count = table.small("count", 0);
  cores.mesh_rows = table.small("mesh_rows", 0);
  cores.mesh_columns = table.small("mesh_columns", 0);
  cores.clock_mhz = table.integer("clock_mhz", 0);
  cores.icache_bytes = table.integer("icache_bytes", 0);
  cores.groups = static_cast<int>(table.integer_or("groups", 1, 1));
  const bool has_mesh = cores.mesh_rows != 0 || cores.mesh_columns != 0;
  const std::int64_t in_mesh = std::int64_t{cores.mesh_rows} * cores.mesh_columns;
  if (has_mesh && in_mesh != cores.count) {
    table.fail("count",
               "is " + std::to_string(cores.count) + ", the mesh has " + std::to_string(in_mesh),
               "make mesh_rows * mesh_columns equal to count, or both 0");
  }
  table.finish();
  return cores;
}

Memory read_memory(TableReader table) {
  Memory memory;
  memory.name = table.text("name");
  memory.kind = table.one_of<MemoryKind>("kind", {{"main", MemoryKind::Main},
                                                  {"scratchpad", MemoryKind::Scratchpad},
                                                  {"cache", MemoryKind::Cache},
                                                  {"register", MemoryKind::Register}});
  memory.size_bytes = table.integer("size_bytes", memory.kind == MemoryKind::Main ? 0 : 1);
  memory.reserved_bytes = table.integer_or("reserved_bytes", 0, 0);
  if (memory.reserved_bytes > memory.size_bytes) {
    table.fail("reserved_bytes",
               "is " + std::to_string(memory.reserved_bytes) + ", size_bytes is " +
                   std::to_string(memory.size_bytes),
               "give at most " + std::to_string(memory.size_bytes));
  }
  memory.alignment_bytes = table.power_of_two("alignment_bytes");
  memory.shared_by = table.one_of<MemorySharing>("shared_by", {{"core", MemorySharing::Core},
                                                               {"row", MemorySharing::Row},
                                                               {"column", MemorySharing::Column},
                                                               {"all", MemorySharing::All}});
  table.finish();
  return memory;
}

VectorUnit read_vector(TableReader table) {
  VectorUnit unit;
  unit.register_bits = table.small("register_bits", 8);
  unit.is_scalable = table.flag_or("scalable", false);
  unit.registers = table.small("registers", 1);
  unit.fma_latency_cycles = table.small("fma_latency_cycles", 1);
  unit.load_latency_cycles = table.small("load_latency_cycles", 1);
  TableReader lanes = table.table("lanes");
  for (const std::string& name : lanes.keys()) {
    const std::optional<DType> type = try_dtype(name);
    const int count = lanes.small(name.c_str(), 1);
    if (!type) {
      lanes.fail(name.c_str(), "names no element type", "use NumPy's names, such as 'float32'");
    }
    const int room = unit.register_bits / (size_bytes(*type) * 8);
    if (count > room) {
      lanes.fail(name.c_str(),
                 "is " + std::to_string(count) + ", a register of " +
                     std::to_string(unit.register_bits) + " bits holds " + std::to_string(room),
                 "give at most " + std::to_string(room));
    }
    unit.lanes[*type] = count;
  }
  table.finish();
  return unit;
}

/// For the visitors of figures.
auto into(TableReader& table) {
  return [&](const char* name, auto& figure, int least) { table.read(name, figure, least); };
}

Timing read_timing(TableReader table) {
  Timing timing;
  for_each_figure(timing, into(table));
  if (table.has("instruction_cache")) {
    TableReader cache = table.table("instruction_cache");
    for_each_instruction_cache_figure(timing.instruction_cache.emplace(), into(cache));
    cache.finish();
  }
  if (table.has("messages")) {
    TableReader messages = table.table("messages");
    for_each_message_figure(timing.messages.emplace(), into(messages));
    messages.finish();
  }
  if (table.has("remote_copies")) {
    TableReader copies = table.table("remote_copies");
    for_each_remote_copy_figure(timing.remote_copies.emplace(), into(copies));
    copies.finish();
  }
  table.finish();
  return timing;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

ForeignMachine read_foreign(TableReader table) {
  ForeignMachine out;
  out.triple = table.text("triple");
  out.features = table.text_or("features", "");
  out.emulator = words_of(table.text_or("emulator", ""));
  out.compiler = table.text("compiler");
  table.finish();
  return out;
}

/// Whether a list such as "+sve,+dotprod" turns a feature on.
bool has_feature(const std::string& features, const std::string& name) {
  std::istringstream stream(features);
  for (std::string each; std::getline(stream, each, ',');) {
    if (each == "+" + name) return true;
  }
  return false;
}

std::vector<DotForm> dots_of(const ForeignMachine& machine) {
  std::vector<DotForm> out;
  if (machine.triple.rfind("aarch64", 0) != 0) return out;
  if (has_feature(machine.features, "dotprod")) {
    out.push_back({DType::Int8, DType::Int8});
    out.push_back({DType::UInt8, DType::UInt8});
  }
  if (has_feature(machine.features, "i8mm")) out.push_back({DType::UInt8, DType::Int8});
  return out;
}

bool has_scalable_registers(const Target& target) {
  return target.foreign && target.vector->register_bits == 128 &&
         vector_scale_bits(target.foreign->triple) != 0;
}

#if defined(__x86_64__)
/// vpdpbusd of 256 bits without AVX-512, which not every compiler can ask for by name.
bool has_avx_vnni() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & (1U << 4U)) != 0;
}
#endif

/// Of a larger second-level cache plans count on so much: no more was measured, and other programs
/// use it, too.
constexpr std::int64_t kMostSecondLevelBytes = 1 << 20;

/// What the cores of this machine have as near memory, where its system says so.
void use_second_level_of_this_machine(Memory& near) {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  const std::int64_t bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) near.size_bytes = std::min(bytes, kMostSecondLevelBytes);
#endif
}

std::vector<DotForm> dots_of_this_machine() {
#if defined(__x86_64__)
  const bool is_wide = host_target_name() == "x86-64-v4";
  if (is_wide ? __builtin_cpu_supports("avx512vnni") != 0 : has_avx_vnni()) {
    return {{DType::UInt8, DType::Int8}};
  }
#endif
  return {};
}

void use_figures_of_this_machine(Target& target) {
  if (target.vector) target.vector->dots = dots_of_this_machine();
  for (Memory& memory : target.memories) {
    if (memory.name == target.default_scope) use_second_level_of_this_machine(memory);
  }
}

Target read_target(TableReader table) {
  Target target;
  target.name = table.text("name");
  target.description = table.text("description");
  target.dialect = table.one_of<std::string>(
      "dialect", {{"host", "host"}, {"c", "c"}, {"athread", "athread"}, {"generic", "generic"}});
  target.llvm_cpu = target.dialect == "host" ? table.text("llvm_cpu") : "";
  if (target.dialect == "host" && table.has("foreign")) {
    target.foreign = read_foreign(table.table("foreign"));
  }
  if (target.dialect == "c" && table.has("pragmas")) {
    target.pragmas = table.one_of<std::string>("pragmas", {{"nec", "nec"}});
    if (!table.has("vector")) {
      table.fail("pragmas", "asks for directives of vector loops, and there is no table [vector]",
                 "add [vector], which says how long vectors are, or leave 'pragmas' out");
    }
  }
  if (target.dialect == "generic") target.machine = "generic";
  if (target.dialect == "athread") target.machine = "sw26010";
  if (target.dialect == "athread" && table.has("machine")) {
    target.machine = table.one_of<std::string>(
        "machine", {{"sw26010", "sw26010"}, {"sw26010pro", "sw26010pro"}});
  }
  target.default_scope = table.text("default_scope");
  target.cores = read_cores(table.table("cores"));
  for (TableReader& memory : table.tables_or_none("memories")) {
    const Memory read = read_memory(memory);
    if (target.memory_or_null(read.name) != nullptr) {
      memory.fail("name", "is '" + read.name + "' a second time", "give each memory its own name");
    }
    target.memories.push_back(read);
  }
  for (TableReader& engine : table.tables_or_none("transfer_engines")) {
    target.transfer_engines.push_back(read_engine(engine, target));
  }
  if (table.has("vector")) target.vector = read_vector(table.table("vector"));
  if (target.vector && target.foreign) target.vector->dots = dots_of(*target.foreign);
  if (target.vector && target.vector->is_scalable && !has_scalable_registers(target)) {
    table.fail("vector", "has 'scalable = true'",
               "leave it out, or describe a [foreign] machine of aarch64 or riscv64 with "
               "'register_bits = 128', the least length of such registers");
  }
  if (table.has("timing")) target.timing = read_timing(table.table("timing"));
  const Memory* scope = target.memory_or_null(target.default_scope);
  if (scope == nullptr || scope->kind == MemoryKind::Main) {
    table.fail("default_scope", "names '" + target.default_scope + "', which is no near memory",
               "name one of " + near_names(target));
  }
  const Memory* main = target.memory_or_null("main");
  if (main == nullptr || main->kind != MemoryKind::Main) {
    table.fail("memories", "has no memory 'main' of kind 'main'", "add one");
  }
  table.finish();
  return target;
}

std::string read_file(const std::string& path, const SourceLoc& where) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream) {
    throw ScheduleArgumentError({where, "target file '" + path + "' cannot be read",
                                 "there is no such file, or its permissions forbid it",
                                 "give the path of a target file"});
  }
  return text.str();
}

}  // namespace

const Memory* Target::memory_or_null(std::string_view scope) const {
  const auto it = std::find_if(memories.begin(), memories.end(),
                               [&](const Memory& memory) { return memory.name == scope; });
  return it == memories.end() ? nullptr : &*it;
}

const Memory& Target::require_scope(std::string_view scope, const SourceLoc& where) const {
  const Memory* memory = memory_or_null(scope);
  if (memory != nullptr && memory->kind != MemoryKind::Main) return *memory;
  throw UnsupportedError({where, "target '" + name + "' has no scope '" + std::string(scope) + "'",
                          "it stages in " + near_names(*this),
                          "use one of these, or leave out scope="});
}

const TransferEngine* Target::engine_or_null(std::string_view near) const {
  const auto it = std::find_if(transfer_engines.begin(), transfer_engines.end(),
                               [&](const TransferEngine& engine) { return engine.near == near; });
  return it == transfer_engines.end() ? nullptr : &*it;
}

const Memory* Target::scratchpad_or_null() const {
  const Memory* memory = memory_or_null(dialect == "athread" ? "ldm" : default_scope);
  const bool is_of_a_core = memory != nullptr && memory->kind == MemoryKind::Scratchpad &&
                            memory->shared_by == MemorySharing::Core;
  return is_of_a_core ? memory : nullptr;
}

const Memory* Target::shared_or_null() const {
  const Memory* near = scratchpad_or_null();
  const TransferEngine* engine = near == nullptr ? nullptr : engine_or_null(near->name);
  return engine == nullptr || engine->through.empty() ? nullptr : memory_or_null(engine->through);
}

bool VectorUnit::has_dot(DType a, DType b) const {
  return std::find(dots.begin(), dots.end(), DotForm{a, b}) != dots.end();
}

int vector_scale_bits(const std::string& triple) {
  if (triple.rfind("aarch64", 0) == 0) return 128;
  return triple.rfind("riscv64", 0) == 0 ? 64 : 0;
}

int Target::masked_bytes() const {
  if (!vector || dialect != "host" || foreign) return 0;
  return vector->register_bits >= 512 ? 1 : 4;
}

int Target::lanes(DType type) const {
  if (!vector) return 1;
  const auto it = vector->lanes.find(type);
  return it == vector->lanes.end() ? 1 : it->second;
}

Target parse_target(std::string_view toml, const std::string& file, const SourceLoc& where) {
  toml::table root;
  try {
    root = toml::parse(toml, file);
  } catch (const toml::parse_error& error) {
    throw ScheduleArgumentError({where, "target file '" + file + "' is not TOML",
                                 file + ":" + std::to_string(error.source().begin.line) + ": " +
                                     std::string(error.description()),
                                 "correct that line"});
  }
  return read_target(TableReader(root, "", file, where));
}

Target load_target(const std::string& name_or_path, const SourceLoc& where) {
  if (name_or_path.ends_with(".toml")) {
    return parse_target(read_file(name_or_path, where), name_or_path, where);
  }
  const bool is_host = name_or_path == "host";
  const std::string name = is_host ? host_target_name() : name_or_path;
  for (const BuiltinTarget& builtin : builtin_targets()) {
    if (builtin.name != name) continue;
    Target target = parse_target(builtin.toml, name + ".toml", where);
    if (is_host) use_figures_of_this_machine(target);
    return target;
  }
  throw ScheduleArgumentError({where, "there is no target '" + name_or_path + "'",
                               "solway comes with 'host', " + joined(builtin_target_names()),
                               "use one of these or the path of a .toml file"});
}

std::vector<std::string> builtin_target_names() {
  std::vector<std::string> names;
  for (const BuiltinTarget& target : builtin_targets()) names.emplace_back(target.name);
  return names;
}

std::string host_target_name() {
#if defined(__x86_64__)
  const bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (has_v4) return "x86-64-v4";
  if (has_v3) return "x86-64-v3";
#endif
  throw UnsupportedError({{},
                          "target 'host' on this processor",
                          "solway generates code for x86-64-v3 (AVX2 and FMA) and x86-64-v4 "
                          "(AVX-512); this processor is neither",
                          "use target 'c'"});
}

}  // namespace solway
