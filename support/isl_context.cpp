#include "support/isl_context.h"

#include <string>

#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/version.h>

#include "support/analysis_limit.h"
#include "support/error.h"

namespace solway {

std::string isl_version() {
  // "isl-0.25-GMP", a line
  const std::string line = ::isl_version();
  const std::string name = "isl-";
  const std::size_t begin = line.rfind(name, 0) == 0 ? name.size() : 0;
  return line.substr(begin, line.find('\n') - begin);
}

IslContext::IslContext() : ctx_(isl_ctx_alloc()) {
  if (ctx_ == nullptr) {
    throw InternalError({{}, "no isl context could be made", "isl_ctx_alloc gave null", ""});
  }
  isl_options_set_on_error(ctx_, ISL_ON_ERROR_CONTINUE);
}

IslContext::~IslContext() { isl_ctx_free(ctx_); }

namespace {

/// The context, in which no budget scope may be open.
isl_ctx* without_budget(const isl::ctx& ctx) {
  isl_ctx* const raw = isl::ctx(ctx).get();
  const unsigned long present = isl_ctx_get_max_operations(raw);
  if (present == 0) return raw;
  throw InternalError({{},
                       "isl budget scopes do not nest",
                       "a scope of " + std::to_string(present) + " operations is open",
                       ""});
}

}  // namespace

IslBudget::IslBudget(const isl::ctx& ctx, unsigned long max_operations)
    : ctx_(without_budget(ctx)) {
  isl_ctx_reset_operations(ctx_);
  start_clock(ctx_, max_operations, &isl_ctx_set_max_operations);
}

IslBudget::~IslBudget() {
  stop_clock(ctx_);
  isl_ctx_reset_operations(ctx_);
  isl_ctx_reset_error(ctx_);
}

}  // namespace solway
