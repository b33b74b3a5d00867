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

/// Whether a word may end before `end`: there, or at the full stop of a sentence.
bool ends_word(std::string_view text, std::size_t end) {
  if (end >= text.size() || !is_part_of_word(text[end])) return true;
  return text[end] == '.' && (end + 1 == text.size() || text[end + 1] == ' ');
}

/// The word that begins at `at`, and what stands for it; empty when it is none of ours.
std::pair<std::string_view, std::string_view> word_at(std::string_view text, std::size_t at) {
  if (at != 0 && is_part_of_word(text[at - 1])) return {};
  for (const auto& pair : kGenericWords) {
    if (!text.substr(at).starts_with(pair.first)) continue;
    if (ends_word(text, at + pair.first.size())) return pair;
  }
  return {};
}

}  // namespace

MachineCalls machine_calls(const std::string& word) {
  if (word == "sw26010") return MachineCalls::Sw26010;
  if (word == "sw26010pro") return MachineCalls::Sw26010Pro;
  if (word == "generic") return MachineCalls::Generic;
  fail_internal("the worker does not know the machine '" + word + "'", "");
}

std::uint64_t heap_grain(MachineCalls calls) { return calls == MachineCalls::Sw26010Pro ? 64 : 32; }

const char* barrier_name(MachineCalls calls) {
  if (calls == MachineCalls::Generic) return "scratchpad_meet";
  return calls == MachineCalls::Sw26010Pro ? "athread_ssync" : "athread_syn";
}

const char* machine_barrier_name(MachineCalls calls) {
  return calls == MachineCalls::Sw26010Pro ? "athread_ssync_node" : nullptr;
}

std::string in_words_of(MachineCalls calls, const std::string& text) {
  if (calls != MachineCalls::Generic) return text;
  std::string out;
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto [word, ours] = is_quoted ? decltype(word_at(text, at)){} : word_at(text, at);
    if (!word.empty()) {
      out += ours;
      at += word.size();
      continue;
    }
    const bool begins = at == 0 || !is_part_of_word(text[at - 1]);
    if (text[at] == '\'') is_quoted = !is_quoted && begins;  // an apostrophe ends no word
    out += text[at++];
  }
  return out;
}

}  // namespace solway::emulator
