#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "codegen/athread/assembly/instruction.h"

namespace solway::codegen::assembly::testing {

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15ULL + (b ^ (b >> 29)) * 0xbf58476d1ce4e5b9ULL + 1;
  x ^= x >> 31;
  return x * 0x94d049bb133111ebULL;
}

/// A core that runs the text of assembly: numbers of addresses are exact, floating-point values are
/// hashes of how they were computed, so that equal ones came about in the same way. It issues in
/// order, two per cycle for two pipes, and counts.
class CoreSimulator {
 public:
  std::map<std::int64_t, std::uint64_t> memory;  ///< what was stored, by address
  std::set<std::int64_t> loaded;                 ///< addresses
  std::array<std::int64_t, 32> registers{};
  std::int64_t fma_count = 0;

  /// The value that stands at an address before the program.
  static std::uint64_t initial(std::int64_t address) {
    return mix(7, static_cast<std::uint64_t>(address));
  }
  std::uint64_t at(std::int64_t address) const {
    const auto found = memory.find(address);
    return found == memory.end() ? initial(address) : found->second;
  }
  static std::uint64_t splat(std::uint64_t value) { return mix(11, value); }
  static std::uint64_t fma(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return mix(mix(std::min(a, b), std::max(a, b)), c);
  }

  /// From the first line to the end of the text or to `ret`.
  void run(const std::string& text) {
    std::vector<std::vector<std::string>> lines;
    std::map<std::string, std::size_t> labels;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line.starts_with(".globl")) continue;
      if (line.back() == ':') {
        labels[line.substr(0, line.size() - 1)] = lines.size();
      } else {
        lines.push_back(words_of(line));
      }
    }
    constexpr int kMost = 10'000'000;
    int done = 0;
    for (std::size_t k = 0; k < lines.size();) {
      if (++done > kMost) throw std::runtime_error("it does not end");
      const std::vector<std::string>& line = lines[k++];
      if (line[0] == "ret") return;
      if (step(line)) k = labels.at(line[2]);
    }
  }

  /// Cycles until the last instruction was issued.
  std::int64_t cycles() const { return cycle_ + 1; }

 private:
  static std::vector<std::string> words_of(std::string line) {
    for (char& c : line) {
      if (c == ',' || c == '(' || c == ')') c = ' ';
    }
    std::istringstream in(line);
    std::vector<std::string> out;
    for (std::string word; in >> word;) out.push_back(word);
    return out;
  }
  static int number_of(const std::string& word) {
    return word == "$sp" ? 30 : std::stoi(word.substr(1));
  }

  void issue(Pipe pipe, int latency, const std::vector<int>& reads, int writes) {
    std::int64_t when = cycle_;
    for (const int reg : reads) when = std::max(when, ready_.at(static_cast<std::size_t>(reg)));
    if (writes >= 0) when = std::max(when, ready_.at(static_cast<std::size_t>(writes)) - latency);
    const bool is_taken =
        all_ == 2 || (pipe != Pipe::Either && taken_.at(pipe == Pipe::Zero ? 0 : 1));
    const bool rewrites = writes >= 0 && std::count(written_.begin(), written_.end(), writes) != 0;
    if (when == cycle_ && (is_taken || rewrites)) ++when;
    if (when > cycle_) {
      cycle_ = when;
      taken_ = {};
      all_ = 0;
      written_.clear();
    }
    // One that may use either leaves its follower the pipe that that needs.
    if (pipe != Pipe::Either) taken_.at(pipe == Pipe::Zero ? 0 : 1) = true;
    ++all_;
    if (writes < 0) return;
    written_.push_back(writes);
    ready_.at(static_cast<std::size_t>(writes)) = cycle_ + latency;
  }

  std::int64_t& reg(const std::string& word) {
    const int number = number_of(word);
    registers[31] = 0;
    return registers.at(static_cast<std::size_t>(number));
  }

  /// Whether a branch is taken.
  bool step(const std::vector<std::string>& w) {
    const std::string& name = w[0];
    if (name == "vlds" || name == "vldd" || name == "ldse" || name == "ldde" || name == "ldl") {
      const std::int64_t address = reg(w[3]) + std::stoll(w[2]);
      issue(Pipe::One, 4, {number_of(w[3])}, number_of(w[1]));
      loaded.insert(address);
      const std::uint64_t value =
          name[0] == 'l' && name != "ldl" ? splat(at(address)) : at(address);
      reg(w[1]) = static_cast<std::int64_t>(value);
    } else if (name == "vsts" || name == "vstd" || name == "stl") {
      const std::int64_t address = reg(w[3]) + std::stoll(w[2]);
      issue(Pipe::One, 1, {number_of(w[1]), number_of(w[3])}, -1);
      memory[address] = static_cast<std::uint64_t>(reg(w[1]));
    } else if (name == "vmas" || name == "vmad") {
      issue(Pipe::Zero, 7, {number_of(w[1]), number_of(w[2]), number_of(w[3])}, number_of(w[4]));
      const auto value = [&](std::size_t k) { return static_cast<std::uint64_t>(reg(w[k])); };
      reg(w[4]) = static_cast<std::int64_t>(fma(value(1), value(2), value(3)));
      ++fma_count;
    } else if (name == "ldi") {
      issue(Pipe::Either, 1, {number_of(w[3])}, number_of(w[1]));
      reg(w[1]) = reg(w[3]) + std::stoll(w[2]);
    } else if (name == "subw") {
      issue(Pipe::Either, 1, {number_of(w[1])}, number_of(w[3]));
      reg(w[3]) = reg(w[1]) - std::stoll(w[2]);
    } else if (name == "mov") {
      issue(Pipe::Either, 1, {number_of(w[1])}, number_of(w[2]));
      reg(w[2]) = reg(w[1]);
    } else if (name == "bgt" || name == "ble") {
      issue(Pipe::One, 1, {number_of(w[1])}, -1);
      return (reg(w[1]) > 0) == (name == "bgt");
    } else {
      throw std::runtime_error("no instruction " + name);
    }
    return false;
  }

  std::array<std::int64_t, 32> ready_{};
  std::array<bool, 2> taken_{};
  int all_ = 0;  ///< instructions of this cycle
  std::vector<int> written_;
  std::int64_t cycle_ = 0;
};

inline std::string text_of(const std::vector<Instruction>& code) {
  std::string out;
  for (const Instruction& one : code) out += "  " + to_string(one) + "\n";
  return out;
}

}  // namespace solway::codegen::assembly::testing
