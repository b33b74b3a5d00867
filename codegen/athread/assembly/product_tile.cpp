#include "codegen/athread/assembly/product_tile.h"

#include <algorithm>
#include <string>

namespace solway::codegen::assembly {
namespace {

constexpr int kLargest = 4;

}  // namespace

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

std::vector<TileRun> tile_runs(std::int64_t extent) {
  constexpr std::int64_t kSmaller = kLargest - 1;
  std::vector<TileRun> out;
  if (extent == 5) return {{3, 1}, {2, 1}};
  if (extent < kSmaller) return {{static_cast<int>(extent), 1}};
  // Each 3 takes the place of a 4.
  const std::int64_t threes = (kLargest - extent % kLargest) % kLargest;
  const std::int64_t fours = (extent - threes * kSmaller) / kLargest;
  if (fours > 0) out.push_back({kLargest, fours});
  if (threes > 0) out.push_back({static_cast<int>(kSmaller), threes});
  return out;
}

}  // namespace solway::codegen::assembly
