#pragma once

#include <string>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/machine_calls.h"

namespace solway::emulator {

/// The first fault of a run, as it goes back to the process that asked.
struct Failure {
  std::string kind;  ///< a word of the closed table, or "unsupported", "program", "internal"
  const Site* where = nullptr;
  const Site* cause = nullptr;
  int cpe = -1;    ///< its number in its group
  int group = -1;  ///< where the program uses several
  std::string what = {};
  std::string why = {};
  std::string fix = {};
};

/// Where answers of this process go.
void set_answer_file(int descriptor);
/// In whose words its failures are.
void set_failure_words(MachineCalls calls);

/// One "key<TAB>value" line of the answer; line breaks and tabs in `value` become spaces.
void answer(const char* key, const std::string& value);

/// Reports `failure` and ends the process: the first fault ends a run.
[[noreturn]] void fail(const Failure& failure);
/// Reports what is no fault of the program.
[[noreturn]] void fail_internal(const std::string& what, const std::string& why);

/// "file:line", or "?".
std::string to_string(const Site* site);
bool same_line(const Site* a, const Site* b);
/// Whether `a` stands after `b` in the sources.
bool stands_after(const Site* a, const Site* b);
/// "'block'"; in words for an automatic variable whose name is not known.
std::string quoted(const Object& object);

}  // namespace solway::emulator
