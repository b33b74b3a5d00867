#include "codegen/athread/detail/cpe_vectors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codegen/athread/detail/register_names.h"
#include "codegen/athread/detail/row_squares.h"
#include "lowering/ir/visitor.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

using ir::Binary;
using ir::Expr;
using ir::ExprKind;

/// Of few values that take turns, whose loads stand among what computes them.
constexpr std::size_t kFewValues = 4;
constexpr std::size_t kMostLoads = 25;
/// Of products that are added to what registers hold, of four steps of a tile of 4 x 4 vectors.
constexpr std::size_t kLoadsOfProducts = 40;
/// Lanes of vectors that simd_vshff takes.
constexpr int kShuffledLanes = 4;

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  return function + "(" + joined(arguments) + ")";
}

bool is_number(const Expr& e) {
  const auto* broadcast = e.as_or_null<ir::Broadcast>();
  if (broadcast == nullptr) return false;
  const auto* value = broadcast->value.as_or_null<ir::FloatImm>();
  return value != nullptr && !std::isnan(value->value);
}

const Binary* product_or_null(const Expr& e) {
  const auto* n = e.as_or_null<Binary>();
  return n != nullptr && n->op == BinaryOp::Mul ? n : nullptr;
}

/// Whether a value is a sum of which one side is a product: one operation.
bool adds_product(const Expr& e) {
  const auto* sum = e.as_or_null<Binary>();
  return sum != nullptr && sum->op == BinaryOp::Add &&
         (product_or_null(sum->a) != nullptr || product_or_null(sum->b) != nullptr);
}

class LanesFinder final : public ir::Visitor {
 public:
  std::vector<const ir::ReduceLanes*> found;

 private:
  void visit(const ir::ReduceLanes& e) override { found.push_back(&e); }
};

}  // namespace

CpeVectors::CpeVectors(CNames& names, CExprPrinter& exprs, CText& out,
                       const AthreadOptions& options, std::function<void(const SourceLoc&)> where)
    : names_(names),
      exprs_(exprs),
      out_(out),
      machine_(options.machine),
      near_alignment_bytes_(options.least_alignment()),
      group_(names, exprs, out, std::move(where)) {}

void CpeVectors::stores(const std::vector<const ir::VectorStore*>& stores) {
  takes_turns_ = stores.size() > 1;
  const bool adds_products = std::all_of(stores.begin(), stores.end(), [&](const auto* one) {
    return exprs_.registers_of(one->buffer->name) != nullptr && adds_product(one->value);
  });
  loads_stand_ = adds_products ? LoadPlace::Ahead : LoadPlace::First;
  for (std::size_t k = 0; k < stores.size(); ++k) {
    if (is_row_square(stores, k, exprs_)) {
      turned_square(stores, k);
      k += kSquareLanes - 1;
      continue;
    }
    const std::size_t room = adds_products                 ? kLoadsOfProducts
                             : stored_.size() < kFewValues ? kMostLoads
                                                           : kLoadsTogether;
    if (group_.num_loads() >= room || has_to_wait(stores[k]->value)) end_group(Scope::Own);
    store(*stores[k]);
  }
  end_group(Scope::Own);
  takes_turns_ = false;
  loads_stand_ = LoadPlace::First;
}

void CpeVectors::let(const ir::Let& n) {
  place_ = n.where;
  const std::string type = type_of(n.value).name;
  const std::string text = value(n.value);
  end_group(Scope::Present);
  out_.line("const " + type + " " + names_.of(n.var) + " = " + text + ";");
}

void CpeVectors::reduction(const ir::Store& n) {
  place_ = n.where;
  out_.open("");
  LanesFinder finder;
  finder.walk(n.value);
  for (const ir::ReduceLanes* lanes : finder.found) {
    const VectorType type = type_of(lanes->vector);
    const std::string vector = named(value(lanes->vector), type.name);
    if (lanes->op == ReduceOp::Sum && type.lanes == 8) {
      exprs_.replace(*lanes, call(std::string("simd_reduc_plus") + type.suffix(), {vector}));
      continue;
    }
    std::vector<std::string> parts = lanes_of(vector, type);
    while (parts.size() > 1) {
      std::vector<std::string> half;
      for (std::size_t i = 0; i < parts.size(); i += 2) {
        half.push_back(exprs_.combined(lanes->op, type.scalar, parts[i], parts[i + 1]));
      }
      parts = std::move(half);
    }
    exprs_.replace(*lanes, parts.front());
  }
  end_group(Scope::Present);
  out_.line(exprs_.element(*n.buffer, n.indices) + " = " + exprs_.print(n.value) + ";");
  out_.close();
}

VectorType CpeVectors::type_of(const Expr& e) const {
  const auto type = try_vector_type(e.type(), machine_);
  if (type) return *type;
  throw InternalError(
      {place_, "a vector without a type", "vector_lack() should have refused it", ""});
}

std::string CpeVectors::value(const Expr& e) {
  is_used_ = true;
  switch (e.kind()) {
    case ExprKind::Var:
      return names_.of(e.as<ir::Var>().name);
    case ExprKind::Unary:
      return unary(e.as<ir::Unary>());
    case ExprKind::Binary:
      return binary(e.as<Binary>());
    case ExprKind::Select:
      return choice(e.as<ir::Select>());
    case ExprKind::Broadcast:
      return broadcast(e.as<ir::Broadcast>());
    case ExprKind::VectorLoad:
      return load(e.as<ir::VectorLoad>());
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::Cast:
    case ExprKind::Load:
    case ExprKind::Ramp:
    case ExprKind::ReduceLanes:
    case ExprKind::Dot:
    case ExprKind::VectorScale:
      break;
  }
  throw InternalError(
      {place_, "a vector without a form", "vector_lack() should have refused it", ""});
}

std::string CpeVectors::unary(const ir::Unary& e) {
  const VectorType type = type_of(e.operand);
  const std::string operand = value(e.operand);
  if (e.op == UnaryOp::Neg) {
    const std::string x = named(operand, type.name);
    return step(call("simd_vcpysn", {x, x}), type.name);
  }
  if (has_vector_function(e.op)) return function(e.op, operand, type.name);
  if (e.op == UnaryOp::Rsqrt) {
    const std::string root =
        step(call(std::string("simd_vsqrt") + type.suffix(), {operand}), type.name);
    const std::string one = spread(type.scalar == DType::Float32 ? "1.0f" : "1.0", type);
    return step(call(std::string("simd_vdiv") + type.suffix(), {one, root}), type.name);
  }
  const char* operation = e.op == UnaryOp::Abs ? "simd_vabs" : "simd_vsqrt";
  return step(call(std::string(operation) + type.suffix(), {operand}), type.name);
}

std::string CpeVectors::step(const std::string& text, const std::string& type) {
  return takes_turns_ ? named(text, type) : text;
}

std::string CpeVectors::function(UnaryOp op, const std::string& operand, const std::string& type) {
  std::string name = group_.variable(type);
  group_.add({place_, name + " = " + operand + ";", name, {}});
  group_.add({place_, "", name, op});
  return name;
}

std::string CpeVectors::binary(const Binary& e) {
  if (e.op == BinaryOp::Min || e.op == BinaryOp::Max) return extreme(e);
  std::string out = fused(e);
  if (!out.empty()) return out;
  std::string operation = "simd_vdiv";
  if (e.op == BinaryOp::Add) operation = "simd_vadd";
  if (e.op == BinaryOp::Sub) operation = "simd_vsub";
  if (e.op == BinaryOp::Mul) operation = "simd_vmul";
  const VectorType type = type_of(e.a);
  const std::string a = value(e.a);
  return step(call(operation + type.suffix(), {a, value(e.b)}), type.name);
}

std::string CpeVectors::fused(const Binary& e) {
  if (e.op != BinaryOp::Add && e.op != BinaryOp::Sub) return "";
  const Binary* product = product_or_null(e.a);
  const bool is_first = product != nullptr;
  if (!is_first) product = product_or_null(e.b);
  if (product == nullptr) return "";
  std::string operation = "simd_vma";
  if (e.op == BinaryOp::Sub) operation = is_first ? "simd_vms" : "simd_vnma";
  const std::string other = is_first ? "" : value(e.a);
  const std::string a = value(product->a);
  const std::string b = value(product->b);
  const VectorType type = type_of(e.a);
  return step(call(operation + type.suffix(), {a, b, is_first ? value(e.b) : other}), type.name);
}

std::string CpeVectors::extreme(const Binary& e) {
  const std::string type = type_of(e.a).name;
  const bool swaps = is_number(e.b);
  const std::string a = named(value(swaps ? e.b : e.a), type);
  const std::string b = named(value(swaps ? e.a : e.b), type);
  const std::string is_a = step(
      call("simd_vfcmplt", e.op == BinaryOp::Min ? std::vector{a, b} : std::vector{b, a}), type);
  // Where b is no number the comparison fails, and b is taken.
  const std::string chosen = step(call("simd_vseleq", {is_a, b, a}), type);
  if (is_number(swaps ? e.b : e.a)) return chosen;
  const std::string is_none = step(call("simd_vfcmpun", {a, a}), type);
  return step(call("simd_vseleq", {is_none, chosen, a}), type);
}

std::string CpeVectors::choice(const ir::Select& e) {
  const Binary& condition = e.condition.as<Binary>();
  const std::string a = value(condition.a);
  const std::string b = value(condition.b);
  const bool swaps = condition.op == BinaryOp::Gt || condition.op == BinaryOp::Ge;
  std::string operation = "simd_vfcmpeq";
  if (condition.op == BinaryOp::Lt || condition.op == BinaryOp::Gt) operation = "simd_vfcmplt";
  if (condition.op == BinaryOp::Le || condition.op == BinaryOp::Ge) operation = "simd_vfcmple";
  const std::string type = type_of(e.if_true).name;
  const std::string holds =
      step(call(operation, swaps ? std::vector{b, a} : std::vector{a, b}), type);
  const std::string yes = value(e.if_true);
  const std::string no = value(e.if_false);
  // The second operand where the first is 0.
  if (condition.op == BinaryOp::Ne) return step(call("simd_vseleq", {holds, yes, no}), type);
  return step(call("simd_vseleq", {holds, no, yes}), type);
}

std::string CpeVectors::broadcast(const ir::Broadcast& e) {
  const auto type = try_vector_type(e.type, machine_);
  const auto* from = e.value.as_or_null<ir::Load>();
  if (from != nullptr && exprs_.registers_of(from->buffer->name) == nullptr) {
    return group_.loaded(type->name,
                         "simd_loade(@, " + address(*from->buffer, from->indices) + ");", place_);
  }
  std::string scalar = exprs_.print(e.value);
  const bool is_plain = e.value.kind() == ExprKind::FloatImm || is_name(scalar);
  if (!is_plain) scalar = group_.loaded(c_type(type->scalar), "@ = " + scalar + ";", place_);
  return spread(scalar, *type);
}

std::string CpeVectors::spread(const std::string& scalar, const VectorType& type) {
  if (type.lanes == 8) {
    return group_.loaded(type.name,
                         "@ = " + call(std::string("simd_vcpyf") + type.suffix(), {scalar}) + ";",
                         place_);
  }
  const std::vector<std::string> lanes(static_cast<std::size_t>(type.lanes), scalar);
  return group_.loaded(type.name, "@ = " + call("simd_set_" + type.name, lanes) + ";", place_);
}

std::string CpeVectors::load(const ir::VectorLoad& e) {
  const auto type = try_vector_type(e.type, machine_);
  if (const RegisterNames* registers = exprs_.registers_of(e.buffer->name)) {
    return registers->at(*e.buffer, e.indices);
  }
  const std::string from = address(*e.buffer, e.indices);
  if (e.stride_elems == 1) {
    const bool aligned =
        is_vector_aligned(*e.buffer, e.indices, type->lanes, near_alignment_bytes_);
    return group_.loaded(type->name, (aligned ? "simd_load(@, " : "simd_loadu(@, ") + from + ");",
                         place_);
  }
  if (e.stride_elems == 2 && type->lanes == kShuffledLanes && e.buffer->scope != "main") {
    return every_second(e, from, type->name);
  }
  std::vector<std::string> lanes;
  for (int lane = 0; lane < type->lanes; ++lane) {
    lanes.push_back("(" + from + ")[" + std::to_string(lane * e.stride_elems) + "]");
  }
  return group_.loaded(type->name, "@ = " + call("simd_set_" + type->name, lanes) + ";", place_);
}

std::string CpeVectors::every_second(const ir::VectorLoad& e, const std::string& from,
                                     const std::string& type) {
  const bool aligned =
      is_vector_aligned(*e.buffer, e.indices, kShuffledLanes, near_alignment_bytes_);
  const std::string low =
      group_.loaded(type, (aligned ? "simd_load(@, " : "simd_loadu(@, ") + from + ");", place_);
  const std::string high = group_.loaded(type, "simd_loadu(@, &(" + from + ")[3]);", place_);
  return named(call("simd_vshff", {high, low, "0xd8"}), type);
}

void CpeVectors::store(const ir::VectorStore& n) {
  place_ = n.where;
  if (loads_register(n)) return;
  store_value(n, value(n.value));
}

void CpeVectors::store_value(const ir::VectorStore& n, const std::string& text) {
  if (const RegisterNames* registers = exprs_.registers_of(n.buffer->name)) {
    const std::string name = registers->at(*n.buffer, n.indices);
    group_.add({n.where, name + " = " + group_.last_value(text) + ";", name});
  } else if (n.stride_elems != 1) {
    strided_store(n, text);
  } else {
    const int lanes = n.value.type().lanes.count;
    const char* operation = is_vector_aligned(*n.buffer, n.indices, lanes, near_alignment_bytes_)
                                ? "simd_store"
                                : "simd_storeu";
    const std::string line = call(operation, {text, address(*n.buffer, n.indices)}) + ";";
    group_.add({n.where, line, "", {}, /*is_effect=*/true});
  }
  stored_.push_back(place_of(*n.buffer, n.indices, n.value.type().lanes.count, n.stride_elems));
  stores_main_ = stores_main_ || n.buffer->scope == "main";
}

void CpeVectors::turned_square(const std::vector<const ir::VectorStore*>& stores,
                               std::size_t first) {
  is_used_ = true;
  bool waits = group_.num_loads() + kSquareLanes > kLoadsTogether;
  for (std::size_t k = 0; k < kSquareLanes; ++k) {
    waits = waits || has_to_wait(stores[first + k]->value);
  }
  if (waits) end_group(Scope::Own);
  const auto& load = stores[first]->value.as<ir::VectorLoad>();
  place_ = stores[first]->where;
  const std::string type = type_of(stores[first]->value).name;
  const std::string from = address(*load.buffer, load.indices);
  std::vector<std::string> rows;
  for (std::size_t k = 0; k < kSquareLanes; ++k) {
    const std::int64_t at = static_cast<std::int64_t>(k) * load.stride_elems;
    rows.push_back(
        group_.loaded(type, "simd_loadu(@, &(" + from + ")[" + std::to_string(at) + "]);", place_));
  }
  const auto shuffled = [](const std::string& high, const std::string& low, const char* lanes) {
    return call("simd_vshff", {high, low, lanes});
  };
  // Lanes 0 and 1 of two rows each, then 2 and 3; of both pairs of rows the even and the odd ones.
  const std::string low_first = named(shuffled(rows[1], rows[0], "0x44"), type);
  const std::string low_last = named(shuffled(rows[3], rows[2], "0x44"), type);
  const std::string high_first = named(shuffled(rows[1], rows[0], "0xee"), type);
  const std::string high_last = named(shuffled(rows[3], rows[2], "0xee"), type);
  store_value(*stores[first], named(shuffled(low_last, low_first, "0x88"), type));
  store_value(*stores[first + 1], named(shuffled(low_last, low_first, "0xdd"), type));
  store_value(*stores[first + 2], named(shuffled(high_last, high_first, "0x88"), type));
  store_value(*stores[first + 3], named(shuffled(high_last, high_first, "0xdd"), type));
}

bool CpeVectors::loads_register(const ir::VectorStore& n) {
  const RegisterNames* registers = exprs_.registers_of(n.buffer->name);
  const auto* from = n.value.as_or_null<ir::VectorLoad>();
  if (registers == nullptr || from == nullptr || from->stride_elems != 1 ||
      exprs_.registers_of(from->buffer->name) != nullptr) {
    return false;
  }
  is_used_ = true;
  const bool aligned = is_vector_aligned(*from->buffer, from->indices, from->type.lanes.count,
                                         near_alignment_bytes_);
  const std::string name = registers->at(*n.buffer, n.indices);
  const std::string line =
      call(aligned ? "simd_load" : "simd_loadu", {name, address(*from->buffer, from->indices)});
  group_.add({n.where, line + ";", name, {}, /*is_effect=*/true});
  stored_.push_back(place_of(*n.buffer, n.indices, n.value.type().lanes.count, n.stride_elems));
  return true;
}

void CpeVectors::strided_store(const ir::VectorStore& n, const std::string& value) {
  const VectorType type = type_of(n.value);
  const std::vector<std::string> lanes = lanes_of(named(value, type.name), type);
  const std::string to = address(*n.buffer, n.indices);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const auto at = static_cast<std::int64_t>(lane) * n.stride_elems;
    const std::string line = "(" + to + ")[" + std::to_string(at) + "] = " + lanes[lane] + ";";
    group_.add({n.where, line, "", {}, /*is_effect=*/true});
  }
}

std::string CpeVectors::named(const std::string& text, const std::string& type) {
  return group_.named(text, type, place_);
}

std::vector<std::string> CpeVectors::lanes_of(const std::string& variable, const VectorType& type) {
  std::vector<std::string> out;
  if (type.lanes == 4) {
    for (int lane = 0; lane < 4; ++lane) {
      out.push_back(call("simd_vextf" + std::to_string(lane), {variable}));
    }
    return out;
  }
  const std::string lanes = group_.array(c_type(type.scalar), type.lanes);
  group_.add({place_, call("simd_storeu", {variable, lanes}) + ";", lanes});
  for (int lane = 0; lane < type.lanes; ++lane) {
    out.push_back(lanes + "[" + std::to_string(lane) + "]");
  }
  return out;
}

std::string CpeVectors::address(const ir::BufferNode& buffer, const std::vector<Expr>& indices) {
  return "&" + exprs_.element(buffer, indices);
}

bool CpeVectors::has_to_wait(const Expr& value) const {
  const VectorReads reads = reads_of(value, exprs_);
  if (reads.has_main && stores_main_) return true;
  return std::any_of(stored_.begin(), stored_.end(), [&](const VectorPlace& stored) {
    return std::any_of(reads.places.begin(), reads.places.end(),
                       [&](const VectorPlace& read) { return may_meet(stored, read); });
  });
}

void CpeVectors::end_group(Scope scope) {
  group_.end(scope, loads_stand_);
  stored_.clear();
  stores_main_ = false;
}

}  // namespace solway::codegen
