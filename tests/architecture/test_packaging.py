"""What the tools do not check: everything ships, and every module has one name."""

import importlib
import os
import pkgutil
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DISTRIBUTIONS = {".": ("agents", "models", "schemas", "stream"), "study": ("study",)}
"""The folders of each distribution, by the folder of its pyproject.toml."""
DECLARED = {".": ("pyproject.toml", "README.md", "LICENSE"), "study": ("pyproject.toml",)}
HOMES = tuple(home for homes in DISTRIBUTIONS.values() for home in homes)

# Modules that start the service when they are imported.
STARTERS = ("deidstream.agents.__main__",)


def read_setuptools(distribution: str) -> dict[str, Any]:
    declared = tomllib.loads((ROOT / distribution / "pyproject.toml").read_text())
    settings: dict[str, Any] = declared["tool"]["setuptools"]
    return settings


def sources(distribution: str) -> list[Path]:
    """Every file of the folders of a distribution, as a path from the root."""
    kept: list[Path] = []
    for home in DISTRIBUTIONS[distribution]:
        for file in (ROOT / home).rglob("*"):
            apart = any(part.endswith((".egg-info", "__pycache__")) for part in file.parts)
            declares = file.name == "pyproject.toml" or file.name.startswith(".")
            if file.is_file() and not apart and not declares:
                kept.append(file.relative_to(ROOT))
    return sorted(kept)


each_distribution = pytest.mark.parametrize("distribution", DISTRIBUTIONS)


def package_of(file: Path) -> Path:
    """The nearest folder above ``file`` that is a package."""
    return next(each for each in file.parents if (ROOT / each / "__init__.py").exists())


@each_distribution
def test_every_package_is_shipped(distribution: str) -> None:
    packages = {package_of(file) for file in sources(distribution) if file.suffix == ".py"}
    names = {".".join(("deidstream", *package.parts)) for package in packages}
    assert names == set(read_setuptools(distribution)["packages"])


@each_distribution
def test_every_data_file_is_shipped(distribution: str) -> None:
    patterns: list[str] = read_setuptools(distribution)["package-data"]["*"]
    missed = [file for file in sources(distribution) if not ships(file, patterns)]
    assert missed == []


def ships(file: Path, patterns: list[str]) -> bool:
    inside = file.relative_to(package_of(file))
    # A star of setuptools stops at a slash; that of fnmatch does not.
    levels = (each for each in patterns if each.count("/") == len(inside.parts) - 1)
    return file.suffix == ".py" or any(fnmatch(str(inside), each) for each in levels)


@each_distribution
def test_every_module_is_in_a_package(distribution: str) -> None:
    modules = (file for file in sources(distribution) if file.suffix == ".py")
    loose = [file for file in modules if file.parent != package_of(file)]
    assert loose == []


@pytest.mark.parametrize("home", HOMES)
def test_types_are_shipped(home: str) -> None:
    assert (ROOT / home / "py.typed").exists()


@pytest.mark.slow
def test_no_module_answers_to_two_names() -> None:
    for home in HOMES:
        package = importlib.import_module(f"deidstream.{home}")
        for module in pkgutil.walk_packages(package.__path__, f"deidstream.{home}."):
            if module.name not in STARTERS:
                importlib.import_module(module.name)
    # Tests run at the root, where `import schemas` succeeds.
    assert not set(HOMES) & sys.modules.keys()


def build_wheel(distribution: str, folder: Path) -> Path:
    """Build a wheel from the files that it is to hold and no others."""
    tree = folder / "tree"
    declared = (file for file in DECLARED[distribution] if (ROOT / distribution / file).exists())
    for file in (*sources(distribution), *(Path(distribution, file) for file in declared)):
        copy = tree / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / file).read_bytes())
    build = f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"
    subprocess.run(  # noqa: S603
        [sys.executable, "-c", build], cwd=tree / distribution, check=True, capture_output=True
    )
    (built,) = folder.glob("deidstream*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(".", tmp_path_factory.mktemp("wheel"))


@pytest.mark.slow
@each_distribution
def test_wheel_holds_every_source_file_and_nothing_else(distribution: str, tmp_path: Path) -> None:
    wheel = build_wheel(distribution, tmp_path)
    names = (Path(name) for name in zipfile.ZipFile(wheel).namelist())
    shipped = sorted(name for name in names if name.parts[0] == "deidstream")
    assert shipped == [Path("deidstream", file) for file in sources(distribution)]


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
