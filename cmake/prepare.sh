# Sourced by tests/run, apps/run and .ci/run: installs what is missing, configures, builds. What they say goes to stderr, one short line a step.
# shellcheck shell=bash

weir_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'weir: %s\n' "$*" >&2; }
fail() {
  printf 'weir: %s\n' "$*" >&2
  exit 1
}

# need_packages GROUP...: installs the packages of cmake/debian-packages which are missing.
need_packages() {
  command -v dpkg-query >/dev/null || return 0 # not Debian: CMake names what it does not find
  local group package provides reason wanted="" missing="" log
  while read -r group package provides reason; do
    [[ -n $group && $group != \#* && " $* " == *" $group "* ]] || continue
    [[ $provides != - ]] && command -v "$provides" >/dev/null && continue
    wanted+=" $package"
  done <"$weir_root/cmake/debian-packages"
  [[ -n $wanted ]] || return 0
  # shellcheck disable=SC2086
  missing=$(comm -23 <(printf '%s\n' $wanted | sort) \
    <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p' | sort) | tr '\n' ' ')
  missing=${missing% }
  [[ -n $missing ]] || return 0

  local as_root=()
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null || fail "not root, and no sudo to install what is missing; run as root: apt-get install $missing"
    as_root=(sudo)
  fi
  say "installing $missing"
  [[ $missing != *libboost1.81-dev* ]] || ! dpkg-query -W libboost1.74-dev >/dev/null 2>&1 ||
    say "libboost1.81-dev takes the place of libboost1.74-dev (Debian allows one of them)"
  mkdir -p "$weir_root/build"
  log=$weir_root/build/apt.log
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null >"$log" 2>&1 ||
    say "apt-get update failed ($(tail -n 1 "$log")); trying with the package lists as they are"
  # shellcheck disable=SC2086
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing </dev/null >>"$log" 2>&1 ||
    fail "could not install $missing: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log") (all of it: $log)"
}

# configure PRESET [-DNAME=VALUE...]: only when that was not done, or the presets are newer.
configure() {
  local preset=$1 build="$weir_root/build/$1" log="$weir_root/build/$1/configure.log"
  shift
  [[ $# -eq 0 && -f $build/build.ninja && $build/configured -nt $weir_root/CMakePresets.json ]] && return
  say "configuring $preset"
  mkdir -p "$build"
  if ! (cd "$weir_root" && cmake --preset "$preset" "$@") </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    fail "configuring $preset failed: $(grep -m 1 -A 3 '^CMake Error' "$log" | tail -n +2 | tr -s ' \n' ' ' || true)(all of it: $log)"
  fi
  touch "$build/configured"
}

# build PRESET [TARGET...]: all of it without targets.
build() {
  local preset=$1 quiet=() targets=()
  shift
  [[ $# -eq 0 ]] || targets=(--target "$@")
  [[ -t 2 ]] || quiet=(-- --quiet)
  say "building $preset${1:+ ($*)}"
  (cd "$weir_root" && NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" "${targets[@]}" "${quiet[@]}") </dev/null >&2 ||
    fail "building $preset failed: the first error is above"
}
