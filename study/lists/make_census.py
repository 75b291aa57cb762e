"""Make the file of the names of the 1990 US census, from the package ``names``."""

from importlib.metadata import distribution
from pathlib import Path

from deidstream.models.phi.names.name_lists import FAMILY, FEMALE, MALE

_COMMENT = """\
# Given names and surnames of the 1990 US census, each with its percentage of the population, the
# most frequent first. A work of the US Census Bureau, in the public domain; from the package names,
# made by benchmarks/build_lists.py.
"""
_FILES = {FEMALE: "dist.female.first", MALE: "dist.male.first", FAMILY: "dist.all.last"}


def make_census() -> str:
    """Return the text of the file, always the same for the same source."""
    text = _COMMENT
    # The package is found by its name in the installation, and never imported: a file names.py
    # beside the caller's script would be imported in its place.
    source = distribution("names")
    for heading, file in _FILES.items():
        text += f"[{heading}]\n"
        for line in Path(str(source.locate_file(f"names/{file}"))).read_text("ascii").splitlines():
            name, percent, *_ = line.lower().split()
            text += f"{name} {percent}\n"
    return text
