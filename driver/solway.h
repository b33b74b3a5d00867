#pragma once

/// solway from C++, without Python: the operations of the Python package with the same names.
///
///   using namespace solway;
///   Tensor A = placeholder({1024}, DType::Float32, "A");
///   Tensor B = compute({1024}, {"i"}, [&](Axis i) { return A[i] * 2; }, "B");
///   Schedule s({B});
///   const auto [io, ii] = s[B].split("i", 64);
///   s[B].vectorize(ii);
///   Kernel k = build(s, {A, B});
///   k({a, b});
#include "driver/frontend/expr.h"
#include "driver/frontend/functions.h"
#include "driver/frontend/intrinsic.h"
#include "driver/frontend/kernel.h"
#include "driver/frontend/network.h"
#include "driver/frontend/recurrences.h"
#include "driver/frontend/reducer.h"
#include "driver/frontend/schedule.h"
#include "driver/frontend/size.h"
#include "driver/frontend/stage.h"
#include "driver/frontend/tensor.h"
#include "support/error.h"
