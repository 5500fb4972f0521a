#!/bin/sh
# Runs a command of Engawa with the Node of this folder: ./engawa start, ./engawa --help
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
node=$here/lib/node
# A small system may have no C++ library. Then those of this folder are used.
if ! "$node" --version >/dev/null 2>&1; then
  LD_LIBRARY_PATH=$here/lib/cxx${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
fi
exec "$node" "$here/lib/dist/engawa.mjs" "$@"
