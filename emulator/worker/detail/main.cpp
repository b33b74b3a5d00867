// The worker of the emulator: compiles a kernel or runs one, in a process of its own. Requests are
// "key=value" arguments, answers are "key<TAB>value" lines.

#include <cstdlib>
#include <string>
#include <vector>

#include "emulator/timing_word.h"
#include "emulator/worker/detail/compile_kernel.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/machine_calls.h"
#include "emulator/worker/detail/run_kernel.h"

#include <unistd.h>

namespace {

using namespace solway::emulator;

struct Field {
  std::string key;
  std::string value;
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

constexpr const char* kNotUnderstood = "the request to the worker is not understood";

void compile(const std::vector<Field>& fields) {
  CompileRequest request;
  for (const auto& [key, value] : fields) {
    if (key == "mpe") request.files.mpe.push_back(value);
    if (key == "cpe") request.files.cpe.push_back(value);
    if (key == "assembly") request.files.assembly.push_back(value);
    if (key == "output") request.output = value;
    if (key == "headers") request.header_folder = value;
    if (key == "entry") request.entry = value;
    if (key == "machine") {
      request.calls = machine_calls(value);
      set_failure_words(request.calls);
    }
    if (key == "mode" && value == "hazard") request.checks = Checks::Hazards;
    if (key == "mode" && value == "timed") request.checks = Checks::Clock;
    if (key == "timing") request.timing = timing_from_word(value);
    if (key == "parameter") {
      const auto parts = split(value, ':');
      if (parts.size() != 3) fail_internal(kNotUnderstood, value);
      request.parameters.push_back({parts[0], parts[1], parts[2] == "scalar"});
    }
  }
  compile_kernel(request);
  answer("end", "done");
}

void run(const std::vector<Field>& fields) {
  RunRequest request;
  for (const auto& [key, value] : fields) {
    const auto number = std::strtoull(value.c_str(), nullptr, 10);
    if (key == "object") request.object_file = value;
    if (key == "data") request.data_descriptor = static_cast<int>(number);
    if (key == "data_bytes") request.data_bytes = number;
    if (key == "seed") request.machine.seed = number;
    if (key == "steps") request.machine.step_budget = static_cast<std::int64_t>(number);
    if (key == "ldm_bytes") request.machine.ldm_bytes = number;
    if (key == "reserved_bytes") request.machine.reserved_bytes = number;
    if (key == "shared_bytes") request.machine.shared_bytes = number;
    if (key == "max_transfer") {
      request.machine.max_transfer_bytes = static_cast<std::int64_t>(number);
    }
    if (key == "max_block") request.machine.max_block_bytes = static_cast<std::int64_t>(number);
    if (key == "machine") {
      request.machine.barrier_name = barrier_name(machine_calls(value));
      request.machine.heap_grain = heap_grain(machine_calls(value));
      request.machine.machine_barrier_name = machine_barrier_name(machine_calls(value));
      set_failure_words(machine_calls(value));
    }
    if (key == "cores") request.machine.cores = static_cast<int>(number);
    if (key == "groups") request.machine.groups = static_cast<int>(number);
    if (key == "min_transfer") {
      request.machine.min_transfer_bytes = static_cast<std::int64_t>(number);
    }
    if (key == "alignment") request.machine.transfer_alignment = number;
    if (key == "ranks") request.machine.transfer_ranks = static_cast<int>(number);
    if (key == "stack") {
      request.machine.stack = value == "main" ? CpeStack::Main : CpeStack::Ldm;
    }
    if (key == "mode") request.machine.hazards = value == "hazard";
    if (key == "timing") request.machine.timing = timing_from_word(value);
    if (key == "timeline") request.timeline_file = value;
    if (key == "landing") {
      request.machine.landing = value == "at_issue" ? LandingPolicy::AtIssue
                                : value == "random" ? LandingPolicy::Random
                                                    : LandingPolicy::AtWait;
    }
    if (key == "argument") {
      const auto parts = split(value, ':');
      if (parts.size() != 4) fail_internal(kNotUnderstood, value);
      request.arguments.push_back({parts[0], std::strtoull(parts[1].c_str(), nullptr, 10),
                                   std::strtoull(parts[2].c_str(), nullptr, 10),
                                   parts[3] == "in"    ? ArgumentRole::In
                                   : parts[3] == "out" ? ArgumentRole::Out
                                                       : ArgumentRole::InOut});
    }
  }
  run_kernel(request);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Field> fields;
  for (int i = 2; i < argc; ++i) {
    const std::string text = argv[i];
    const auto equals = text.find('=');
    if (equals == std::string::npos) fail_internal(kNotUnderstood, text);
    fields.push_back({text.substr(0, equals), text.substr(equals + 1)});
    if (fields.back().key == "answer") set_answer_file(std::atoi(fields.back().value.c_str()));
  }
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "compile") {
    compile(fields);
  } else if (command == "run") {
    run(fields);
  } else {
    fail_internal(kNotUnderstood, "the first word is '" + command + "', not compile or run");
  }
  std::fflush(nullptr);
  _exit(0);
}
