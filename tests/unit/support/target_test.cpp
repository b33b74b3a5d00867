#include "support/target.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const SourceLoc kWhere{"user.py", 3, "sw.build(s, args, target=...)"};

/// A small complete target, one line per key, for tests that change one of them.
constexpr const char* kSmall = R"(name = "small"
description = "a test machine"
dialect = "athread"
default_scope = "near"
[cores]
count = 4
mesh_rows = 2
mesh_columns = 2
clock_mhz = 100
icache_bytes = 1024
[[memories]]
name = "main"
kind = "main"
size_bytes = 0
alignment_bytes = 8
shared_by = "all"
[[memories]]
name = "near"
kind = "scratchpad"
size_bytes = 4096
alignment_bytes = 8
shared_by = "core"
[[transfer_engines]]
name = "dma"
near = "near"
ranks = 2
max_pending = 1
alignment_bytes = 4
min_size_bytes = 4
max_size_bytes = 1024
max_block_bytes = 512
transaction_bytes = 8
startup_cycles = 10
bandwidth = [[8, 1, 2.5], [16, 2, 3]]
[vector]
register_bits = 128
registers = 8
fma_latency_cycles = 4
load_latency_cycles = 2
[vector.lanes]
float32 = 4
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kSmall;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// The error that parsing `toml` gives.
std::string error_of(const std::string& toml) {
  try {
    parse_target(toml, "small.toml", kWhere);
  } catch (const ScheduleArgumentError& error) {
    EXPECT_EQ(error.report().where.line, 3);
    EXPECT_FALSE(error.report().fix.empty());
    return error.what();
  }
  return "no error";
}

TEST(Target, ReadsEveryField) {
  const Target target = parse_target(kSmall, "small.toml", kWhere);
  EXPECT_EQ(target.name, "small");
  EXPECT_EQ(target.dialect, "athread");
  EXPECT_EQ(target.cores.count, 4);
  EXPECT_EQ(target.cores.mesh_columns, 2);
  EXPECT_EQ(target.cores.clock_mhz, 100);
  ASSERT_EQ(target.memories.size(), 2U);
  EXPECT_EQ(target.memories[1].kind, MemoryKind::Scratchpad);
  EXPECT_EQ(target.memories[1].size_bytes, 4096);
  EXPECT_EQ(target.memories[1].shared_by, MemorySharing::Core);
  ASSERT_EQ(target.transfer_engines.size(), 1U);
  const TransferEngine& engine = target.transfer_engines[0];
  EXPECT_EQ(engine.ranks, 2);
  EXPECT_EQ(engine.max_size_bytes, 1024);
  EXPECT_EQ(engine.startup_cycles, 10);
  ASSERT_EQ(engine.bandwidth.size(), 2U);
  EXPECT_EQ(engine.bandwidth[0].block_bytes, 8);
  EXPECT_DOUBLE_EQ(engine.bandwidth[0].put_gb_per_s, 2.5);
  EXPECT_EQ(target.vector->registers, 8);
  EXPECT_EQ(target.lanes(DType::Float32), 4);
  EXPECT_EQ(target.lanes(DType::Float64), 1);
}

TEST(Target, FindsMemoriesAndEngines) {
  const Target target = parse_target(kSmall, "small.toml", kWhere);
  EXPECT_EQ(target.memory_or_null("near"), &target.memories[1]);
  EXPECT_EQ(target.memory_or_null("ldm"), nullptr);
  EXPECT_EQ(target.engine_or_null("near"), &target.transfer_engines[0]);
  EXPECT_EQ(target.engine_or_null("main"), nullptr);
  EXPECT_EQ(&target.require_scope("near", kWhere), &target.memories[1]);
  for (const char* scope : {"ldm", "main"}) {
    try {
      target.require_scope(scope, kWhere);
      FAIL() << "expected UnsupportedError";
    } catch (const UnsupportedError& error) {
      EXPECT_EQ(error.report().where.line, 3);
      EXPECT_THAT(error.report().why, HasSubstr("stages in 'near'"));
    }
  }
}

TEST(Target, NamesUnknownKeyAndLine) {
  EXPECT_THAT(error_of(with("count = 4", "count = 4\ncolour = 1")),
              AllOf(HasSubstr("unknown key 'cores.colour'"), HasSubstr("small.toml:7")));
  EXPECT_THAT(error_of(with("[cores]", "scope = 1\n[cores]")), HasSubstr("unknown key 'scope'"));
  EXPECT_THAT(error_of(with("ranks = 2", "ranks = 2\nrank = 2")),
              HasSubstr("unknown key 'transfer_engines[0].rank'"));
}

TEST(Target, RefusesRanksThatNoCallHas) {
  EXPECT_THAT(error_of(with("ranks = 2", "ranks = 3")),
              AllOf(HasSubstr("is 3, and calls of the dialect 'athread' have 2 at most"),
                    HasSubstr("transfer_engines[0].ranks")));
}

TEST(Target, NamesMissingKeyAndTable) {
  EXPECT_THAT(error_of(with("count = 4\n", "")),
              AllOf(HasSubstr("lacks the key 'cores.count'"), HasSubstr("small.toml:5")));
  EXPECT_THAT(error_of(with("dialect = \"athread\"\n", "")), HasSubstr("lacks the key 'dialect'"));
  EXPECT_THAT(error_of(""), HasSubstr("lacks the key 'name'"));
}

TEST(Target, NamesValueThatDoesNotFit) {
  EXPECT_THAT(error_of(with("count = 4", "count = \"4\"")), HasSubstr("is not an integer"));
  EXPECT_THAT(error_of(with("count = 4", "count = -4")), HasSubstr("is -4"));
  EXPECT_THAT(error_of(with("count = 4", "count = 99999999999")), HasSubstr("at most"));
  EXPECT_THAT(error_of(with("count = 4", "count = 5")), HasSubstr("the mesh has 4"));
  EXPECT_THAT(error_of(with("\"athread\"", "\"cuda\"")), HasSubstr("'host', 'c', 'athread'"));
  EXPECT_THAT(error_of(with("alignment_bytes = 8", "alignment_bytes = 6")),
              HasSubstr("power of two"));
  EXPECT_THAT(error_of(with("near = \"near\"", "near = \"main\"")), HasSubstr("no near memory"));
  EXPECT_THAT(error_of(with("default_scope = \"near\"", "default_scope = \"main\"")),
              HasSubstr("names 'main'"));
  EXPECT_THAT(error_of(with("name = \"near\"", "name = \"main\"")), HasSubstr("a second time"));
  EXPECT_THAT(error_of(with("name = \"main\"", "name = \"far\"")), HasSubstr("no memory 'main'"));
  EXPECT_THAT(error_of(with("[16, 2, 3]", "[8, 2, 3]")), HasSubstr("unusable row 1"));
  EXPECT_THAT(error_of(with("[16, 2, 3]", "[16, 2]")), HasSubstr("rows of 3 numbers"));
  EXPECT_THAT(error_of(with("[[8, 1, 2.5], [16, 2, 3]]", "[]")), HasSubstr("is empty"));
  EXPECT_THAT(error_of(with("float32 = 4", "float32 = 5")), HasSubstr("128 bits"));
  EXPECT_THAT(error_of(with("float32 = 4", "float12 = 4")), HasSubstr("no element type"));
  EXPECT_THAT(error_of(with("size_bytes = 4096", "size_bytes = 4096\nreserved_bytes = 5000")),
              HasSubstr("size_bytes is 4096"));
}

TEST(Target, NamesTheLineThatIsNotToml) {
  EXPECT_THAT(error_of("name = \"x\"\nwhat is this"), HasSubstr("small.toml:2"));
}

TEST(Target, LoadsThoseThatComeWithSolway) {
  EXPECT_THAT(
      builtin_target_names(),
      ElementsAre("aarch64-neon", "aarch64-sve", "c", "example-cluster", "example-microcontroller",
                  "riscv64-v", "sw26010", "sw26010pro", "ve", "ve-ncc", "x86-64-v3", "x86-64-v4"));
  for (const std::string& name : builtin_target_names()) {
    EXPECT_EQ(load_target(name, kWhere).name, name);
  }
  const Target sunway = load_target("sw26010", kWhere);
  EXPECT_EQ(sunway.default_scope, "ldm");
  EXPECT_EQ(sunway.require_scope("ldm", kWhere).size_bytes, 65536);
  EXPECT_EQ(sunway.engine_or_null("ldm")->ranks, 2);
  EXPECT_EQ(sunway.machine, "sw26010");
  EXPECT_EQ(sunway.timing->shared_registers, 30);
  EXPECT_EQ(sunway.timing->instruction_cache->shared_bytes, 65536);
  EXPECT_EQ(load_target("sw26010pro", kWhere).timing->shared_registers, 0);
  EXPECT_EQ(load_target("sw26010pro", kWhere).machine, "sw26010pro");
  EXPECT_EQ(load_target("example-cluster", kWhere).machine, "generic");
  EXPECT_EQ(load_target("c", kWhere).machine, "");
  EXPECT_EQ(load_target("x86-64-v4", kWhere).lanes(DType::Float32), 16);
}

TEST(Target, DotsFollowFromTheFeatures) {
  EXPECT_FALSE(load_target("aarch64-neon", kWhere).vector->has_dot(DType::Int8, DType::Int8));
  EXPECT_TRUE(load_target("x86-64-v4", kWhere).vector->dots.empty());
  const auto arm = [](const std::string& features) {
    std::string text(kSmall);
    const std::string dialect = "dialect = \"athread\"";
    text.replace(text.find(dialect), dialect.size(), "dialect = \"host\"\nllvm_cpu = \"generic\"");
    text += "\n[foreign]\ntriple = \"aarch64-linux-gnu\"\nfeatures = \"" + features +
            "\"\ncompiler = \"cc\"\n";
    return *parse_target(text, "small.toml", kWhere).vector;
  };
  EXPECT_TRUE(arm("+sve").dots.empty());
  EXPECT_TRUE(arm("+dotprod2").dots.empty());
  EXPECT_TRUE(arm("+sve,+dotprod").has_dot(DType::Int8, DType::Int8));
  EXPECT_TRUE(arm("+dotprod").has_dot(DType::UInt8, DType::UInt8));
  EXPECT_FALSE(arm("+dotprod").has_dot(DType::UInt8, DType::Int8));
  EXPECT_TRUE(arm("+i8mm").has_dot(DType::UInt8, DType::Int8));
  EXPECT_FALSE(arm("+i8mm").has_dot(DType::Int8, DType::UInt8));
}

TEST(Target, RegistersMayBeScalable) {
  EXPECT_TRUE(load_target("aarch64-sve", kWhere).vector->is_scalable);
  EXPECT_TRUE(load_target("riscv64-v", kWhere).vector->is_scalable);
  EXPECT_FALSE(load_target("aarch64-neon", kWhere).vector->is_scalable);
  const std::string scalable = "registers = 8\nscalable = true";
  EXPECT_THAT(error_of(with("registers = 8", "registers = 8\nscalable = 1")),
              HasSubstr("true or false"));
  EXPECT_THAT(error_of(with("registers = 8", scalable)), HasSubstr("has 'scalable = true'"));
}

TEST(Target, UnitsOfScalableRegisters) {
  EXPECT_EQ(vector_scale_bits("aarch64-linux-gnu"), 128);
  EXPECT_EQ(vector_scale_bits("riscv64-linux-gnu"), 64);
  EXPECT_EQ(vector_scale_bits("x86_64-linux-gnu"), 0);
}

TEST(Target, LoopsOfCCarryDirectives) {
  EXPECT_EQ(load_target("ve-ncc", kWhere).pragmas, "nec");
  EXPECT_EQ(load_target("c", kWhere).pragmas, "");
  const auto in_c = [](const std::string& pragmas) {
    return with("dialect = \"athread\"", "dialect = \"c\"\npragmas = \"" + pragmas + "\"");
  };
  EXPECT_EQ(parse_target(in_c("nec"), "small.toml", kWhere).pragmas, "nec");
  EXPECT_THAT(error_of(in_c("ivdep")), HasSubstr("one of 'nec'"));
  std::string scalar = in_c("nec");
  scalar.resize(scalar.find("[vector]"));
  EXPECT_THAT(error_of(scalar), HasSubstr("there is no table [vector]"));
  EXPECT_THAT(error_of(with("dialect = \"athread\"", "dialect = \"athread\"\npragmas = \"nec\"")),
              HasSubstr("unknown key 'pragmas'"));
}

TEST(Target, SaysWhichScratchpadACoreFills) {
  EXPECT_EQ(load_target("sw26010", kWhere).scratchpad_or_null()->name, "ldm");
  EXPECT_EQ(load_target("example-cluster", kWhere).scratchpad_or_null()->name, "local");
  EXPECT_EQ(load_target("example-microcontroller", kWhere).scratchpad_or_null()->name, "near");
  EXPECT_EQ(load_target("c", kWhere).scratchpad_or_null(), nullptr);
  // "near" is not the name that athread C stages in.
  EXPECT_EQ(parse_target(kSmall, "small.toml", kWhere).scratchpad_or_null(), nullptr);
  std::string generic = with("\"athread\"", "\"generic\"");
  EXPECT_EQ(parse_target(generic, "small.toml", kWhere).scratchpad_or_null()->name, "near");
  const std::string own = "shared_by = \"core\"";
  generic.replace(generic.rfind(own), own.size(), "shared_by = \"all\"");
  EXPECT_EQ(parse_target(generic, "small.toml", kWhere).scratchpad_or_null(), nullptr);
}

/// kSmall as a machine of dialect "generic", with a scratchpad of all cores of that name.
std::string with_shared(const std::string& name, const std::string& sharing = "all") {
  std::string out = with("\"athread\"", "\"generic\"");
  const std::string engine = "[[transfer_engines]]";
  out.insert(out.find(engine), "[[memories]]\nname = \"" + name +
                                   "\"\nkind = \"scratchpad\"\nsize_bytes = 65536\n"
                                   "alignment_bytes = 64\nshared_by = \"" +
                                   sharing + "\"\n");
  const std::string near = "near = \"near\"";
  out.insert(out.find(near) + near.size(), "\nthrough = \"" + name + "\"");
  return out;
}

TEST(Target, SaysWhichScratchpadAllCoresLoadTheirsFrom) {
  EXPECT_EQ(load_target("example-cluster", kWhere).shared_or_null()->name, "shared");
  EXPECT_EQ(load_target("example-microcontroller", kWhere).shared_or_null(), nullptr);
  EXPECT_EQ(load_target("sw26010", kWhere).shared_or_null(), nullptr);
  const Target target = parse_target(with_shared("shared"), "small.toml", kWhere);
  EXPECT_EQ(target.shared_or_null()->size_bytes, 65536);
  EXPECT_THAT(error_of(with_shared("l2")), HasSubstr("the scope of a scratchpad of all cores is "
                                                     "'shared'"));
  EXPECT_THAT(error_of(with_shared("shared", "row")), HasSubstr("no scratchpad of all cores"));
  std::string athread = with_shared("shared");
  athread.replace(athread.find("generic"), 7, "athread");
  EXPECT_THAT(error_of(athread), HasSubstr("the calls of dialect 'athread' reach none"));
  std::string turned = with_shared("shared");
  turned.replace(turned.find("near = \"near\""), 13, "near = \"shared\"");
  EXPECT_THAT(error_of(turned), HasSubstr("near memory 'shared' is no scratchpad of one core"));
}

TEST(Target, LoadsAFile) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "small.toml";
  std::ofstream(path) << kSmall;
  EXPECT_EQ(load_target(path.string(), kWhere).name, "small");
  std::filesystem::remove(path);
  EXPECT_THROW(load_target(path.string(), kWhere), ScheduleArgumentError);
}

TEST(Target, RefusesAnUnknownName) {
  try {
    load_target("sw9", kWhere);
    FAIL() << "expected ScheduleArgumentError";
  } catch (const ScheduleArgumentError& error) {
    EXPECT_THAT(error.report().what, HasSubstr("no target 'sw9'"));
    EXPECT_THAT(error.report().why, HasSubstr("'sw26010'"));
  }
}

TEST(Target, HostIsOneOfThem) {
  try {
    const std::string name = host_target_name();
    EXPECT_THAT(builtin_target_names(), testing::Contains(name));
    EXPECT_EQ(load_target("host", kWhere).name, name);
  } catch (const UnsupportedError& error) {
    EXPECT_THAT(error.report().fix, HasSubstr("target 'c'"));
  }
}

TEST(Target, HostHasTheSecondLevelCacheOfThisMachine) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index2/size");
  std::int64_t kilobytes = 0;
  if (!(file >> kilobytes)) GTEST_SKIP() << "the system does not say how large it is";
  try {
    const Target target = load_target("host", kWhere);
    EXPECT_EQ(target.memory_or_null("panel")->size_bytes,
              std::min<std::int64_t>(kilobytes, 1024) * 1024);
  } catch (const UnsupportedError& error) {
    EXPECT_THAT(error.report().fix, HasSubstr("target 'c'"));
  }
}

TEST(Target, ForeignMachinesSayHowTheirCodeIsMadeAndRun) {
  const Target target = load_target("riscv64-v", kWhere);
  ASSERT_TRUE(target.foreign);
  EXPECT_EQ(target.foreign->triple, "riscv64-linux-gnu");
  EXPECT_EQ(target.foreign->features, "+m,+a,+f,+d,+c,+v");
  EXPECT_EQ(target.foreign->emulator[0], "qemu-riscv64");
  EXPECT_EQ(target.foreign->emulator[1], "-cpu");
  EXPECT_EQ(target.foreign->compiler, "riscv64-linux-gnu-gcc");
  EXPECT_FALSE(load_target("x86-64-v3", kWhere).foreign);
}

}  // namespace
}  // namespace solway
