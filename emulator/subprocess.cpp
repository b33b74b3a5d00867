#include "emulator/subprocess.h"

#include <cerrno>
#include <chrono>
#include <cstring>

#include "support/error.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace solway::emulator {
namespace {

constexpr int kKept = 3;
constexpr int kAnswer = 4;

struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw InternalError({{}, "a child process was not started", std::strerror(errno), ""});
    }
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_read() {
    if (read >= 0) close(read);
    read = -1;
  }
  void close_write() {
    if (write >= 0) close(write);
    write = -1;
  }
};

/// After the fork, in the child: only calls that are safe there.
[[noreturn]] void become(char* const* arguments, const Pipe& answer, const Pipe& messages, int kept,
                         const ChildLimits& limits) {
  // Away from the low numbers first, so that the copies below do not overwrite each other.
  const int high_answer = fcntl(answer.write, F_DUPFD, 10);
  const int high_messages = fcntl(messages.write, F_DUPFD, 10);
  const int high_kept = kept < 0 ? -1 : fcntl(kept, F_DUPFD, 10);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(high_messages, STDOUT_FILENO);
  dup2(high_messages, STDERR_FILENO);
  if (high_kept >= 0) dup2(high_kept, kKept);
  dup2(high_answer, kAnswer);
  for (int descriptor = kAnswer + 1; descriptor < 256; ++descriptor) close(descriptor);
  if (limits.memory_bytes != 0) {
    const rlimit memory{limits.memory_bytes, limits.memory_bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  const auto cpu_seconds = static_cast<rlim_t>(limits.seconds) + 2;
  const rlimit cpu{cpu_seconds, cpu_seconds};
  setrlimit(RLIMIT_CPU, &cpu);
  const rlimit core{0, 0};
  setrlimit(RLIMIT_CORE, &core);
  execv(arguments[0], arguments);
  _exit(127);
}

void take_text(int descriptor, std::string& text, bool& open) {
  char buffer[1 << 14];
  const ssize_t count = read(descriptor, buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) {
    open = false;
    return;
  }
  constexpr std::size_t kMost = 1 << 22;
  if (text.size() < kMost) text.append(buffer, static_cast<std::size_t>(count));
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& words, const ChildLimits& limits, int kept) {
  Pipe answer;
  Pipe messages;
  std::vector<std::string> owned = words;
  for (std::string& word : owned) {
    const auto at = word.find("{answer}");
    if (at != std::string::npos) word.replace(at, 8, std::to_string(kAnswer));
  }
  std::vector<char*> arguments;
  for (std::string& word : owned) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Not fork(): handlers that libraries have registered for it (OpenBLAS joins its threads in one)
  // hang when two threads fork at once, and the child only becomes another program.
  const pid_t child = _Fork();
  if (child < 0) {
    throw InternalError({{}, "a child process was not started", std::strerror(errno), ""});
  }
  if (child == 0) become(arguments.data(), answer, messages, kept, limits);
  answer.close_write();
  messages.close_write();

  ChildResult result;
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(limits.seconds);
  bool answer_open = true;
  bool messages_open = true;
  while (answer_open || messages_open) {
    const auto left = std::chrono::duration<double, std::milli>(end - Clock::now()).count();
    if (left <= 0) {
      result.timed_out = true;
      kill(child, SIGKILL);
      break;
    }
    pollfd waiting[2] = {{answer_open ? answer.read : -1, POLLIN, 0},
                         {messages_open ? messages.read : -1, POLLIN, 0}};
    if (poll(waiting, 2, static_cast<int>(left < 1000 ? left + 1 : 1000)) < 0) continue;
    if (waiting[0].revents != 0) take_text(answer.read, result.output, answer_open);
    if (waiting[1].revents != 0) take_text(messages.read, result.messages, messages_open);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace solway::emulator
