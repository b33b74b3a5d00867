/// Right kernels in tests/emulator/good, written as people write them, of which nothing is
/// reported. Kernels with one planted fault each, in tests/emulator/bad/<kind>/<case>.c: the line
/// with "// where" suffers, the one with "// cause" is at fault. Compiled with GOOD they are right.
/// The same of SW26010-Pro below tests/emulator/pro, of the generic interface below
/// tests/emulator/generic.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/emulator.h"
#include "support/error.h"
#include "support/target.h"

namespace solway::emulator {
namespace {

namespace fs = std::filesystem;

constexpr int kElements = 4096;

struct Case {
  std::string kind;
  std::string name;
  fs::path cpe;
  fs::path mpe;
  std::string target;
};

void PrintTo(const Case& planted, std::ostream* out) {
  *out << planted.kind << "/" << planted.name;
}

fs::path emulator_tests() { return fs::path(SOLWAY_KERNEL_DIR).parent_path(); }

/// What CPE files that stand beside no mpe.c of their own share: mpe.c and cpe.h.
fs::path shared_folder(const std::string& target) {
  if (target == "generic") return emulator_tests() / "generic";
  return emulator_tests() / (target == "sw26010" ? "bad" : "pro");
}

/// The kernels below `folder`.
std::vector<Case> kernels_of(const fs::path& folder, const std::string& target) {
  const fs::path shared = shared_folder(target);
  std::vector<Case> cases;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".c" || file.stem().extension() == ".mpe") continue;
    if (file.parent_path() == shared) continue;
    const fs::path own = file.parent_path() / (file.stem().string() + ".mpe.c");
    cases.push_back({file.parent_path().filename().string(), file.stem().string(), file,
                     fs::exists(own) ? own : shared / "mpe.c", target});
  }
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.cpe < b.cpe; });
  return cases;
}

KernelSources sources_of(const Case& planted, bool good) {
  KernelSources sources;
  sources.name = planted.name;
  sources.target = planted.target;
  sources.entry = "entry";
  sources.mpe = {planted.mpe};
  sources.cpe = {planted.cpe};
  sources.include = {shared_folder(planted.target)};
  if (good) sources.defines = {{"GOOD", "1"}};
  sources.parameters = {{"x", "float32", {kElements}, Role::In},
                        {"y", "float32", {kElements}, Role::InOut}};
  return sources;
}

/// "file.c:12" of the line with `mark`; empty when no line has it.
std::string marked(const Case& planted, const std::string& mark) {
  for (const fs::path& file : {planted.cpe, planted.mpe}) {
    std::ifstream stream(file);
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      if (line.find(mark) == std::string::npos) continue;
      return file.filename().string() + ":" + std::to_string(number);
    }
  }
  return "";
}

std::string place(const SourceLoc& where) {
  if (where.line == 0) return "";
  return fs::path(where.file).filename().string() + ":" + std::to_string(where.line);
}

/// The machine that runs programs for `target`; of the generic interface one of 8 cores that moves
/// words of 8 bytes, and has a scratchpad that all of them see.
RunOptions machine_of(const std::string& target) {
  RunOptions options;
  if (target != "generic") {
    options.groups = load_target(target, {}).cores.groups;
    return options;
  }
  options.cores = 8;
  options.ldm_bytes = 32768;
  options.max_transfer_bytes = 4096;
  options.max_block_bytes = 1024;
  options.min_transfer_bytes = 8;
  options.transfer_alignment_bytes = 8;
  options.shared_bytes = 524288;
  return options;
}

std::vector<RunOptions> every_policy(const std::string& target) {
  std::vector<RunOptions> all;
  for (const Landing landing : {Landing::AtWait, Landing::AtIssue, Landing::Random}) {
    for (const std::uint64_t seed : {0, 5}) {
      RunOptions options = machine_of(target);
      options.mode = Mode::Hazard;
      options.landing = landing;
      options.seed = seed;
      options.step_budget = 1'000'000;
      all.push_back(options);
    }
  }
  return all;
}

class PlantedFault : public ::testing::TestWithParam<Case> {};

TEST_P(PlantedFault, IsFoundUnderEveryPolicy) {
  const Case& planted = GetParam();
  const std::string cause = marked(planted, "// cause");
  const CompiledKernel kernel = compile(sources_of(planted, false), Mode::Hazard);
  for (const RunOptions& options : every_policy(planted.target)) {
    std::vector<float> x(kElements, 2);
    std::vector<float> y(kElements, 1);
    const std::vector<Argument> arguments = {{x.data(), kElements * 4}, {y.data(), kElements * 4}};
    try {
      run(kernel, arguments, options);
      ADD_FAILURE() << "landing " << static_cast<int>(options.landing) << ", seed " << options.seed
                    << ": no fault was found";
    } catch (const EmulatorError& error) {
      EXPECT_EQ(error.kind(), planted.kind) << error.what();
      EXPECT_EQ(place(error.report().where), marked(planted, "// where")) << error.what();
      if (cause.empty()) continue;
      EXPECT_EQ(place(error.cause()), cause) << error.what();
    }
  }
}

/// Every policy and order in hazard mode, and timed mode, where transfers take their time.
std::vector<RunOptions> every_way(const std::string& target) {
  std::vector<RunOptions> all = every_policy(target);
  if (target == "generic") return all;
  const Target machine = load_target(target, {});
  if (!machine.timing) return all;
  RunOptions& timed = all.emplace_back(all.front());
  timed.mode = Mode::Timed;
  timed.timing = timing_of(machine);
  return all;
}

/// Runs it in every way; the results must agree.
void expect_right(const KernelSources& sources) {
  const CompiledKernel kernel = compile(sources, Mode::Hazard);
  std::vector<float> first;
  for (const RunOptions& options : every_way(sources.target)) {
    std::vector<float> x(kElements, 2);
    std::vector<float> y(kElements, 1);
    const std::vector<Argument> arguments = {{x.data(), kElements * 4}, {y.data(), kElements * 4}};
    ASSERT_NO_THROW(run(kernel, arguments, options))
        << "landing " << static_cast<int>(options.landing) << ", seed " << options.seed;
    if (first.empty()) first = y;
    EXPECT_EQ(y, first);
  }
}

TEST_P(PlantedFault, IsNotReportedOfTheRightKernel) { expect_right(sources_of(GetParam(), true)); }

class RightKernel : public ::testing::TestWithParam<Case> {};

TEST_P(RightKernel, HasNoHazard) { expect_right(sources_of(GetParam(), true)); }

std::string name_of_right(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }
std::string name_of_planted(const ::testing::TestParamInfo<Case>& info) {
  return info.param.kind + "_" + info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Good, RightKernel,
                         ::testing::ValuesIn(kernels_of(emulator_tests() / "good", "sw26010")),
                         name_of_right);
INSTANTIATE_TEST_SUITE_P(ProGood, RightKernel,
                         ::testing::ValuesIn(kernels_of(emulator_tests() / "pro" / "good",
                                                        "sw26010pro")),
                         name_of_right);
INSTANTIATE_TEST_SUITE_P(GenericGood, RightKernel,
                         ::testing::ValuesIn(kernels_of(emulator_tests() / "generic" / "good",
                                                        "generic")),
                         name_of_right);
INSTANTIATE_TEST_SUITE_P(Bad, PlantedFault,
                         ::testing::ValuesIn(kernels_of(emulator_tests() / "bad", "sw26010")),
                         name_of_planted);
INSTANTIATE_TEST_SUITE_P(ProBad, PlantedFault,
                         ::testing::ValuesIn(kernels_of(emulator_tests() / "pro" / "bad",
                                                        "sw26010pro")),
                         name_of_planted);
INSTANTIATE_TEST_SUITE_P(GenericBad, PlantedFault,
                         ::testing::ValuesIn(kernels_of(emulator_tests() / "generic" / "bad",
                                                        "generic")),
                         name_of_planted);

}  // namespace
}  // namespace solway::emulator
