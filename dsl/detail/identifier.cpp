#include "dsl/detail/identifier.h"

#include <algorithm>
#include <iterator>

#include "support/error.h"

namespace solway::dsl::detail {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void require_identifier(const std::string& role, const std::string& name, const SourceLoc& where) {
  const bool good =
      !name.empty() && is_letter(name.front()) &&
      std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
  static constexpr const char* kValues[] = {"true",    "false",   "inf_f32",
                                            "inf_f64", "nan_f32", "nan_f64"};
  const bool is_value = std::any_of(std::begin(kValues), std::end(kValues),
                                    [&](const char* value) { return name == value; });
  if (is_value) {
    throw DslError({where, "the " + role + " name '" + name + "' stands for a value",
                    "solway's text of a kernel writes this value so", "choose another name"});
  }
  if (good) return;
  throw DslError({where, "the " + role + " name is no identifier", "the name is '" + name + "'",
                  "use ASCII letters, digits and '_', not starting with a digit"});
}

}  // namespace solway::dsl::detail
