#!/usr/bin/env bash
# Builds isl 0.25 into .isl: a static library whose numbers are integers of the machine as long as
# they are small. Debian's keeps every number in memory of its own (GMP); what it proves, it proves
# in twice the time (docs/adr/0008-own-build-of-isl.md).
#
#   tools/build_isl.sh                    the release's tar file from a mirror of Debian
#   tools/build_isl.sh isl-0.25.tar.xz    from a tar file that is there
#
# Safe to repeat; quick when it is built. Leaves the system as it is.
set -euo pipefail

explain_usage() { echo "usage: tools/build_isl.sh [isl-0.25.tar.xz]" >&2; exit 2; }
[[ $# -le 1 ]] || explain_usage
[[ $# -eq 0 ]] || { [[ -r "$1" ]] || { echo "cannot read '$1'" >&2; explain_usage; }; given=$(realpath "$1"); }
cd "$(dirname "$0")/.."

readonly hash=be7b210647ccadf90a2f0b000fca11a4d40546374a850db67adb32fad4b230d9
readonly file=pool/main/i/isl/isl_0.25.orig.tar.xz
readonly place=$PWD/.isl
readonly flags=(--with-int=imath-32 --with-clang=no --enable-static --disable-shared --with-pic)
compiler=(cc)
[[ -x "$(command -v ccache)" ]] && compiler=(ccache cc)

wanted=$(cc --version | head -1; uname -m; sha256sum <tools/build_isl.sh)
if [[ -f "$place/stamp" && "$(cat "$place/stamp")" == "$wanted" ]]; then exit 0; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

# From the mirrors that this system installs from; the hash makes sure that it is the release.
download() {
  local helper=/usr/lib/apt/apt-helper mirror
  [[ -x "$helper" ]] || return 1
  for mirror in $(apt-get indextargets --format '$(REPO_URI)' | sort -u) http://deb.debian.org/debian/; do
    "$helper" download-file "$mirror$file" "$work/isl.tar.xz" "SHA256:$hash" >>"$work/download.log" 2>&1 && return
  done
  cat "$work/download.log" >&2
  return 1
}

if [[ -n "${given:-}" ]]; then
  cp "$given" "$work/isl.tar.xz"
elif ! download; then
  cat >&2 <<TEXT
isl 0.25 could not be fetched. Download isl-0.25.tar.xz (https://libisl.sourceforge.io), then run
  tools/build_isl.sh isl-0.25.tar.xz
To build with the isl of the system instead, which takes twice as long for its proofs, install it
and configure with -DSOLWAY_SYSTEM_ISL=ON.
TEXT
  exit 1
fi
echo "$hash  $work/isl.tar.xz" | sha256sum --check --quiet || {
  echo "this is not the tar file of isl 0.25: its SHA-256 is not $hash" >&2
  exit 1
}

echo "building isl 0.25 (a minute or two)"
mkdir "$work/source" "$work/build"
tar -xf "$work/isl.tar.xz" -C "$work/source" --strip-components=1
(
  cd "$work/build" # -O3 is no faster
  ../source/configure -q "${flags[@]}" CC="${compiler[*]}" CFLAGS=-O2
  make -s gitversion.h
  make -s -j "$(nproc)" libisl.la
) >"$work/build.log" 2>&1 || { tail -40 "$work/build.log" >&2; exit 1; }

rm -rf "$place"
mkdir -p "$place/lib" "$place/include/isl" "$place/licenses"
cp "$work/build/.libs/libisl.a" "$place/lib"
cp "$work/source/include/isl/"*.h "$work/build/include/isl/"*.h "$place/include/isl"
cp "$work/source/LICENSE" "$place/licenses/isl.txt"
sed '/\*\//q' "$work/source/imath/imath.c" >"$place/licenses/imath.txt"
echo "$wanted" >"$place/stamp"
