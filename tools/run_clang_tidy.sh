#!/usr/bin/env bash
# Runs clang-tidy 14 with .clang-tidy over all sources of the compiler, or over those that are named:
#
#   tools/run_clang_tidy.sh                      all
#   tools/run_clang_tidy.sh schedule/split.cpp   these
#
# BUILD names the build folder, build/dev by default, whose compile_commands.json is read.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build/dev}
[[ -f $build/compile_commands.json ]] || {
  echo "$build/compile_commands.json is not there: cmake --preset dev" >&2
  exit 1
}

files=("$@")
if [[ ${#files[@]} -eq 0 ]]; then
  mapfile -t files < <(git ls-files '*.cpp' ':!tests' ':!bench' ':!examples')
fi

# Each file on its own, so that one output is not torn by another; only findings are shown.
check_file() {
  local out
  out=$(clang-tidy-14 -p "$1" --quiet "$2" 2>/dev/null) || { echo "$out"; return 1; }
}
export -f check_file
printf '%s\0' "${files[@]}" |
  xargs -0 -P "$(nproc)" -I{} bash -c 'check_file "$@"' _ "$build" {} || {
  echo "clang-tidy: findings above" >&2
  exit 1
}
echo "clang-tidy: ${#files[@]} files"
