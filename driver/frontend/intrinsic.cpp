#include "driver/frontend/intrinsic.h"

#include "schedule/intrinsic.h"

namespace solway {

Intrinsic intrinsic(const Tensor& tensor, const std::map<std::string, std::string>& code,
                    const std::string& name, Line line) {
  return Intrinsic(schedule::make_intrinsic(name.empty() ? tensor.name() : name, tensor.node(),
                                            code, to_source_loc(line)));
}

MicroKernel micro_kernel() { return {}; }

}  // namespace solway
