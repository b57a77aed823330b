#!/bin/bash
# Builds Containerfile and runs the image, as root on Debian, where no container engine can run and no image registry
# answers: the steps of the file run in a chroot of a root file system that mmdebstrap or debootstrap makes, with the
# Node and npm of this machine in place of the official image; then the service, with a read-only root, as the image's
# user and without capabilities. Needs the tarball in release/ (npm run release -- --dry-run).
set -euo pipefail
cd "$(dirname "$0")/../.."
skip() { echo "skipped: $1" && exit 0; }
[ "$(id -u)" = 0 ] || skip "this is not root"
maker=$(command -v mmdebstrap || command -v debootstrap) || skip "neither mmdebstrap nor debootstrap is installed"
for program in unshare setpriv; do command -v "$program" >/dev/null || skip "$program is not installed"; done
unshare --mount true 2>/dev/null || skip "this machine lets root mount nothing"
if [ -z "${IN_NAMESPACE:-}" ]; then
  # What is mounted here ends with this process.
  IN_NAMESPACE=1 exec unshare --mount --pid --fork --kill-child bash "$PWD/scripts/deploy/try-container.sh"
fi
work=$(mktemp -d)
trap 'umount -R "$work"/*/proc "$work/mnt" 2>/dev/null || true; rm -rf "$work"' EXIT

# The stand-in for the base image.
base=$work/base
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
"$maker" --variant=minbase "$suite" "$base" >"$work/debian.log" 2>&1 ||
  skip "$maker makes no root file system: $(tail -1 "$work/debian.log")"
cp -L /etc/resolv.conf /etc/hosts "$base/etc/"
[ ! -d /etc/ssl/certs ] || { mkdir -p "$base/etc/ssl" && cp -aL /etc/ssl/certs "$base/etc/ssl/"; }
mkdir -p "$base/usr/local/lib/node_modules" "$base/usr/local/bin"
cp -aL "$(npm root -g)/npm" "$base/usr/local/lib/node_modules/npm"
node=$(node scripts/run.js -p process.execPath)
cp -L "$node" "$base/usr/local/bin/node"
libraries=$base/usr/lib/$(uname -m)-linux-gnu
ldd "$node" | awk '/libatomic|libstdc|libgcc_s/ { print $3 }' | xargs -I{} cp -L {} "$libraries/"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"

# The steps of the file, one a line.
stage=0 root='' names=() directory=/ user='' entry='' command='' health=''
environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
certificates=${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt}
words() { node -e 'console.log(JSON.parse(process.argv[1]).join("\n"))' "$1"; }
copy() {
  local owner='' from=$PWD paths
  while [[ $1 == --* ]]; do
    case $1 in
      --chown=*) owner=${1#--chown=} ;;
      --from=*) from=$work/stage-${1#--from=} ;;
      *) echo "COPY has $1, which is not known here" >&2 && exit 1 ;;
    esac
    shift
  done
  # shellcheck disable=SC2206 # The pattern is to be expanded.
  paths=("$from"/${1#/})
  if [ ${#paths[@]} != 1 ] || [ ! -e "${paths[0]}" ]; then
    echo "COPY $1: found ${paths[*]}, expected one path" >&2
    exit 1
  fi
  mkdir -p "$(dirname "$root$2")"
  if [ -d "${paths[0]}" ]; then
    mkdir -p "$root$2" && cp -a "${paths[0]}/." "$root$2/"
  else
    cp -a "${paths[0]}" "$root$2"
  fi
  [ -z "$owner" ] || chown -R "$owner" "$root$2"
}
step() {
  local name=$1 rest=$2
  case $name in
    ARG | VOLUME | EXPOSE | STOPSIGNAL) ;;
    FROM)
      stage=$((stage + 1)) directory=/ root=$work/stage-$stage
      [[ $rest != *" AS "* ]] || root=$work/stage-${rest##* AS }
      cp -a "$base" "$root" && mount -t proc proc "$root/proc"
      ;;
    WORKDIR) directory=$rest && mkdir -p "$root$rest" ;;
    # shellcheck disable=SC2086 # Its words.
    COPY) copy $rest ;;
    # shellcheck disable=SC2086 # None, or one.
    RUN)
      chroot "$root" /usr/bin/env -i -C "$directory" "${environment[@]}" $certificates /bin/sh -ec "$rest" \
        >>"$work/run.log" 2>&1
      ;;
    ENV) read -ra names <<<"$rest" && environment+=("${names[@]}") ;;
    USER) user=$rest ;;
    HEALTHCHECK) health=${rest##* CMD } ;;
    ENTRYPOINT) entry=$rest ;;
    CMD) command=$rest ;;
    *) echo "the Containerfile has $name, which is not known here" >&2 && exit 1 ;;
  esac
}
while read -r name rest; do
  step "$name" "$rest" || { tail -20 "$work/run.log" >&2; echo "$name $rest: failed" >&2; exit 1; }
  echo "step: $name $rest"
done < <(grep -v '^ *#' scripts/deploy/Containerfile | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' | grep .)
[ "$user" = 10001 ] || { echo "the image runs as \"$user\", expected 10001" >&2; exit 1; }
echo "image: $(du -smx "$root" | cut -f1) MiB, of which $(du -sm "$root/app" | cut -f1) in /app"

# The ports are free ones, because the trial shares the network of the machine.
environment+=(HOST=127.0.0.1 PORT=39390 ADMIN_PORT=39391)
mnt=$work/mnt
mkdir "$mnt"
mount --bind "$root" "$mnt"
mount -o remount,bind,ro "$mnt"
mount --bind "$root/var/lib/farm-prices" "$mnt/var/lib/farm-prices"
mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$mnt/tmp"
mount -t proc proc "$mnt/proc"
run=(chroot "$mnt" /usr/bin/setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --bounding-set=-all
  --inh-caps=-all /usr/bin/env -i -C "$directory" "${environment[@]}")
mapfile -t entry < <(words "$entry")
mapfile -t command < <(words "$command")
mapfile -t health < <(words "$health")
"${run[@]}" sh -c '! touch /app/written /etc/written 2>/dev/null' || { echo "the root can be written" >&2; exit 1; }
"${run[@]}" "${entry[@]}" keys issue --kind public --label trial --json >"$mnt/tmp/key.json"
"${run[@]}" "${entry[@]}" "${command[@]}" >"$mnt/tmp/out" 2>"$mnt/tmp/log" &
service=$!
"${run[@]}" "${health[@]}" --wait 60 || { cat "$mnt/tmp/log" >&2; exit 1; }
echo "health check: exit status 0"
"${run[@]}" "${entry[@]}" --version
"${run[@]}" node --input-type=module -e '
  import { readFileSync } from "node:fs";
  const { key } = JSON.parse(readFileSync("/tmp/key.json", "utf8"));
  const baseUrl = `http://127.0.0.1:${process.env.PORT}`;
  const answer = await fetch(`${baseUrl}/api/v1/counties/47`, { headers: { "X-API-Key": key } });
  const { data } = await answer.json();
  console.log(`node ${process.version}, uid ${process.getuid()}: GET /counties/47: ${answer.status} ${data.name}`);
  if (answer.status !== 200) process.exit(1);'
grep -E "CapEff|NoNewPrivs|Uid" "$mnt/proc/$service/status" | tr '\n\t' '  ' && echo
kill -TERM "$service"
wait "$service" && echo "SIGTERM: exit status 0"
if "${run[@]}" "${health[@]}" 2>/dev/null; then
  echo "the health check passes without a service" >&2
  exit 1
fi
echo "container: all as expected"
