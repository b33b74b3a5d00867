#!/usr/bin/env bash
# Installs what solway needs to build and test: Debian 12 packages, isl in .isl, and a virtual
# environment .venv with the pinned packages of requirements-dev.txt. Safe to repeat; quick when
# nothing is missing.
#
# Without root, or on another system, it says what to install and exits with 1. When the
# prerequisites are there under other names, SOLWAY_SYSTEM_PACKAGES=skip leaves them alone.
set -euo pipefail
cd "$(dirname "$0")/.."

# The release of Debian and the versions in the names (llvm-19) pin what matters; Debian's
# updates within a release come in.
packages=(
  make cmake ninja-build ccache g++ pkg-config git ca-certificates
  llvm-19-dev liblld-19-dev clang-19 xz-utils libtomlplusplus-dev
  libgtest-dev libgmock-dev zlib1g-dev libzstd-dev libxml2-dev libopenblas-dev libdnnl-dev
  clang-format-14 clang-tidy-14
  python3-dev python3-venv chromium-headless-shell
  qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-riscv64-linux-gnu
  libc6-dev-riscv64-cross
)

explain_other_system() {
  cat >&2 <<TEXT
This is not Debian 12, so nothing was installed. solway builds with:
  CMake 3.25 or later, Ninja, ccache, pkg-config, a C++20 compiler (GCC 12 or later)
  LLVM and LLD 19.1 with their static libraries and LLVM's CMake files, clang 19
  toml++ 3.3, GoogleTest 1.12 with its CMake files
  zlib, zstd and libxml2 (LLVM links them)
  OpenBLAS, oneDNN 2 (comparisons and their tests only)
  Python 3.11 or later with headers and the venv module
  clang-format 14 and clang-tidy 14 (checks only)
  QEMU's user emulators and GCC with a C library for AArch64 and RISC-V (kernels for these
    processors are run with them; their tests are skipped without them)
  Chromium (tests that draw the reports; they are skipped without it)
On Debian 12 these are the packages:
  ${packages[*]}
Beside them, isl 0.25 is built from its tar file: see tools/build_isl.sh.
Install them, then run again with SOLWAY_SYSTEM_PACKAGES=skip.
TEXT
  exit 1
}

install_system_packages() {
  local id="" version=""
  if [[ -r /etc/os-release ]]; then
    id=$(. /etc/os-release && echo "${ID:-}")
    version=$(. /etc/os-release && echo "${VERSION_ID:-}")
  fi
  [[ "$id" == debian && "$version" == 12 ]] || explain_other_system

  local installed missing=()
  installed=$(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' |
    sed -n 's/^\([^: ]*\)[^ ]* installed$/\1/p')
  for package in "${packages[@]}"; do
    grep -qxF "$package" <<<"$installed" || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return

  if [[ $(id -u) -ne 0 ]]; then
    echo "These Debian packages are missing, and installing them needs root. Run:" >&2
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    echo "then run this again." >&2
    exit 1
  fi
  echo "installing ${#missing[@]} Debian packages: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# The stamp holds what the environment was made from, so that a change of it makes it anew.
install_python_packages() {
  local python=/usr/bin/python3
  [[ "${SOLWAY_SYSTEM_PACKAGES:-install}" == skip ]] && python=$(command -v python3)
  local wanted
  wanted=$("$python" --version; pwd; cat requirements-dev.txt)
  if [[ -f .venv/solway-stamp && "$(cat .venv/solway-stamp)" == "$wanted" ]]; then return; fi

  echo "making .venv with the packages of requirements-dev.txt"
  rm -rf .venv
  "$python" -m venv .venv
  .venv/bin/python -m pip install -q --disable-pip-version-check -r requirements-dev.txt
  # With this, `.venv/bin/python -c "import solway"` finds python/solway from anywhere.
  pwd | sed 's|$|/python|' >"$(.venv/bin/python -c 'import site; print(site.getsitepackages()[0])')/solway.pth"
  echo "$wanted" >.venv/solway-stamp
}

[[ "${SOLWAY_SYSTEM_PACKAGES:-install}" == skip ]] || install_system_packages
tools/build_isl.sh
install_python_packages
