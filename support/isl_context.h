#pragma once

#include <string>

#include <isl/cpp.h>

namespace solway {

/// Release and integers of the isl that this program runs with: "0.25-IMath-32", "0.25-GMP".
std::string isl_version();

/// Owns one isl context with errors as exceptions. Declare it before every isl object made in it.
/// A context and its objects belong to one thread.
class IslContext {
 public:
  IslContext();
  ~IslContext();
  IslContext(const IslContext&) = delete;
  IslContext& operator=(const IslContext&) = delete;

  isl::ctx get() const { return isl::ctx(ctx_); }

 private:
  isl_ctx* ctx_;
};

/// Order primitives; about 0.2 s.
inline constexpr unsigned long kOrderBudget = 1'000'000;
/// Program primitives, and the order test's fallback.
inline constexpr unsigned long kProgramBudget = 10'000'000;

/// Bounds the isl work done in this scope to `max_operations` (0: no bound) and to what
/// analysis_seconds allows; then isl throws isl::exception_quota. Scopes do not nest. Build sets
/// and maps from strings before entering: the parser calls an exhausted budget a syntax error.
class IslBudget {
 public:
  IslBudget(const isl::ctx& ctx, unsigned long max_operations);
  ~IslBudget();
  IslBudget(const IslBudget&) = delete;
  IslBudget& operator=(const IslBudget&) = delete;

 private:
  isl_ctx* ctx_;
};

}  // namespace solway
