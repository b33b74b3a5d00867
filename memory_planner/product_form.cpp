#include "memory_planner/product_form.h"

#include <algorithm>

#include "memory_planner/nest_plan.h"

namespace solway::memory_planner {
namespace {

constexpr int kNone = -1;
constexpr std::size_t kMostRounds = 2;  // that assembly has

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// Finds the loops of a product, given which operand is which.
class Finder {
 public:
  Finder(const StageModel& stage, const ProductForm& tensors) : stage_(stage), form_(tensors) {}

  void add_to(std::vector<ProductForm>& out) const {
    for (const int columns : loops([&](int k) { return is_columns(k); })) {
      for (const int rows : loops_or_none([&](int k) { return is_rows(k); })) {
        ProductForm found = form_;
        found.columns = columns;
        found.rows = rows;
        found.windows = windows(columns);
        add_with_terms(found, out);
      }
    }
  }

 private:
  const TensorModel& tensor(int t) const { return stage_.tensors[at(t)]; }
  /// A form for each loop that `terms` can be; the other ones of the reduction are rounds.
  void add_with_terms(const ProductForm& found, std::vector<ProductForm>& out) const {
    for (const int terms : loops([&](int k) { return is_terms(k); })) {
      if (is_window(found, terms)) continue;
      ProductForm& form = out.emplace_back(found);
      form.terms = terms;
      form.rounds = loops([&](int k) { return k != terms && !is_window(found, k) && is_terms(k); });
      if (form.rounds.size() > kMostRounds) form.rounds.resize(kMostRounds);
    }
  }

  /// Whether a tile may have several iterations of a loop.
  bool runs_in_tiles(int loop) const {
    const LoopModel& model = stage_.loops[at(loop)];
    return model.extent > 1 && model.tiling != Tiling::Outside;
  }

  bool is_spatial(int loop) const { return stage_.loops[at(loop)].kind == dsl::AxisKind::Spatial; }

  template <typename Condition>
  std::vector<int> loops(Condition condition) const {
    std::vector<int> out;
    for (int k = 0; k < static_cast<int>(stage_.loops.size()); ++k) {
      if (runs_in_tiles(k) && condition(k)) out.push_back(k);
    }
    return out;
  }

  template <typename Condition>
  std::vector<int> loops_or_none(Condition condition) const {
    const std::vector<int> out = loops(condition);
    return out.empty() ? std::vector<int>{kNone} : out;
  }

  /// Loops of the reduction that move the last dimension of `vectors`, too.
  std::vector<int> windows(int columns) const {
    std::vector<int> out;
    for (const IndexTerm& term : tensor(form_.vectors).dims.back().terms) {
      if (term.loop != columns && runs_in_tiles(term.loop)) out.push_back(term.loop);
    }
    return out;
  }

  /// The last dimension moves one element at a time with this loop, and with no other but those of
  /// the reduction.
  bool is_contiguous(const TensorModel& t, int loop) const {
    for (std::size_t d = 0; d < t.dims.size(); ++d) {
      const bool is_last = d + 1 == t.dims.size();
      for (const IndexTerm& term : t.dims[d].terms) {
        if (!runs_in_tiles(term.loop)) continue;
        const bool is_own = term.loop == loop;
        const bool is_whole = is_own ? term.growth == 1 : !is_spatial(term.loop);
        if (is_last ? !is_whole : is_own) return false;
      }
    }
    return depends(t, loop) && t.dims.back().base == 1;
  }

  bool is_columns(int k) const {
    return is_spatial(k) && !depends(tensor(form_.numbers), k) &&
           is_contiguous(tensor(form_.sums), k) && is_contiguous(tensor(form_.vectors), k);
  }
  bool is_rows(int k) const {
    return is_spatial(k) && depends(tensor(form_.sums), k) && depends(tensor(form_.numbers), k) &&
           !depends(tensor(form_.vectors), k);
  }
  bool is_terms(int k) const {
    return !is_spatial(k) && depends(tensor(form_.numbers), k) && depends(tensor(form_.vectors), k);
  }

  const StageModel& stage_;
  const ProductForm& form_;
};

}  // namespace

std::vector<ProductForm> product_forms(const StageModel& stage, const BodyModel& body) {
  std::vector<ProductForm> out;
  if (!body.is_product) return out;
  std::vector<int> read;
  ProductForm tensors;
  for (int t = 0; t < static_cast<int>(stage.tensors.size()); ++t) {
    if (stage.tensors[at(t)].is_epilogue) continue;
    if (stage.tensors[at(t)].dims.empty()) return out;
    if (stage.tensors[at(t)].direction == AccessDirection::Read) {
      read.push_back(t);
    } else if (tensors.sums < 0) {
      tensors.sums = t;
    } else {
      return out;
    }
  }
  if (read.size() != 2) return out;
  for (const auto& [numbers, vectors] : {std::pair{read[0], read[1]}, {read[1], read[0]}}) {
    tensors.numbers = numbers;
    tensors.vectors = vectors;
    Finder(stage, tensors).add_to(out);
  }
  return out;
}

bool is_multiplied(const ProductForm& form, int loop) {
  return loop == form.rows || loop == form.columns || loop == form.terms ||
         std::find(form.rounds.begin(), form.rounds.end(), loop) != form.rounds.end();
}

bool is_window(const ProductForm& form, int loop) {
  return std::find(form.windows.begin(), form.windows.end(), loop) != form.windows.end();
}

std::int64_t stride_elems(const TensorModel& tensor, int loop, const Tiles& tiles) {
  std::int64_t out = 0;
  std::int64_t pitch = 1;
  for (std::size_t d = tensor.dims.size(); d-- > 0;) {
    for (const IndexTerm& term : tensor.dims[d].terms) {
      if (term.loop == loop) out += term.growth * pitch;
    }
    pitch *= footprint_elems(tensor.dims[d], tiles);
  }
  return out;
}

}  // namespace solway::memory_planner
