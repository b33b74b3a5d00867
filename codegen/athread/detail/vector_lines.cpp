#include "codegen/athread/detail/vector_lines.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>

#include "codegen/athread/detail/vector_functions.h"

namespace solway::codegen {
namespace {

constexpr std::size_t kLinesAhead = 4;  // of a load among lines: it has arrived then

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Names that a line mentions: what it sets and what it may read.
std::set<std::string> names_in(const VectorLine& line) {
  std::set<std::string> out;
  if (!line.sets.empty()) out.insert(line.sets);
  const std::string& text = line.text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    if (end > at) out.insert(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return out;
}

/// For each line, how many others must come before it one after another.
std::vector<int> levels_of(const std::vector<VectorLine>& lines) {
  std::vector<std::set<std::string>> names;
  for (const VectorLine& line : lines) names.push_back(names_in(line));
  std::vector<int> levels(lines.size(), 0);
  for (std::size_t b = 0; b < lines.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const bool meet = (!lines[a].sets.empty() && names[b].count(lines[a].sets) != 0) ||
                        (!lines[b].sets.empty() && names[a].count(lines[b].sets) != 0);
      // Effects may stand at one level: those keep the order they have.
      if (meet) levels[b] = std::max(levels[b], levels[a] + 1);
      if (lines[a].is_effect && lines[b].is_effect) levels[b] = std::max(levels[b], levels[a]);
    }
  }
  return levels;
}

/// The calls of one function on vectors from `first` on, which stand together.
VectorLine joined(const std::vector<VectorLine>& lines, std::size_t first, std::size_t count) {
  VectorLine out = lines[first];
  out.vectors = static_cast<int>(count);
  out.text = VectorFunction{*out.function, out.vectors}.name() + "(";
  for (std::size_t k = 0; k < count; ++k) {
    out.text += (k == 0 ? "&" : ", &") + lines[first + k].sets;
  }
  out.text += ");";
  return out;
}

}  // namespace

std::vector<VectorLine> take_turns(std::vector<VectorLine> lines) {
  const std::vector<int> levels = levels_of(lines);
  const int last = lines.empty() ? -1 : *std::max_element(levels.begin(), levels.end());
  std::vector<VectorLine> sorted;
  for (int level = 0; level <= last; ++level) {
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (levels[k] == level) sorted.push_back(std::move(lines[k]));
    }
  }
  std::vector<VectorLine> out;
  for (std::size_t k = 0; k < sorted.size();) {
    std::size_t count = 1;
    if (sorted[k].function) {
      const auto most = static_cast<std::size_t>(max_vectors(*sorted[k].function));
      while (count < most && k + count < sorted.size() &&
             sorted[k + count].function == sorted[k].function &&
             sorted[k + count].sets != sorted[k].sets) {
        ++count;
      }
      out.push_back(joined(sorted, k, count));
    } else {
      out.push_back(std::move(sorted[k]));
    }
    k += count;
  }
  return out;
}

std::vector<VectorLine> with_loads(std::vector<VectorLine> loads, std::vector<VectorLine> lines,
                                   LoadPlace place) {
  std::vector<std::size_t> before(loads.size(), 0);  // the line that each stands before
  if (place == LoadPlace::Ahead || loads.size() > kLoadsTogether) {
    std::vector<std::set<std::string>> names;
    for (const VectorLine& line : lines) names.push_back(names_in(line));
    for (std::size_t k = loads.size(); k-- > 0;) {
      const std::string& name = loads[k].sets;
      const auto use = std::find_if(names.begin(), names.end(),
                                    [&](const auto& line) { return line.count(name) != 0; });
      const auto first = static_cast<std::size_t>(use - names.begin());
      before[k] = first - std::min(first, kLinesAhead);
      for (std::size_t later = k + 1; later < loads.size(); ++later) {
        if (names_in(loads[later]).count(name) != 0) before[k] = std::min(before[k], before[later]);
      }
    }
  }
  std::vector<VectorLine> out;
  for (std::size_t line = 0; line <= lines.size(); ++line) {
    for (std::size_t k = 0; k < loads.size(); ++k) {
      if (before[k] == line) out.push_back(std::move(loads[k]));
    }
    if (line < lines.size()) out.push_back(std::move(lines[line]));
  }
  return out;
}

}  // namespace solway::codegen
