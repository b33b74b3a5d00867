#pragma once

#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Which kernels are drawn: for a machine with one core, or also what several do together.
enum class DrawnFor { OneCore, SeveralCores };

/// Draws kernels that use every node kind; the same seed gives the same kernel.
class RandomIr {
 public:
  explicit RandomIr(unsigned seed, DrawnFor cores = DrawnFor::OneCore)
      : random_(seed), cores_(cores) {}

  Kernel kernel() {
    Kernel k;
    k.name = "k";
    for (const auto& [name, type] : {std::pair("A", DType::Float32), std::pair("B", DType::Int8),
                                     std::pair("D", DType::Float64), std::pair("E", DType::Int32),
                                     std::pair("G", DType::Int64), std::pair("H", DType::Float16),
                                     std::pair("U", DType::UInt8), std::pair("S", DType::Int16)}) {
      buffers_.push_back(make_buffer(name, type, {8, 8}));
      k.params.push_back({buffers_.back(), static_cast<Role>(below(3))});
    }
    k.body = stmt(4);
    return k;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  DType dtype() { return static_cast<DType>(below(static_cast<int>(kLastDType) + 1)); }

  Expr literal(DType type) {
    if (is_float(type)) {
      constexpr double kInf = std::numeric_limits<double>::infinity();
      constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
      static constexpr double kSpecial[] = {0.0, -0.0, kInf, -kInf, kNan, 5e-324};
      if (below(3) == 0) return FloatImm::make(kSpecial[below(6)], type);
      std::uniform_real_distribution<double> any(-1e10, 1e10);
      return FloatImm::make(any(random_), type);
    }
    if (type == DType::Bool) return IntImm::make(below(2), type);
    if (type == DType::Int64 && below(4) == 0) return IntImm::make(INT64_MIN, type);
    return IntImm::make(type == DType::UInt8 ? below(256) : below(256) - 128, type);
  }

  Expr scalar(DType type, int depth) {
    const auto sub = [&](DType t) { return scalar(t, depth - 1); };
    switch (depth <= 0 ? below(2) : below(8)) {
      case 0:
        return literal(type);
      case 1:
        for (const auto& [name, t] : vars_) {
          if (t == type && below(2) == 0) return Var::make(name, {t, {}});
        }
        return literal(type);
      case 2: {
        if (arithmetic_type(type) != type) return Cast::make(sub(dtype()), type);
        if (type == DType::Bool) return Unary::make(UnaryOp::Not, sub(type));
        const int n = is_float(type) ? 15 : 2;
        static constexpr UnaryOp kOps[] = {UnaryOp::Neg, UnaryOp::Abs};
        const int pick = below(n);
        return Unary::make(pick < 2 ? kOps[pick] : static_cast<UnaryOp>(pick), sub(type));
      }
      case 3:
        if (type == DType::Bool) {
          const DType t = dtype() == DType::Int8 ? DType::Float32 : DType::Int64;
          return Binary::make(static_cast<BinaryOp>(9 + below(6)), sub(t), sub(t));
        }
        if (arithmetic_type(type) != type) return Cast::make(sub(dtype()), type);
        if (below(3) == 0) {
          static constexpr BinaryOp kFloats[] = {BinaryOp::Fmod, BinaryOp::Atan2, BinaryOp::Hypot};
          static constexpr BinaryOp kInts[] = {BinaryOp::BitXor, BinaryOp::ShiftLeft,
                                               BinaryOp::ShiftRight};
          return Binary::make(is_float(type) ? kFloats[below(3)] : kInts[below(3)], sub(type),
                              sub(type));
        }
        return Binary::make(is_float(type) ? static_cast<BinaryOp>(below(9)) : BinaryOp::FloorDiv,
                            sub(type), sub(type));
      case 4:
        return Select::make(sub(DType::Bool), sub(type), sub(type));
      case 5:
        return Cast::make(sub(dtype()), type);
      case 6:
        for (const Buffer& b : buffers_) {
          if (b->type == type) return Load::make(b, {sub(DType::Int64), sub(DType::Int64)});
        }
        return literal(type);
      default:
        if (type == DType::Bool || arithmetic_type(type) != type) return literal(type);
        return ReduceLanes::make(static_cast<ReduceOp>(below(4)), vector(type, depth - 1, lanes()));
    }
  }

  Lanes lanes() { return {2 << below(3), below(2) == 0}; }

  Expr vector(DType type, int depth, Lanes lanes) {
    switch (depth <= 0 ? 0 : below(4)) {
      case 1:
        if (!is_integer(type)) break;
        return Ramp::make(scalar(type, 1), scalar(type, 1), lanes);
      case 2:
        for (const Buffer& b : buffers_) {
          if (b->type != type) continue;
          const Expr active = below(2) == 0 ? scalar(DType::Int64, 1) : Expr();
          return VectorLoad::make(b, {scalar(DType::Int64, 1), literal(DType::Int64)}, 1 + below(3),
                                  lanes, active);
        }
        break;
      case 3:
        if (!takes(BinaryOp::Max, type)) break;
        return Binary::make(BinaryOp::Max, vector(type, depth - 1, lanes),
                            vector(type, depth - 1, lanes));
      default:
        break;
    }
    return Broadcast::make(scalar(type, 1), lanes);
  }

  std::string name() { return "v" + std::to_string(counter_++); }

  Stmt with_var(const std::string& var, DType type, const auto& make) {
    vars_.emplace_back(var, type);
    Stmt out = make(stmt(depth_));
    vars_.pop_back();
    return out;
  }

  std::vector<Expr> place() { return {scalar(DType::Int64, 1), scalar(DType::Int64, 2)}; }

  Stmt stmt(int depth) {
    depth_ = depth - 1;
    const Buffer& b = buffers_[static_cast<std::size_t>(below(5))];
    const std::string var = name();
    if (cores_ == DrawnFor::SeveralCores && below(8) == 0) {
      return Exchange::make({b, place(), static_cast<MeshLine>(below(2)), scalar(DType::Int64, 1),
                             1 + below(8), 1 + below(99), scalar(DType::Int64, 1)});
    }
    switch (depth <= 0 ? below(4) : below(10)) {
      case 0:
        return Store::make(b, place(), scalar(b->type, 3));
      case 1:
        return VectorStore::make(b, place(), 1 + below(3), vector(b->type, 3, lanes()),
                                 below(2) == 0 ? scalar(DType::Int64, 1) : Expr());
      case 2: {
        const Expr slot = below(2) == 0 ? scalar(DType::Int64, 1) : Expr();
        TransferIssue::Fields f{var,
                                static_cast<TransferDirection>(below(2)),
                                b,
                                place(),
                                b,
                                place(),
                                {},
                                slot,
                                slot.defined() ? 2 : 1};
        for (int d = below(3); d > 0; --d)
          f.dims.push_back({scalar(DType::Int64, 1), scalar(DType::Int64, 1), -1});
        return TransferIssue::make(f);
      }
      case 3:
        return TransferWait::make(var, below(2) == 0 ? scalar(DType::Int64, 1) : Expr());
      case 4:
      case 5: {
        const Expr begin = scalar(DType::Int64, 1);
        const Expr end = scalar(DType::Int64, 2);
        const auto kind = static_cast<ForKind>(below(4));
        return with_var(var, DType::Int64,
                        [&](Stmt body) { return For::make(var, begin, end, kind, body); });
      }
      case 6: {
        const Expr value = scalar(dtype(), 2);
        return with_var(var, value.type().scalar,
                        [&](Stmt body) { return Let::make(var, value, body); });
      }
      case 7: {
        const Expr condition = scalar(DType::Bool, 2);
        const Stmt then_body = stmt(depth - 1);
        return If::make(condition, then_body, below(2) == 0 ? stmt(depth - 1) : Stmt());
      }
      case 8: {
        const Buffer inner = make_buffer(var, b->type, {8, 8}, "ldm", below(2) * 64);
        buffers_.push_back(inner);
        const Stmt body = stmt(depth - 1);
        buffers_.pop_back();
        return Allocate::make(inner, body);
      }
      default: {
        std::vector<Stmt> stmts;
        for (int n = below(4); n > 0; --n) stmts.push_back(stmt(depth - 1));
        return Block::make(stmts);
      }
    }
  }

  std::mt19937 random_;
  DrawnFor cores_;
  std::vector<Buffer> buffers_;
  std::vector<std::pair<std::string, DType>> vars_;
  int counter_ = 0;
  int depth_ = 0;
};

}  // namespace solway::ir
