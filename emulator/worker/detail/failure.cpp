#include "emulator/worker/detail/failure.h"

#include <string_view>
#include <tuple>

#include <unistd.h>

namespace solway::emulator {
namespace {

int answer_descriptor = STDOUT_FILENO;
MachineCalls failure_words = MachineCalls::Sw26010;

void answer_site(const char* prefix, const Site* site) {
  if (site == nullptr) return;
  answer((std::string(prefix) + "_file").c_str(), site->file);
  answer((std::string(prefix) + "_line").c_str(), std::to_string(site->line));
}

}  // namespace

void set_answer_file(int descriptor) { answer_descriptor = descriptor; }

void set_failure_words(MachineCalls calls) { failure_words = calls; }

void answer(const char* key, const std::string& value) {
  std::string line = std::string(key) + "\t";
  for (const char c : value) line += c == '\n' || c == '\t' ? ' ' : c;
  line += '\n';
  const char* data = line.data();
  std::size_t left = line.size();
  while (left > 0) {
    const ssize_t written = write(answer_descriptor, data, left);
    if (written <= 0) return;
    data += written;
    left -= static_cast<std::size_t>(written);
  }
}

void fail(const Failure& failure) {
  answer("kind", failure.kind);
  answer_site("where", failure.where);
  answer_site("cause", failure.cause);
  answer("cpe", std::to_string(failure.cpe));
  answer("group", std::to_string(failure.group));
  answer("what", in_words_of(failure_words, failure.what));
  answer("why", in_words_of(failure_words, failure.why));
  answer("fix", in_words_of(failure_words, failure.fix));
  answer("end", "failure");
  _exit(0);
}

std::string quoted(const Object& object) {
  const std::string name = object.name;
  return name == kUnnamedVariable ? name : "'" + name + "'";
}

bool same_line(const Site* a, const Site* b) {
  return a == b || (a != nullptr && b != nullptr && a->line == b->line &&
                    std::string_view(a->file) == b->file);
}

bool stands_after(const Site* a, const Site* b) {
  if (a == nullptr || b == nullptr) return a != nullptr;
  return std::tuple(std::string_view(a->file), a->line) >
         std::tuple(std::string_view(b->file), b->line);
}

void fail_internal(const std::string& what, const std::string& why) {
  fail({.kind = "internal",
        .where = nullptr,
        .cause = nullptr,
        .cpe = -1,
        .what = what,
        .why = why,
        .fix = ""});
}

std::string to_string(const Site* site) {
  return site == nullptr ? "?" : std::string(site->file) + ":" + std::to_string(site->line);
}

}  // namespace solway::emulator
