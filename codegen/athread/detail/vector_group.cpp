#include "codegen/athread/detail/vector_group.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace solway::codegen {

bool is_name(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

void declare(CText& out, const std::string& type, const std::vector<std::string>& names) {
  constexpr std::size_t kNamesPerLine = 8;
  for (std::size_t first = 0; first < names.size(); first += kNamesPerLine) {
    std::string line;
    for (std::size_t k = first; k < std::min(names.size(), first + kNamesPerLine); ++k) {
      line += (line.empty() ? " " : ", ") + names[k];
    }
    out.line(type + line + ";");
  }
}

VectorGroup::VectorGroup(CNames& names, CExprPrinter& exprs, CText& out,
                         std::function<void(const SourceLoc&)> where)
    : names_(names), exprs_(exprs), out_(out), where_(std::move(where)) {}

std::string VectorGroup::variable(const std::string& type) {
  const bool is_scalar = type == "float" || type == "double";
  std::string name =
      names_.fresh((is_scalar ? "x" : "v") + std::to_string(variables_[type].size()));
  variables_[type].push_back(name);
  return name;
}

std::string VectorGroup::array(const std::string& type, int size) {
  std::string name = names_.fresh("lanes");
  variables_[type].push_back(name + "[" + std::to_string(size) + "]");
  return name;
}

std::string VectorGroup::loaded(const std::string& type, const std::string& statement,
                                const SourceLoc& where) {
  std::string& name = loaded_by_[type + " " + statement];
  if (!name.empty()) return name;
  name = variable(type);
  std::string text = statement;
  text.replace(text.find('@'), 1, name);
  loads_.push_back({where, text, name});
  return name;
}

std::string VectorGroup::named(const std::string& text, const std::string& type,
                               const SourceLoc& where) {
  if (is_name(text)) return text;
  std::string name = variable(type);
  work_.push_back({where, name + " = " + text + ";", name});
  return name;
}

std::string VectorGroup::last_value(const std::string& name) {
  if (work_.empty() || work_.back().sets != name || work_.back().function) return name;
  const std::string text = work_.back().text;
  work_.pop_back();
  for (auto& [type, names] : variables_) {
    if (names.back() != name) continue;
    names.pop_back();
    names_.release(name);
    if (names.empty()) variables_.erase(type);
    break;
  }
  const std::size_t value = name.size() + std::string(" = ").size();
  return text.substr(value, text.size() - value - 1);
}

void VectorGroup::end(Scope scope, LoadPlace place) {
  const bool opens = scope == Scope::Own && !variables_.empty();
  if (opens) out_.open("");
  for (const auto& [type, names] : variables_) declare(out_, type, names);
  for (const VectorLine& line :
       with_loads(std::exchange(loads_, {}), take_turns(std::exchange(work_, {})), place)) {
    if (line.function) exprs_.note({*line.function, line.vectors});
    where_(line.where);
    out_.line(line.text);
  }
  if (opens) {
    out_.close();
    for (const auto& [type, names] : variables_) {
      for (const std::string& name : names) names_.release(name.substr(0, name.find('[')));
    }
  }
  variables_.clear();
  loaded_by_.clear();
}

}  // namespace solway::codegen
