#!/bin/sh
# Install what deidstream needs into the environment named by VIRTUAL_ENV: versions and hashes of
# the lock, and only what runs.
#
#   install.sh cpu|lock|none EXTRAS [SHA256 of the wheel of torch for CPUs]
#
# lock: torch as locked, with the libraries of CUDA. cpu: the same version of torch, built without
# CUDA. That wheel is of another index than the locked one, which uv knows by name, so it has
# another hash: unless one is given, it is trusted as served. none: no torch; OpenVINO computes.
#
# EXTRAS: those of pyproject.toml, with commas between them.
set -eu

backend=$1
extras=$2
sha256=${3:-}

case $backend in
  lock | none) ;;
  cpu)
    version=$(sed -nE 's/^torch==([^ ]+).*/\1/p' requirements.lock)
    echo "torch==$version${sha256:+ --hash=sha256:$sha256}" >torch.txt
    uv pip install --no-deps --torch-backend cpu ${sha256:+--require-hashes} -r torch.txt
    # Packages of the lock that only the other torch needs, each with the lines of its hashes.
    awk '/^[a-z]/ { keep = !/^(torch|triton|nvidia-|cuda-)/ } keep' requirements.lock >cpu.lock
    mv cpu.lock requirements.lock
    ;;
  *)
    echo "install.sh: $backend is neither cpu nor lock nor none" >&2
    exit 64
    ;;
esac

set -- --verify-hashes --constraints requirements.lock -r pyproject.toml
for extra in $(echo "$extras" | tr , ' '); do
  set -- "$@" --extra "$extra"
done
if [ "$backend" = none ]; then
  set -- "$@" --override without-torch.txt
fi
uv pip install "$@"
