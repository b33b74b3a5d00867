#!/usr/bin/env bash
# Runs clang-tidy 14 with .clang-tidy over all sources of the compiler, or over those that are named:
#
#   tools/run_clang_tidy.sh                      all
#   tools/run_clang_tidy.sh schedule/split.cpp   these
#   tools/run_clang_tidy.sh --since HEAD~40      those that have changed since that commit; all,
#                                                where a shallow clone does not have it
#
# BUILD names the build folder, build/dev by default, whose compile_commands.json is read.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build/dev}
[[ -f $build/compile_commands.json ]] || {
  echo "$build/compile_commands.json is not there: cmake --preset dev" >&2
  exit 1
}

sources=('*.cpp' ':!tests' ':!bench' ':!examples')
if [[ ${1:-} == --since ]] && git rev-parse --quiet --verify "$2^{commit}" >/dev/null; then
  mapfile -t files < <(git diff --name-only --diff-filter=d "$2" -- "${sources[@]}")
elif [[ $# -eq 0 || $1 == --since ]]; then
  mapfile -t files < <(git ls-files "${sources[@]}")
else
  files=("$@")
fi

if [[ ${#files[@]} -eq 0 ]]; then
  echo "clang-tidy: no file has changed"
  exit
fi

# Each file on its own, so that one output is not torn by another; only findings are shown. Flags that
# only GCC knows are no finding.
check_file() {
  local out
  out=$(clang-tidy-14 -p "$1" --quiet --extra-arg=-Wno-unknown-warning-option "$2" 2>/dev/null) || { echo "$out"; return 1; }
}
export -f check_file
printf '%s\0' "${files[@]}" |
  xargs -0 -P "$(nproc)" -I{} bash -c 'check_file "$@"' _ "$build" {} || {
  echo "clang-tidy: findings above" >&2
  exit 1
}
echo "clang-tidy: ${#files[@]} files"
