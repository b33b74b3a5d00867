#pragma once

#include <cstdint>
#include <vector>

#include "codegen/athread/assembly/instruction.h"

namespace solway::codegen::assembly {

enum class Element : std::uint8_t { Float, Double };

/// Repetitions of a product that add to the same C.
struct Rounds {
  std::int64_t count = 1;
  std::int64_t a = 0;  ///< elements from one to the next
  std::int64_t b = 0;  ///< a multiple of kLanes
};

/// C[i, j] += A[i, k] * B[k, j] with all three in the LDM. Neighbours along j lie side by side.
/// Each of the rounds, if there are some, is around those that follow: C[i, j] += A[i, r, q, k] *
/// B[r, q, k, j] are two.
struct Product {
  Element element = Element::Float;
  std::int64_t rows = 0;     ///< of C; any positive number
  std::int64_t columns = 0;  ///< a positive multiple of kLanes
  // Elements from one to the next along i of A and C, and along k of A and B. Those of B and C are
  // multiples of kLanes.
  std::int64_t a_row = 0;
  std::int64_t a_step = 0;
  std::int64_t b_step = 0;
  std::int64_t c_row = 0;
  std::vector<Rounds> rounds = {};  ///< at most kMostRounds, each of several

  std::int64_t element_bytes() const { return element == Element::Float ? 4 : 8; }
};

inline constexpr int kLanes = 4;  ///< of a vector, of floats and of doubles
inline constexpr std::size_t kMostRounds = 2;

inline constexpr std::int64_t kLargest = 4;  ///< rows, or vectors of columns, of most tiles

/// What an instruction adds to an address has 16 bits.
inline constexpr std::int64_t kLargestOffset = 32767;

/// Registers that a tile's addresses are in.
struct TileAddresses {
  Register a = 0;
  Register b = 0;
  Register c = 0;
};

/// `rows` x `vectors` vectors of C in registers.
struct Tile {
  std::vector<Instruction> loads;   ///< of C
  std::vector<Instruction> body;    ///< of one k; moves the addresses of A and B on
  std::vector<Instruction> stores;  ///< of C
};

/// One step multiplies `vectors` vectors of B with `rows` numbers of A:
///
///   vlds b0,0(B); ldse a0,0(A); ...; vmas b0,a0,c00,c00; ...; ldi A,a_step(A); ldi B,b_step(B)
Tile product_tile(const Product& product, int rows, int vectors, const TileAddresses& at);

/// Tiles of one size along a dimension.
struct TileRun {
  int size = 0;
  std::int64_t count = 0;
};

/// `extent` as the fewest tiles of at most `largest`, of two sizes that differ by one at most: by 4
/// 13 = 4 + 3 + 3 + 3, 5 = 3 + 2. Tiles of 3 and 4 keep both pipes busy.
std::vector<TileRun> tile_runs(std::int64_t extent, std::int64_t largest = kLargest);

/// Rows that a tile may hold: more where there are but one or two vectors of columns, as each step
/// of 4 x 2 would need as long for its loads as for its sums.
std::int64_t most_rows(const Product& product);

}  // namespace solway::codegen::assembly
