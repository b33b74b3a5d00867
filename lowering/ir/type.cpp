#include "lowering/ir/type.h"

namespace solway::ir {

std::string to_string(const Lanes& lanes) {
  return (lanes.scalable ? "vscale*" : "") + std::to_string(lanes.count);
}

std::string to_string(const Type& type) {
  std::string text(to_string(type.scalar));
  if (type.is_vector()) text += "x" + to_string(type.lanes);
  return text;
}

}  // namespace solway::ir
