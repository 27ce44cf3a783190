#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh <this folder> <a folder to install into> <waitscope-cli>: ends with 77 and a reason where the peers cannot be had.
set -euo pipefail
here=$1 work=$2 cli=$3

skip() { echo "SKIPPED: $1"; exit 77; }
command -v node >/dev/null || skip "Node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 20 ] || skip "Node $major is too old, 20 is needed"

# Nothing is written into the source; what is installed already stays.
mkdir -p "$work"
cp "$here"/package.json "$here"/package-lock.json "$here"/.npmrc "$here"/*.mjs "$work"/
cd "$work"
if ! cmp -s package-lock.json installed.lock || [ ! -d node_modules ]; then
    npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1 || skip "the clients cannot be installed: $(tail -n 1 npm.log)"
    cp package-lock.json installed.lock
fi
WAITSCOPE_CLI=$cli exec node --test peers.test.mjs
