#!/bin/sh
# Runs a command of Engawa with the Node of this folder: ./engawa start, ./engawa --help
# It uses only the shell itself, because a small system may have no other program.
set -eu
here=$(cd -- "${0%/*}" && pwd -P)
node=$here/lib/node
# A small system may have no C++ library. Then those of this folder are used.
if ! "$node" --version >/dev/null 2>&1; then
  LD_LIBRARY_PATH=$here/lib/cxx${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
fi
# The command of an installed Engawa names the file of settings. Variables that are already set have precedence.
# Young objects may take 64 MB of memory instead of 128.
exec "$node" --max-semi-space-size=32 ${ENGAWA_SETTINGS:+"--env-file=$ENGAWA_SETTINGS"} "$here/lib/dist/engawa.mjs" "$@"
