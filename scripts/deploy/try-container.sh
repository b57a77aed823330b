#!/bin/bash
# Builds Containerfile and runs the image, as root on Debian, where no container engine can run and no image registry
# answers: buildah executes the steps of the file in a chroot, on base images that debootstrap makes here; the image
# then runs in a chroot of a mount namespace, with a read-only root, as the image's user and without capabilities.
# Needs: apt-get install buildah crun debootstrap. DEBIAN_ROOT names a folder in which debootstrap has run already.
set -euo pipefail
cd "$(dirname "$0")/../.."
for program in buildah debootstrap unshare setpriv; do
  command -v "$program" >/dev/null && continue
  echo "skipped: $program is not installed (apt-get install buildah crun debootstrap)"
  exit 0
done
work=$(mktemp -d)
clean_up() {
  buildah umount --all >/dev/null 2>&1 || true
  umount -R "$work/store/overlay" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
buildah() { command buildah --root "$work/store" --runroot "$work/run" "$@"; }

debian=${DEBIAN_ROOT:-$work/debian}
[ -e "$debian/etc/debian_version" ] || debootstrap --variant=minbase trixie "$debian" >"$work/debootstrap.log"

# Stand-ins for the two base images: Debian itself, and Debian with the Node and npm of this machine.
image=$(buildah from scratch)
root=$(buildah mount "$image")
cp -a "$debian/." "$root/"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
[ ! -d /etc/ssl/certs ] || { mkdir -p "$root/etc/ssl" && cp -aL /etc/ssl/certs "$root/etc/ssl/"; }
buildah umount "$image" >/dev/null
buildah commit -q "$image" localhost/debian-stand-in >/dev/null
root=$(buildah mount "$image")
npm=$(npm root -g)/npm
mkdir -p "$root/usr/local/lib/node_modules" "$root/usr/local/bin" "$root/usr/lib/x86_64-linux-gnu"
cp -aL "$npm" "$root/usr/local/lib/node_modules/npm"
cp -L "$(node scripts/run.js -p process.execPath)" "$root/usr/local/bin/node"
cp -L "$(ldconfig -p | awk '/libatomic.so.1 /{print $NF; exit}')" "$root/usr/lib/x86_64-linux-gnu/"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
certificates=NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || buildah config --env "$certificates" "$image"
buildah umount "$image" >/dev/null
buildah commit -q "$image" localhost/node-stand-in >/dev/null
buildah rm "$image" >/dev/null

buildah build --pull-never --format docker --ignorefile .dockerignore -f scripts/deploy/Containerfile \
  --build-arg NODE_IMAGE=localhost/node-stand-in --build-arg DEBIAN_IMAGE=localhost/debian-stand-in \
  --build-arg GIT_COMMIT="$(git rev-parse HEAD)" -t farm-prices . >"$work/build.log" 2>&1 \
  || { tail -40 "$work/build.log" >&2; exit 1; }
grep -E '^(\[.*)?STEP' "$work/build.log"
config() { buildah inspect --type image --format "{{$1}}" farm-prices; }
user=$(config .Docker.Config.User)
[ "$user" = 10001 ] || { echo "the image runs as \"$user\", expected 10001" >&2; exit 1; }
echo "image: user $user, health check $(config .Docker.Config.Healthcheck.Test), command $(config .Docker.Config.Cmd)"

container=$(buildah from --pull-never farm-prices)
root=$(buildah mount "$container")
echo "image: $(du -sm "$root" | cut -f1) MiB"
mapfile -t environment < <(
  buildah inspect --type image --format '{{range .Docker.Config.Env}}{{println .}}{{end}}' farm-prices | grep =
)
# The ports are free ones, because the trial shares the network of the machine.
environment+=(HOST=127.0.0.1 PORT=39390 ADMIN_PORT=39391)
mkdir "$work/mnt"
cat >"$work/inside.sh" <<'INSIDE'
set -eu
root=$1 mnt=$2
shift 2
mount --bind "$root" "$mnt"
mount -o remount,bind,ro "$mnt"
mount --bind "$root/var/lib/farm-prices" "$mnt/var/lib/farm-prices"
mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$mnt/tmp"
mount -t proc proc "$mnt/proc"
run=(chroot "$mnt" /usr/bin/setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all
  --inh-caps=-all /usr/bin/env -i -C /app "$@")
"${run[@]}" sh -c '! touch /app/written /etc/written 2>/dev/null' || { echo "the root can be written" >&2; exit 1; }
"${run[@]}" node scripts/run.js scripts/keys.ts issue --kind public --label trial --json >"$mnt/tmp/key.json"
"${run[@]}" node scripts/run.js src/main.ts >"$mnt/tmp/out" 2>"$mnt/tmp/log" &
service=$!
"${run[@]}" node scripts/run.js scripts/deploy/check-ready.ts --wait 60 || { cat "$mnt/tmp/log" >&2; exit 1; }
echo "health check: exit status 0"
"${run[@]}" node scripts/run.js scripts/keys.ts --version
for path in "$mnt/app/data/drafts" "$mnt/var/lib/farm-prices/data/drafts" "$mnt"/app/node_modules/node-linux-*; do
  [ ! -e "$path" ] || { echo "the image has $path" >&2; exit 1; }
done
"${run[@]}" node --input-type=module -e '
  import { readFileSync } from "node:fs";
  const { key } = JSON.parse(readFileSync("/tmp/key.json", "utf8"));
  const baseUrl = `http://127.0.0.1:${process.env.PORT}`;
  const answer = await fetch(`${baseUrl}/api/v1/counties/47`, { headers: { "X-API-Key": key } });
  const { data } = await answer.json();
  console.log(`node ${process.version}, uid ${process.getuid()}: GET /counties/47: ${answer.status} ${data.name}`);
  if (answer.status !== 200) process.exit(1);'
grep -E "CapEff|NoNewPrivs|Uid" "$mnt/proc/$service/status" | tr '\n\t' '  '; echo
kill -TERM "$service"
wait "$service" && echo "SIGTERM: exit status 0"
if "${run[@]}" node scripts/run.js scripts/deploy/check-ready.ts 2>/dev/null; then
  echo "the health check passes without a service" >&2
  exit 1
fi
INSIDE
unshare --mount --pid --fork --kill-child bash "$work/inside.sh" "$root" "$work/mnt" "${environment[@]}"
echo "container: all as expected"
