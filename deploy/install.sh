#!/bin/sh
# Install what deidstream needs into the environment named by VIRTUAL_ENV: versions and hashes of
# the lock, and only what runs.
#
#   install.sh cpu|lock [SHA256 of the wheel of torch for CPUs] [EXTRA]
#
# lock: torch as locked, with the libraries of CUDA. cpu: the same version of torch, built without
# CUDA. That wheel is of another index than the locked one, which uv knows by name, so it has
# another hash: unless one is given, it is trusted as served.
set -eu

backend=$1
sha256=${2:-}
extra=${3:-}
# What workers, the API and the review page need; benchmarks/sbom.py reads this line too.
extras="review kneo torch"

set --

case $backend in
  lock) ;;
  cpu)
    version=$(sed -nE 's/^torch==([^ ]+).*/\1/p' requirements.lock)
    echo "torch==$version${sha256:+ --hash=sha256:$sha256}" >torch.txt
    uv pip install --no-deps --torch-backend cpu ${sha256:+--require-hashes} -r torch.txt
    # Packages of the lock that only the other torch needs, each with the lines of its hashes.
    awk '/^[a-z]/ { keep = !/^(torch|triton|nvidia-|cuda-)/ } keep' requirements.lock >cpu.lock
    mv cpu.lock requirements.lock
    ;;
  *)
    echo "install.sh: $backend is neither cpu nor lock" >&2
    exit 64
    ;;
esac

for name in $extras $extra; do
  set -- "$@" --extra "$name"
done
uv pip install --verify-hashes --constraints requirements.lock "$@" -r pyproject.toml
