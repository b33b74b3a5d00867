#include "memory_planner/transfer_waits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace solway::memory_planner {
namespace {

/// How much of what is on its way a core waits for that has something else to do meanwhile: it
/// stands at the request that its channel has no room for.
double share_seen(const TransferEngine& engine, double requests) {
  return std::max(0.0, 1 - static_cast<double>(engine.max_pending) / requests);
}

/// The same of a tensor whose whole tiles take so many requests.
double share_seen(const TransferEngine& engine, const TensorCost& one, double requests) {
  const double cut = one.cut > 0 ? one.cut * share_seen(engine, one.rows) : 0;
  return (1 - one.cut) * share_seen(engine, requests) + cut;
}

}  // namespace

double bursts_of(double computing, const std::vector<TensorCost>& tensors,
                 const std::vector<bool>& overlap) {
  double often = 1;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (overlap[t]) often = std::max(often, tensors[t].my_parts * tensors[t].rounds);
  }
  double out = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const double mine = tensors[t].my_parts * tensors[t].rounds;
    if (!overlap[t] || mine >= often) continue;
    out += std::max(0.0, tensors[t].got + tensors[t].put - computing * mine / often);
  }
  return out;
}

std::vector<double> shares_seen(const TransferEngine& engine,
                                const std::vector<TensorCost>& tensors,
                                const std::vector<bool>& overlap) {
  const auto times = [&](std::size_t other, std::size_t t) {
    return std::min(1.0, tensors[other].rounds / tensors[t].rounds);
  };
  const auto has_room_alone = [&](std::size_t t) {
    return overlap[t] && tensors[t].cut == 0 && tensors[t].requests <= engine.max_pending;
  };
  std::vector<double> own(tensors.size(), 0);
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (!overlap[t]) continue;
    double requests = tensors[t].requests;
    for (std::size_t other = 0; other < tensors.size(); ++other) {
      const bool is_beside = other != t && has_room_alone(t) && has_room_alone(other);
      if (is_beside) requests += times(other, t) * tensors[other].requests;
    }
    own[t] = share_seen(engine, tensors[t], requests);
  }
  std::vector<double> out = own;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    for (std::size_t other = 0; other < tensors.size(); ++other) {
      out[t] = std::max(out[t], own[other] * times(other, t));
    }
  }
  return out;
}

namespace {

/// How many requests are made right behind those of a tensor that is loaded into one region, for
/// what has two: what moves more seldom is there as often.
double requests_behind(const std::vector<TensorCost>& tensors, const std::vector<int>& depths,
                       double rounds) {
  double out = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const TensorCost& one = tensors[t];
    if (depths[t] != 2 || one.got == 0) continue;
    const double requests = (1 - one.cut) * one.requests + one.cut * one.rows;
    out += std::min(1.0, one.rounds / rounds) * requests;
  }
  return out;
}

/// How much of a transfer of so many requests is waited for at the last one of those behind it.
double share_seen(const TransferEngine& engine, double requests, double behind) {
  return std::clamp((requests + behind - static_cast<double>(engine.max_pending)) / requests, 0.0,
                    1.0);
}

}  // namespace

double loaded_early(const TransferEngine& engine, const std::vector<TensorCost>& tensors,
                    const std::vector<int>& depths, std::size_t loaded, double computing) {
  const TensorCost& one = tensors[loaded];
  const bool is_turned = std::isinf(one.unused);
  const double behind = is_turned ? requests_behind(tensors, depths, one.rounds) : 0;
  const double cut = one.cut > 0 ? one.cut * share_seen(engine, one.rows, behind) : 0;
  const double seen = (1 - one.cut) * share_seen(engine, one.requests, behind) + cut;
  const double mine = one.my_parts * one.rounds;
  const double later = (one.series - 1) / one.series;
  const double moved = one.got * (1 - seen) + mine * one.get_start;
  return std::min(std::min(one.unused, computing), moved) * later;
}

double share_read_behind(const std::vector<TensorCost>& tensors, const std::vector<int>& depths,
                         double put_rounds) {
  double out = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const TensorCost& one = tensors[t];
    if (depths[t] != 1 || one.got == 0 || std::isinf(one.unused)) continue;
    const double behind = one.unused == 0 ? one.rounds : one.rounds / one.series - 1;
    out = std::max(out, behind / put_rounds);
  }
  return std::min(1.0, out);
}

double share_begun_behind(const std::vector<TensorCost>& tensors, const std::vector<int>& depths,
                          double put_rounds) {
  double out = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const TensorCost& one = tensors[t];
    const double passes = one.rounds / one.series;
    if (depths[t] != 0 && one.got > 0 && passes > 1) out = std::max(out, passes / put_rounds);
  }
  return std::min(1.0, out);
}

double share_crowded(const TransferEngine& engine, const std::vector<TensorCost>& tensors,
                     const std::vector<int>& depths, std::size_t put) {
  const double room = engine.max_pending;
  const double puts = std::min(room, tensors[put].requests);
  const auto crowded = [&](double gets) {
    return std::clamp((std::min(room, gets) + puts - room) / puts, 0.0, 1.0);
  };
  double out = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const TensorCost& one = tensors[t];
    const bool runs_ahead = depths[t] == 2 && one.got > 0 && one.series == one.rounds;
    if (t == put || !runs_ahead) continue;
    const double share =
        (1 - one.cut) * crowded(one.requests) + (one.cut > 0 ? one.cut * crowded(one.rows) : 0);
    out = std::max(out, share * std::min(1.0, one.rounds / tensors[put].rounds));
  }
  return out;
}

}  // namespace solway::memory_planner
