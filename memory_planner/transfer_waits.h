#pragma once

#include <cstddef>
#include <vector>

#include "memory_planner/plan_cost.h"
#include "support/target.h"

/// What a core waits for of transfers that have something to hide behind, and what is hidden of
/// those that have one region. `depths` are the regions of each tensor's buffer, `overlap` says
/// whose transfers are all on their way while something else is done.
namespace solway::memory_planner {

/// Cycles for which cores wait behind tensors that come more seldom than others. The engine serves
/// requests in turn. What moves rarely, moves much at once for all cores, and the
/// next tile of what moves often is behind it: no more than one of its steps is there to hide that.
double bursts_of(double computing, const std::vector<TensorCost>& tensors,
                 const std::vector<bool>& overlap);

/// How much of each tensor's transfers a core waits for that has something else to do meanwhile: it
/// stands at the request that its channel has no room for. The channel is that of all tensors:
/// those that have room in it alone need not have it together, and those that come more seldom are
/// in it as often. What is on its way of others is waited for, too, each time that one finds no
/// room.
std::vector<double> shares_seen(const TransferEngine& engine,
                                const std::vector<TensorCost>& tensors,
                                const std::vector<bool>& overlap);

/// Cycles of a tensor that has one region in which it is loaded while nothing uses it: the requests
/// after the last one that found no room are on their way then. The first tile of each series is
/// not. What is turned is asked for before the next tiles of what has two regions, and these find
/// the channel as it leaves it.
double loaded_early(const TransferEngine& engine, const std::vector<TensorCost>& tensors,
                    const std::vector<int>& depths, std::size_t loaded, double computing);

/// How much of what a tensor's buffers put is waited for: what is read into one region next stands
/// behind it, but for tiles that were asked for before.
double share_read_behind(const std::vector<TensorCost>& tensors, const std::vector<int>& depths,
                         double put_rounds);

/// How much of what the one region of a tensor puts is waited for, as the first regions of passes
/// that begin behind it are.
double share_begun_behind(const std::vector<TensorCost>& tensors, const std::vector<int>& depths,
                          double put_rounds);

/// How much of what a tensor's buffers put is waited for, as it takes the room of requests that run
/// ahead in the same loop: a core stands at the first one for which there is none until that is
/// complete.
double share_crowded(const TransferEngine& engine, const std::vector<TensorCost>& tensors,
                     const std::vector<int>& depths, std::size_t put);

}  // namespace solway::memory_planner
