#!/bin/sh
# Print a compose file that names every image of docker-compose.yml but ours by the digest that its
# tag has now. Needs docker with buildx, and a network.
#
#   deploy/pin.sh >deploy/pinned.yml
#   docker compose -f docker-compose.yml -f deploy/pinned.yml up --build --wait
set -eu

cd "$(dirname "$0")/.."

digest_of() {
  docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$1"
}

echo "services:"
awk '/^  [a-z-]+:/ { name = $1 } /^    image: / && $2 !~ /^deidstream:/ { print name, $2 }' docker-compose.yml |
  while read -r name image; do
    digest=$(digest_of "$image")
    printf '  %s\n    image: %s@%s\n' "$name" "$image" "$digest"
  done

base=$(sed -nE 's/^ARG BASE=(.*)/\1/p' deploy/Dockerfile)
digest=$(digest_of "$base")
printf '  topics:\n    build: { args: { BASE: "%s@%s" } }\n' "$base" "$digest"
