#pragma once

#include <map>
#include <memory>
#include <string>

#include "schedule/order.h"

namespace solway::schedule {

/// A computation and the code that a person wrote for it, by target. What the code computes is not
/// checked: it is taken to be what `tensor` says.
///
/// Throws DslError for a tensor that is not computed or has no axis, for a name that is no
/// identifier of C, and without code.
std::shared_ptr<const Intrinsic> make_intrinsic(std::string name, const dsl::Tensor& tensor,
                                                std::map<std::string, std::string> code,
                                                const SourceLoc& where);

}  // namespace solway::schedule
