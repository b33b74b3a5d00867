#pragma once

#include "dsl/tensor.h"

namespace solway::dsl {

/// The tensor with sums that leave out products with a factor that is chosen to be 0, as what lies
/// beyond a border. Of infinities and NaN such products are NaN, so the sums may differ. Null: no
/// sum has such products.
///
///   before: C[i] = sum of select(k < i, A[k], 0.0) * B[k]
///   after:  C[i] = sum of select(k < i, A[k] * B[k], 0.0)     terms where k < i
///   (dsl/terms_where.h)
Tensor without_zero_products(const Tensor& tensor, const SourceLoc& where);

}  // namespace solway::dsl
