#!/usr/bin/env bash
# Build what a release hands out, from the last commit alone, with its bill of materials, and sign it.
#
#   deploy/release.sh KEY [FOLDER]
#
# KEY is an Ed25519 key in PEM (openssl genpkey -algorithm ed25519 -out KEY); openssl asks for its password, if it
# has one. FOLDER is made, build/release by default: wheels, the chart, requirements.lock, without-torch.txt,
# sbom.json, SHA256SUMS of all of these, and SHA256SUMS.sig. docs/releasing.md says how to check it, and what is
# done for images.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
key=${1:-}
folder=$(realpath -m "${2:-$root/build/release}")

refuse() {
  echo "release: $1" >&2
  exit 78
}

[ -n "$key" ] || refuse "name the key that signs: deploy/release.sh KEY"
[ -r "$key" ] || refuse "$key cannot be read: nothing is built that is not signed"
[ ! -e "$folder" ] || refuse "$folder is there; a release is made whole or not at all"
[ -x "$root/.venv/bin/uv" ] || refuse "uv is missing (run: make install)"
[ -x "$root/.cache/helm/helm" ] || refuse "helm is missing (run: make services)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A wrong key, or a wrong password, is told before minutes of building.
openssl pkey -in "$key" -pubout -out "$work/public.pem" || refuse "$key is no private key in PEM"
openssl pkey -pubin -in "$work/public.pem" -noout -text | grep -q ED25519 || refuse "$key is not an Ed25519 key"

# What lies about in a work tree, such as an older build, does not get into the release.
mkdir "$work/source" "$work/release"
git -C "$root" archive HEAD | tar -x -C "$work/source"
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH

for distribution in . study; do
  "$root/.venv/bin/uv" build --quiet --wheel --out-dir "$work/release" "$work/source/$distribution"
done
rm -f "$work/release/.gitignore"
"$root/.cache/helm/helm" package "$work/source/deploy/helm/deidstream" --destination "$work" >/dev/null
# helm writes the time of the day into it; without that, equal commits give equal bytes.
chart=$(basename "$work"/deidstream-*.tgz)
mkdir "$work/chart"
tar -xzf "$work/$chart" -C "$work/chart"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$work/chart" -cf - deidstream |
  gzip -9n >"$work/release/$chart"
"$root/.venv/bin/python" "$work/source/benchmarks/sbom.py" "$work/release/sbom.json"
cp "$work/source/requirements.lock" "$work/source/deploy/without-torch.txt" "$work/release"

cd "$work/release"
sha256sum -- * >"$work/SHA256SUMS"
mv "$work/SHA256SUMS" .
openssl pkeyutl -sign -rawin -inkey "$key" -in SHA256SUMS -out SHA256SUMS.sig
openssl pkeyutl -verify -rawin -pubin -inkey "$work/public.pem" -in SHA256SUMS -sigfile SHA256SUMS.sig
chmod 0644 -- *
mkdir -p "$(dirname "$folder")"
cp -r "$work/release" "$folder.part"
mv -T "$folder.part" "$folder"
echo "$folder: $(git -C "$root" rev-parse --short HEAD), signed"
