#include "emulator/worker/detail/machine_calls.h"

#include <cctype>
#include <string_view>
#include <utility>

#include "emulator/worker/detail/failure.h"

namespace solway::emulator {
namespace {

/// A word, and what the generic interface has in its place. Of two that begin alike the longer one
/// comes first.
constexpr std::pair<std::string_view, std::string_view> kGenericWords[] = {
    {"names of CPE code carry the prefix slave_ on the machine",
     "the two sides are programs of their own"},
    {"the order of the two addresses is source, destination",
     "the order of the two addresses is destination, source"},
    {"athread.h, slave.h, dma.h, simd.h", "scratchpad.h"},
    {"an LDM", "a scratchpad"},
    {"LDM", "scratchpad"},
    {"CPEs", "cores"},
    {"CPE", "core"},
    {"MPE code", "managing code"},
    {"MPE program", "managing program"},
    {"MPE source", "managing source"},
    {"MPE", "managing side"},
    {"core group", "machine"},
    {"reply counter", "counter"},
    {"__thread_local", "SCRATCHPAD"},
    {"athread_syn", "scratchpad_meet"},
    {"athread_spawn", "scratchpad_start"},
    {"athread_join", "scratchpad_finish"},
    {"spawned", "started"},
    {"spawns", "starts"},
    {"spawn", "start"},
    {"joined", "finished"},
    {"join", "finish"},
};

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/' || c == '.';
}

}  // namespace

MachineCalls machine_calls(const std::string& word) {
  if (word == "sw26010") return MachineCalls::Sw26010;
  if (word == "sw26010pro") return MachineCalls::Sw26010Pro;
  if (word == "generic") return MachineCalls::Generic;
  fail_internal("the worker does not know the machine '" + word + "'", "");
}

const char* barrier_name(MachineCalls calls) {
  if (calls == MachineCalls::Generic) return "scratchpad_meet";
  return calls == MachineCalls::Sw26010Pro ? "athread_ssync" : "athread_syn";
}

std::string in_words_of(MachineCalls calls, const std::string& text) {
  if (calls != MachineCalls::Generic) return text;
  const std::string_view all = text;
  std::string out;
  bool is_quoted = false;
  for (std::size_t at = 0; at < all.size();) {
    const bool begins = at == 0 || !is_part_of_word(all[at - 1]);
    std::pair<std::string_view, std::string_view> found;
    if (begins && !is_quoted) {
      for (const auto& pair : kGenericWords) {
        const std::size_t end = at + pair.first.size();
        const bool ends = end >= all.size() || !is_part_of_word(all[end]) ||
                          (all[end] == '.' && (end + 1 == all.size() || all[end + 1] == ' '));
        if (found.first.empty() && ends && all.substr(at, pair.first.size()) == pair.first) {
          found = pair;
        }
      }
    }
    if (all[at] == '\'') is_quoted = !is_quoted && begins;
    out += found.first.empty() ? all.substr(at, 1) : found.second;
    at += found.first.empty() ? 1 : found.first.size();
  }
  return out;
}

}  // namespace solway::emulator
