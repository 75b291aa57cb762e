"""What the tools do not check: everything ships, and every module has one name."""

import os
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HOMES = ("agents", "models", "schemas", "stream")
SETUPTOOLS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][
    "setuptools"
]

# Modules that start the service when they are imported.
STARTERS = ("deidstream.agents.__main__",)

IMPORT_ALL = f"""
import importlib, pkgutil, sys
for home in {HOMES}:
    package = importlib.import_module(f"deidstream.{{home}}")
    for module in pkgutil.walk_packages(package.__path__, f"deidstream.{{home}}."):
        if module.name not in {STARTERS}:
            importlib.import_module(module.name)
sys.exit(", ".join(set({HOMES}) & sys.modules.keys()) or 0)
"""


def sources() -> list[Path]:
    """Every file of the four folders, as a path from the root."""
    files = (file for home in HOMES for file in (ROOT / home).rglob("*") if file.is_file())
    kept = (file.relative_to(ROOT) for file in files if "__pycache__" not in file.parts)
    return sorted(file for file in kept if not file.name.startswith("."))


def package_of(file: Path) -> Path:
    """The nearest folder above ``file`` that is a package."""
    return next(each for each in file.parents if (ROOT / each / "__init__.py").exists())


def test_every_package_is_shipped() -> None:
    packages = {package_of(file) for file in sources() if file.suffix == ".py"}
    names = {".".join(("deidstream", *package.parts)) for package in packages}
    assert names == set(SETUPTOOLS["packages"])


def test_every_data_file_is_shipped() -> None:
    patterns: list[str] = SETUPTOOLS["package-data"]["*"]
    missed = [file for file in sources() if not ships(file, patterns)]
    assert missed == []


def ships(file: Path, patterns: list[str]) -> bool:
    inside = file.relative_to(package_of(file))
    # A star of setuptools stops at a slash; that of fnmatch does not.
    levels = (each for each in patterns if each.count("/") == len(inside.parts) - 1)
    return file.suffix == ".py" or any(fnmatch(str(inside), each) for each in levels)


def test_every_module_is_in_a_package() -> None:
    loose = [file for file in sources() if file.suffix == ".py" and file.parent != package_of(file)]
    assert loose == []


@pytest.mark.parametrize("home", HOMES)
def test_types_are_shipped(home: str) -> None:
    assert (ROOT / home / "py.typed").exists()


@pytest.mark.slow
def test_no_module_answers_to_two_names() -> None:
    # From the root, where `import schemas` would also succeed.
    command = [sys.executable, "-c", IMPORT_ALL]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert ended.returncode == 0, ended.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the files that it is to hold and no others."""
    folder = tmp_path_factory.mktemp("wheel")
    for file in (*sources(), Path("pyproject.toml"), Path("README.md"), Path("LICENSE")):
        copy = folder / "tree" / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / file).read_bytes())
    build = "from setuptools.build_meta import build_wheel; build_wheel('..')"
    subprocess.run(  # noqa: S603
        [sys.executable, "-c", build], cwd=folder / "tree", check=True, capture_output=True
    )
    (built,) = folder.glob("deidstream-*.whl")
    return built


@pytest.mark.slow
def test_wheel_holds_every_source_file_and_nothing_else(wheel: Path) -> None:
    names = (Path(name) for name in zipfile.ZipFile(wheel).namelist())
    shipped = sorted(name for name in names if name.parts[0] == "deidstream")
    assert shipped == [Path("deidstream", file) for file in sources()]


PUBLIC = """
import deidstream.agents as public
assert public.__file__.startswith({folder!r}), public.__file__
for name in public.__all__:
    getattr(public, name)
from deidstream.agents import Deidentifier, Failed, RawNote
with Deidentifier.load("redact", key=bytes(range(32))) as deidentifier:
    result = deidentifier.deidentify(RawNote("n", "p", "Mr. John Smith was seen."))
    assert not isinstance(result, Failed) and "Smith" not in result.text, result
"""


@pytest.mark.slow
def test_the_wheel_offers_the_public_names(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = PUBLIC.format(folder=str(tmp_path))
    ended = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
