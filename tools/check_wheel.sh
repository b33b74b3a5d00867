#!/usr/bin/env bash
# Builds the wheel, installs it into a fresh virtual environment and runs a program there on every
# target that the installed package lists. Nothing of the source tree is on the path of that run.
#
#   tools/check_wheel.sh                  the Release build that `pip install .` makes
#
# The build tools are those of .venv, so that only NumPy (pinned) comes from the package index.
# Objects come from ccache when it is there.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=$root/.venv/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

start=$SECONDS
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
SKBUILD_BUILD_DIR=build/wheel "$python" -m pip wheel -q --disable-pip-version-check \
  --no-build-isolation --no-deps -w "$work/wheel" .
echo "wheel: $((SECONDS - start)) s, $(du -h "$work"/wheel/*.whl | cut -f1) ($(basename "$work"/wheel/*.whl))"

# What has to be in it besides the Python files, and what must not.
listing=$("$python" -m zipfile -l "$work"/wheel/*.whl)
for file in solway/_core solway/py.typed solway/_core.pyi solway/solway-emulator-worker \
  solway/include/sw26010/athread.h solway/include/sw26010/slave.h solway/include/sw26010/dma.h \
  solway/include/sw26010pro/crts.h solway/include/generic/scratchpad.h LICENSE \
  solway/licenses/isl.txt solway/licenses/imath.txt; do
  grep -qF "$file" <<<"$listing" || { echo "the wheel lacks $file" >&2; exit 1; }
done
[[ $(grep -cE '^solway/_core\..*\.so ' <<<"$listing") -eq 1 ]] ||
  { echo "the wheel must hold exactly one extension module" >&2; exit 1; }

start=$SECONDS
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install -q --disable-pip-version-check -c requirements-dev.txt \
  "$work"/wheel/*.whl
echo "installed: $((SECONDS - start)) s"

# From elsewhere, with nothing but the new environment: the installed copies must be found.
cd "$work"
start=$SECONDS
env -u PYTHONPATH "$work/venv/bin/python" "$root/tools/wheel_program.py" "$root"
env -u PYTHONPATH "$work/venv/bin/solway" doctor
env -u PYTHONPATH "$work/venv/bin/solway" targets
echo "ran: $((SECONDS - start)) s"
