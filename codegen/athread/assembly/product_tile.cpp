#include "codegen/athread/assembly/product_tile.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace solway::codegen::assembly {
Tile product_tile(const Product& product, int rows, int vectors, const TileAddresses& at) {
  const bool is_float = product.element == Element::Float;
  const Opcode load = is_float ? Opcode::Vlds : Opcode::Vldd;
  const Opcode splat = is_float ? Opcode::Ldse : Opcode::Ldde;
  const Opcode store = is_float ? Opcode::Vsts : Opcode::Vstd;
  const Opcode multiply_add = is_float ? Opcode::Vmas : Opcode::Vmad;
  const std::int64_t bytes = product.element_bytes();
  const auto sum = [&](int i, int j) { return kFirstVirtual + i * vectors + j; };
  const auto number = [&](int i) { return kFirstVirtual + rows * vectors + i; };
  const auto vector = [&](int j) { return kFirstVirtual + rows * vectors + rows + j; };

  Tile out;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < vectors; ++j) {
      const std::int64_t offset = (i * product.c_row + std::int64_t{j} * kLanes) * bytes;
      const std::string place = "C" + std::to_string(i) + "," + std::to_string(j);
      out.loads.push_back({load, sum(i, j), {at.c}, offset, {}, place});
      out.stores.push_back({store, {}, {sum(i, j), at.c}, offset, {}, place});
    }
  }
  for (int k = 0; k < std::max(rows, vectors); ++k) {
    if (k < vectors) {
      out.body.push_back({load, vector(k), {at.b}, std::int64_t{k} * kLanes * bytes, {}, "B"});
    }
    if (k < rows)
      out.body.push_back({splat, number(k), {at.a}, k * product.a_row * bytes, {}, "A"});
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < vectors; ++j) {
      out.body.push_back({multiply_add, sum(i, j), {vector(j), number(i), sum(i, j)}, 0, {}, {}});
    }
  }
  out.body.push_back({Opcode::Ldi, at.a, {at.a}, product.a_step * bytes, {}, {}});
  out.body.push_back({Opcode::Ldi, at.b, {at.b}, product.b_step * bytes, {}, {}});
  return out;
}

std::int64_t most_rows(const Product& product) {
  constexpr std::int64_t kTall = 7;  // with two vectors 14 sums and 9 operands, all in registers
  const std::int64_t furthest = kTall * std::max(std::abs(product.a_row), std::abs(product.c_row));
  const bool is_narrow = product.columns <= kLargest / 2 * kLanes;
  return is_narrow && furthest * product.element_bytes() <= kLargestOffset ? kTall : kLargest;
}

std::vector<TileRun> tile_runs(std::int64_t extent, std::int64_t largest) {
  const std::int64_t count = (extent + largest - 1) / largest;
  const std::int64_t size = (extent + count - 1) / count;
  const std::int64_t smaller = count * size - extent;
  std::vector<TileRun> out = {{static_cast<int>(size), count - smaller}};
  if (smaller > 0) out.push_back({static_cast<int>(size - 1), smaller});
  return out;
}

}  // namespace solway::codegen::assembly
