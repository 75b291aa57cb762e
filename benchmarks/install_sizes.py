"""Install the base and every extra into environments of their own, and write their sizes.

    python benchmarks/install_sizes.py [--check]

The table of docs/install.md stands between ``<!-- sizes -->`` and ``<!-- end -->``. Versions are
those of requirements.lock, and the packages those of this platform. ``--check`` installs nothing:
the exit code says whether the table has a row for every extra.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from performance_tables import make_table

from deidstream.schemas.extras import Extra

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/install.md"
MARKED = re.compile(r"<!-- sizes -->\n.*?<!-- end -->", re.DOTALL)
OVERRIDES = ROOT / "deploy/without-torch.txt"
UV = ROOT / ".venv/bin/uv"
CUDA = ("nvidia", "triton", "cuda")
"""How the folders begin that only graphics cards need."""
BASE, ALL = "", "all"
DOES = {
    BASE: "`detect`, `deidentify` and `Deidentifier` on files; OpenVINO computes",
    Extra.SERVICE: "the worker on Kafka and Redis, and what feeds, reads and checks it",
    Extra.API: "`service`, and `serve`: REST",
    Extra.REVIEW: "`api`, and `review`: the page",
    Extra.ANALYTICS: "`service`, and `export`: tables",
    Extra.DEMO: "`review`, and `demo`: a broker and a Redis of its own",
    Extra.KNEO: "policies that exchange sentences or measure risk by meaning",
    Extra.TORCH: "graphics cards; other models than BERT; `torch-int8` for processors without VNNI",
    Extra.TRACES: "`service`, and [traces](tracing.md) for an OTLP receiver",
    Extra.STUDY: "`demo`, `kneo`, `torch`, and what measures and trains",
    ALL: "all of these",
}


@dataclass(frozen=True, slots=True)
class Size:
    """What an environment holds."""

    packages: int
    megabytes: int
    cuda: int
    """Megabytes that only graphics cards need."""


def measure(wheel: Path, extra: str, *, torch: bool) -> Size:
    """Install the wheel with one extra; nothing is compiled, as by uv's default."""
    wanted = f"deidstream{f'[{extra}]' if extra else ''} @ {wheel.as_uri()}"
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder, "environment")
        run("venv", "--python", sys.executable, str(environment))
        python = ["--python", str(environment / "bin/python")]
        without = [] if torch else ["--override", str(OVERRIDES)]
        locked = ["--constraints", str(ROOT / "requirements.lock")]
        locked += ["--find-links", str(wheel.parent)]  # where that of the study is
        run("pip", "install", *python, *locked, *without, wanted)
        packages = run("pip", "list", *python, "--format", "freeze").splitlines()
        (site,) = environment.glob("lib/*/site-packages")
        sizes = {one.name: sum(_file_sizes(one)) for one in site.iterdir()}
    cuda = sum(size for name, size in sizes.items() if name.startswith(CUDA))
    return Size(len(packages), round(sum(sizes.values()) / 2**20), round(cuda / 2**20))


def run(*words: str) -> str:
    """Run uv and return what it prints."""
    command = [str(UV), "--quiet", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603


def _file_sizes(path: Path) -> Iterator[int]:
    if path.is_file():
        yield path.stat().st_size
        return
    for one in path.rglob("*"):
        if one.is_file():
            yield one.stat().st_size


def write_row(wheel: Path, extra: str) -> tuple[str, ...]:
    """Measure an extra with torch and, if it brings torch, without."""
    whole = measure(wheel, extra, torch=True)
    bare = measure(wheel, extra, torch=False) if whole.cuda else whole
    print(extra or "base", whole, bare, flush=True)
    named = f"`deidstream[{extra}]`" if extra else "`deidstream`"
    return (
        named,
        DOES[extra],
        f"{bare.packages}",
        f"{bare.megabytes:,}",
        f"{whole.megabytes:,}" if whole.cuda else "the same",
        f"{whole.cuda:,}" if whole.cuda else "none",
    )


def main(argv: list[str] | None = None) -> int:
    flags = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    flags.add_argument("--check", action="store_true")
    page = PAGE.read_text("utf-8")
    if flags.parse_args(argv).check:
        (table,) = MARKED.findall(page)
        return int(not all(f"[{extra}]`" in table for extra in DOES if extra))
    headings = (
        "install",
        "for",
        "packages",
        "MB without torch",
        "MB as pip installs it",
        "of it CUDA",
    )
    with tempfile.TemporaryDirectory() as folder:
        for distribution in (ROOT, ROOT / "study"):
            run("build", "--wheel", "--out-dir", folder, str(distribution))
        (wheel,) = Path(folder).glob("deidstream-*.whl")
        rows = [write_row(wheel, extra) for extra in DOES]
    table = make_table(headings, rows).replace("| --- | ---: |", "| --- | --- |", 1)
    made = f"<!-- sizes -->\n{table}<!-- end -->"
    PAGE.write_text(MARKED.sub(lambda _: made, page), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
