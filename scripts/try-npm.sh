#!/usr/bin/env bash
# Installs, starts, issues a key and runs a test file as a newcomer would, once for each version of npm that is named:
#   scripts/try-npm.sh 9.2.0 latest           each in a clone of its own, one after another
#   PATH=/opt/node-22/bin:$PATH scripts/try-npm.sh 10.9.4      with another Node
# The clones have what is committed. Exit status 1 when any of them has failed.
set -uo pipefail
[ $# -gt 0 ] || { echo "usage: npm run try -- npm VERSION…, for example 9.2.0 or latest" >&2; exit 2; }
project=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
service=
clean_up() {
  [ -z "$service" ] || kill "$service" 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
# What an npm around this script tells its scripts is not for the npm that is tried.
while IFS= read -r name; do unset "$name"; done < <(compgen -e | grep -i '^npm_config_' | grep -vi registry)
unset NODE_OPTIONS
path=$(tr ':' '\n' <<<"$PATH" | grep -v '/node_modules/.bin$' | paste -sd:)

fail() {
  echo "npm $version, Node $node: failed: $1" >&2
  tail -20 "$work/log" >&2
  return 1
}

# The npm of a version, $PATH begins with its folder: the folder of the clone has no say in which npm this is.
npm_folder() {
  cd "$work" && PATH=$path npx -y -p "npm@$1" -c 'dirname "$(command -v npm)"' 2>"$work/log" | tail -1
}

try() {
  local folder
  node=$(PATH=$path node --version)
  folder=$(npm_folder "$1") && [ -n "$folder" ] || { fail "npx cannot get this npm"; return 1; }
  export PATH=$folder:$path
  version=$(npm --version)
  cd "$work" && rm -rf "$work/a clone" && git clone --quiet "$project" "$work/a clone" && cd "$work/a clone" || return 1

  npm ci --no-audit --no-fund >"$work/log" 2>&1 || { fail "npm ci"; return 1; }
  # Two development packages ask for npm 10.
  [[ $version = 9.* ]] || ! grep -q EBADENGINE "$work/log" || { fail "npm ci warns of versions of Node"; return 1; }

  key=$(npm run --silent keys -- issue --kind public --label trial --json 2>"$work/log" | grep -o 'svc_pub_[^"]*') ||
    { fail "npm run keys"; return 1; }
  PORT=0 ADMIN_PORT=0 npm start >"$work/out" 2>"$work/log" &
  service=$!
  for _ in $(seq 600); do
    url=$(grep -o 'listening on http.*' "$work/out") && break
    kill -0 "$service" 2>/dev/null || break
    sleep 0.1
  done
  url=${url#listening on }
  curl --silent --fail --max-time 10 -H "X-API-Key: $key" "$url/api/v1/counties/47" | grep -q Nairobi ||
    { fail "npm start"; return 1; }
  kill -TERM "$service"
  wait "$service" || { fail "npm start does not end with exit status 0"; return 1; }
  service=

  npm test -- test/engine/query/page.test.ts >"$work/log" 2>&1 || { fail "npm test"; return 1; }
  echo "npm $version, Node $node: installs, starts, issues a key, tests"
}

status=0
for wanted in "$@"; do
  version=$wanted
  try "$wanted" || status=1
  [ -z "$service" ] || { kill "$service" 2>/dev/null; wait "$service"; service=; }
done
exit $status
