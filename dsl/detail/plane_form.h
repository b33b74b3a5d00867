#pragma once

#include <string>
#include <variant>
#include <vector>

#include "dsl/tensor.h"

namespace solway::dsl::detail {

/// What each axis of a convolution of planes is; see winograd.h.
struct PlaneForm {
  Expr image;                    ///< the factor D, of x, y, r, q, c and g
  Expr weights;                  ///< the factor W, of r, q, c, f and g
  Axis y, x;                     ///< of the result, over rows and columns
  Axis r, q;                     ///< of the taps
  std::vector<Axis> image_axes;  ///< y, x, c and g, in the order in which D has them in memory
  std::vector<Axis> channels;    ///< c, in that order
  std::vector<Axis> filters;     ///< f, in the order of the result
  std::vector<Axis> groups;      ///< g of which W depends, in the order of the result
};

/// The form of a tensor; else why it has none: "'C' is no sum of products".
std::variant<PlaneForm, std::string> plane_form_of(const Tensor& tensor);

}  // namespace solway::dsl::detail
