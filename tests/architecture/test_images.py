"""The image: what it is built from, what is in it, and that it follows the lock."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from deidstream.schemas.extras import Extra

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()
VOLUMES = "/var/lib/deidstream/"
CUDA = re.compile(r"torch|triton|nvidia-|cuda-")


def version() -> str:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def installed(folder: Path, *words: str) -> tuple[list[str], str]:
    """Run the install script with a uv that only writes down how it was called, and the lock."""
    (folder / "uv").write_text(
        '#!/bin/sh\necho "$@" >>calls\ncat torch.txt >>calls 2>/dev/null || :\n'
    )
    (folder / "uv").chmod(0o755)
    for name in ("pyproject.toml", "requirements.lock"):
        (folder / name).write_text((ROOT / name).read_text())
    command = ["sh", str(ROOT / "deploy/install.sh"), *words]
    path = f"{folder}:/usr/bin:/bin"
    subprocess.run(command, check=True, cwd=folder, env={"PATH": path})  # noqa: S603
    return (folder / "calls").read_text().splitlines(), (folder / "requirements.lock").read_text()


def locked(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z][\w.-]*)==([^ ]+)", lock, re.MULTILINE))


def test_for_cpus_only_what_cuda_needs_is_left_out(tmp_path: Path) -> None:
    whole = (ROOT / "requirements.lock").read_text()
    calls, lock = installed(tmp_path, "cpu", "api,kneo")
    left_out = locked(whole).keys() - locked(lock).keys()
    assert all(CUDA.match(name) for name in left_out)
    assert {"torch", "triton", "nvidia-cublas"} <= left_out
    assert not any(CUDA.match(name) for name in locked(lock))
    assert {name: locked(whole)[name] for name in locked(lock)} == locked(lock)
    assert lock.count("--hash=") > len(locked(lock))
    assert calls[0] == "pip install --no-deps --torch-backend cpu -r torch.txt"
    assert calls[1] == f"torch=={locked(whole)['torch']}"
    assert calls[2] == (
        "pip install --verify-hashes --constraints requirements.lock -r pyproject.toml"
        " --extra api --extra kneo"
    )


def test_a_hash_that_is_given_is_required(tmp_path: Path) -> None:
    calls, _ = installed(tmp_path, "cpu", "service", "ab12")
    assert "--require-hashes" in calls[0]
    assert calls[1].endswith(" --hash=sha256:ab12")


def test_for_cards_the_lock_is_used_as_it_is(tmp_path: Path) -> None:
    calls, lock = installed(tmp_path, "lock", "analytics")
    assert lock == (ROOT / "requirements.lock").read_text()
    assert len(calls) == 1
    assert calls[0].endswith("-r pyproject.toml --extra analytics")


def test_without_torch_nothing_of_it_is_installed(tmp_path: Path) -> None:
    calls, lock = installed(tmp_path, "none", "")
    assert lock == (ROOT / "requirements.lock").read_text()
    assert [call.split("pyproject.toml ")[1] for call in calls] == ["--override without-torch.txt"]
    overrides = [
        Requirement(line)
        for line in (ROOT / "deploy/without-torch.txt").read_text().splitlines()
        if not line.startswith("#")
    ]
    assert {one.name for one in overrides} == {"sentence-transformers", "torch", "transformers"}
    assert not any(one.marker and one.marker.evaluate() for one in overrides)


def test_the_image_has_extras_that_exist() -> None:
    (named,) = re.findall(r"^ARG EXTRAS=(\S+)$", DOCKERFILE, re.MULTILINE)
    wanted = {"api", "kneo", "review", "service", "torch", "traces"}
    assert set(named.split(",")) == wanted <= set(Extra)


def test_another_backend_is_refused(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        installed(tmp_path, "rocm", "")
    assert refused.value.returncode == 64


def test_the_image_says_which_version_it_is() -> None:
    assert f'org.opencontainers.image.version="{version()}"' in DOCKERFILE
    ours = {one["image"] for one in SERVICES.values() if one["image"].startswith("deidstream:")}
    assert {tag.partition(":")[2].partition("-")[0] for tag in ours} == {version()}


def test_the_image_says_whether_it_is_healthy() -> None:
    assert re.search(r"^HEALTHCHECK .*/livez", DOCKERFILE, re.MULTILINE)


def mounted(service: str) -> dict[str, str]:
    found = (volume.partition(":") for volume in SERVICES[service].get("volumes", ()))
    return {name: place for name, _, place in found if not name.startswith(".")}


def test_base_image_is_pinned() -> None:
    bases: list[str] = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert bases == ["${BASE}", "${BASE}"]
    assert re.search(r"^ARG BASE=python:\d+\.\d+\.\d+-slim-\w+$", DOCKERFILE, re.MULTILINE)


def test_a_worker_of_any_uid_may_write_its_volumes() -> None:
    (made,) = re.findall(
        rf"cd {VOLUMES[:-1]} && mkdir -m 0777 ([a-z ]+)$", DOCKERFILE, re.MULTILINE
    )
    mounts = (
        mounted(name) for name in SERVICES if SERVICES[name]["image"].startswith("deidstream:")
    )
    places = {place for each in mounts for place in each.values()}
    assert {place.partition(":")[0] for place in places} == {VOLUMES + one for one in made.split()}


def test_key_stays_out_of_git_and_out_of_the_image() -> None:
    key = Path(COMPOSE["secrets"]["deidstream_key"]["file"])
    assert (ROOT / key.parent / ".gitignore").read_text().splitlines()[0] == "*"
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in ignored
    assert [line for line in ignored if line.startswith("!deploy")] == [
        "!deploy/install.sh",
        "!deploy/without-torch.txt",
    ]
    assert SERVICES["worker"]["environment"]["DEIDSTREAM_KEY_FILE"] == "/run/secrets/deidstream_key"


def test_image_holds_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    folders = {name.split(".")[1] for name in project["tool"]["setuptools"]["packages"]}
    assert folders <= set(re.findall(r"^COPY (\w+) \1$", DOCKERFILE, re.MULTILINE))
    allowed = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    copied: list[str] = re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    assert {word for words in copied for word in words.split()} == allowed


def test_image_runs_as_nobody_special() -> None:
    # The last stage is what runs.
    _, _, last = DOCKERFILE.rpartition("\nFROM ")
    (user,) = re.findall(r"^USER (\S+)$", last, re.MULTILINE)
    number = re.search(rf"useradd --uid (\d+) .* {user}$", last, re.MULTILINE)
    assert number
    assert int(number[1]) > 0


def test_every_image_of_others_can_be_pinned_by_digest(tmp_path: Path) -> None:
    digest = f"sha256:{'cd' * 32}"
    (tmp_path / "docker").write_text(f'#!/bin/sh\necho "$*" >>{tmp_path}/calls\necho {digest}\n')
    (tmp_path / "docker").chmod(0o755)
    command, path = ["sh", str(ROOT / "deploy/pin.sh")], f"{tmp_path}:/usr/bin:/bin"
    done = subprocess.run(  # noqa: S603
        command, check=True, capture_output=True, text=True, env={"PATH": path}
    )
    pinned: dict[str, dict[str, Any]] = yaml.safe_load(done.stdout)["services"]
    others = {
        n: s["image"] for n, s in SERVICES.items() if not s["image"].startswith("deidstream:")
    }
    base = pinned.pop("topics")["build"]["args"]["BASE"]
    assert {name: one["image"] for name, one in pinned.items()} == {
        name: f"{image}@{digest}" for name, image in others.items()
    }
    assert base.startswith("python:3.11")
    assert base.endswith(digest)
    assert all(
        "imagetools inspect" in call for call in (tmp_path / "calls").read_text().splitlines()
    )
