#pragma once

#include <memory>

#include "dsl/tensor.h"
#include "schedule/order.h"

/// What Python objects hold. The nodes are shared and const, which pybind11 holders cannot be.
namespace solway::python {

struct PyAxis {
  dsl::Axis node;
};

struct PySize {
  dsl::Size node;
};

struct PyExpr {
  dsl::Expr node;
};

struct PyTensor {
  dsl::Tensor node;
};

struct PyIntrinsic {
  std::shared_ptr<const schedule::Intrinsic> node;
};

}  // namespace solway::python
