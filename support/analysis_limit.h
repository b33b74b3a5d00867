#pragma once

#include <optional>
#include <string>

struct isl_ctx;

/// The clock behind the budgets of isl operations. Operations decide the same on every machine, but
/// a million of them can take 0.2 s or 6 s; the clock only ever ends an analysis undecided. It is
/// the processor time of the thread, so that a busy machine does not change what is decided.
namespace solway {

/// Seconds of processor time for one proof: what this thread was given, else
/// SOLWAY_ANALYSIS_SECONDS of the environment, or 20. A value of the environment that is no
/// positive number counts as absent.
double analysis_seconds();

/// Gives the proofs of this thread their time; nullopt leaves it to the environment. Returns what
/// they had.
std::optional<double> exchange_analysis_seconds(std::optional<double> seconds);

/// Sets how many operations a context may do; 0: no bound.
using SetOperations = void (*)(isl_ctx* ctx, unsigned long max_operations);

/// Within its scope, on this thread, every IslBudget has at most `max_operations`, and all of them
/// together end after `seconds` of processor time. For work whose result may be missing, such as a
/// suggestion.
class AnalysisLimit {
 public:
  AnalysisLimit(unsigned long max_operations, double seconds);
  ~AnalysisLimit();
  AnalysisLimit(const AnalysisLimit&) = delete;
  AnalysisLimit& operator=(const AnalysisLimit&) = delete;

  bool is_over() const;

 private:
  friend void start_clock(isl_ctx* ctx, unsigned long max_operations, SetOperations set);
  unsigned long max_operations_;
  double end_seconds_;  ///< on the thread's clock
  AnalysisLimit* outer_;
};

/// Gives `ctx` its operations (0: no bound), or what an AnalysisLimit leaves of them, and takes
/// them away when the time of one proof is over.
void start_clock(isl_ctx* ctx, unsigned long max_operations, SetOperations set);
/// Lifts the bound; afterwards nothing touches `ctx`.
void stop_clock(isl_ctx* ctx) noexcept;

/// What ended the last budget scope of this thread that was exhausted: "1000000 operations", or
/// "20 s of processor time (SOLWAY_ANALYSIS_SECONDS)" when it was the clock. `max_operations` is
/// what it had.
std::string exhausted_bound(unsigned long max_operations);

}  // namespace solway
