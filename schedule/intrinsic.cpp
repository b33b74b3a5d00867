#include "schedule/intrinsic.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "dsl/tensor.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

bool is_word(const std::string& name) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), is_part);
}

}  // namespace

std::shared_ptr<const Intrinsic> make_intrinsic(std::string name, const dsl::Tensor& tensor,
                                                std::map<std::string, std::string> code,
                                                const SourceLoc& where) {
  if (!tensor->body || (tensor->axis.empty() && tensor->reduce_axis.empty())) {
    throw DslError({where, "an intrinsic is a computed tensor",
                    "'" + tensor->name + "' " + (tensor->body ? "has no axis" : "is not computed"),
                    "pass a computed tensor with at least one axis"});
  }
  if (!is_word(name)) {
    throw DslError({where, "an intrinsic named '" + name + "'", "its name is a part of names in C",
                    "pass a name of letters, digits and underscores"});
  }
  if (code.empty()) {
    throw DslError({where, "intrinsic '" + name + "' has no code", "it names no target",
                    "pass C text by target: code={\"c\": \"...\"}"});
  }
  return std::make_shared<const Intrinsic>(
      Intrinsic{std::move(name), tensor, std::move(code), where});
}

}  // namespace solway::schedule
