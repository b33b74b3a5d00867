#pragma once

#include <string>
#include <variant>

#include "dsl/plane_convolution.h"
#include "dsl/tensor.h"

namespace solway::dsl {

/// The convolution of planes, of stride 1, that a tensor is; else why it is none.
std::variant<PlaneConvolution, std::string> plane_convolution_of(const Tensor& tensor);

/// `tensor` computed by minimal filtering F(m x m, r x r), with its name, shape and type. The
/// stages, named after it, stand in TensorNode::winograd:
///
///   C_B[i, b, g, c, ty, tx] = sum over a of B^T[i, a] D(g, c, ty m + a, tx m + b)
///   C_V[i, j, g, c, ty, tx] = sum over b of B^T[j, b] C_B[i, b, g, c, ty, tx]
///   C_G[i, b, g, c, f]      = sum over a of G[i, a] W(g, f, c, a, b)
///   C_U[i, j, g, c, f]      = sum over b of G[j, b] C_G[i, b, g, c, f]
///   C_M[i, j, g, f, ty, tx] = sum over c of C_V[i, j, g, c, ty, tx] C_U[i, j, g, c, f]
///   C_A[k, j, g, f, ty, tx] = sum over i of A^T[k, i] C_M[i, j, g, f, ty, tx]
///   C[g, f, y, x]           = sum over j of A^T[x % m, j] C_A[y % m, j, g, f, y / m, x / m]
///
/// The axes of C_V lie as those of D, with the tiles in the place of rows and columns, those of C_M
/// as those of C. The filters of C_U lie in panels of 32 where their number allows it. Where W is a
/// constant, C_U is one, computed here in float64.
///
/// Throws UnsupportedError for a tensor that is no such convolution, or that needs more than eight
/// points.
///
/// Source: Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2016.
Tensor winograd(const Tensor& tensor, int outputs, const SourceLoc& where);

}  // namespace solway::dsl
