"""Philter of UCSF with its configuration ``philter_delta``.

Philter writes each note again with ``*`` for every character it removes, so what was removed is
read off letter by letter. Removed stretches with no more than two signs or spaces between them are
one span. Letters beyond ASCII are punctuation to Philter and stay.
"""

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Container, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import philter_ucsf
from exchange import UNNAMED, Found, Runner, serve
from philter_ucsf.philter import Philter

HOME = Path(philter_ucsf.__file__).parent
LABELS = {
    "DATE": "DATE",
    "Patient_Social_Security_Number": "SSN",
    "Email": "EMAIL",
    "Provider_Address_or_Location": "LOCATION_OTHER",
    "Age": "AGE",
    "Name": "PATIENT",
}
REMOVED = re.compile(r"\x00+(?:[ -/:-@\[-`{-~]{1,2}\x00+)*")
FLAGS = re.compile(r"\(\?([aiLmsux]+)\)")
LOAD_SET = Philter.init_set


@cache
def compiled(path: str) -> re.Pattern[str]:
    """Compile one of Philter's patterns; since Python 3.11 flags must stand in front."""
    pattern = Path(path).read_text(encoding="utf-8").strip()
    flags = "".join(sorted(set("".join(FLAGS.findall(pattern)))))
    return re.compile(f"(?{flags})" * bool(flags) + FLAGS.sub("", pattern))


@cache
def word_set(path: str) -> Container[str]:
    return cast("Container[str]", LOAD_SET(None, path))


def install_tagger() -> None:
    """Put a part-of-speech model where NLTK looks for its own, which is no package.

    ``textblob-aptagger`` has one in the same form: NLTK took its tagger over from there.
    """
    package = find_spec("textblob_aptagger")
    if package is None or package.origin is None:
        msg = "textblob-aptagger is not installed"
        raise LookupError(msg)
    weights = Path(package.origin).parent / "trontagger-0.1.0.pickle"
    folder = Path(sys.prefix, "nltk_data", "taggers", "averaged_perceptron_tagger")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(weights, folder / "averaged_perceptron_tagger.pickle")


def prepare() -> Runner:
    install_tagger()
    # A Philter is made for one folder of notes; what it reads of its own is the same for all.
    Philter.precompile = lambda _, path: compiled(path)
    Philter.init_set = lambda _, path: word_set(path)
    Philter.detect_encoding = lambda *_: {"encoding": "utf-8"}
    tagger = f"NLTK's tagger with the model of textblob-aptagger {version('textblob-aptagger')}"
    return Runner(f"philter-ucsf {version('philter-ucsf')}, philter_delta, {tagger}", find)


def find(texts: Sequence[str]) -> list[list[Found]]:
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        notes, cleaned = Path(name, "notes"), Path(name, "cleaned")
        notes.mkdir()
        cleaned.mkdir()
        for place, text in enumerate(texts):
            # Python would read \r\n as one character.
            plain = text.replace("\r", " ").encode()
            (notes / f"{place:06}.txt").write_bytes(plain)
        philter = filtered(f"{notes}/", f"{cleaned}/")
        return [
            list(spans(text, (cleaned / name).read_text("utf-8"), said(philter, f"{notes}/{name}")))
            for name, text in ((f"{place:06}.txt", text) for place, text in enumerate(texts))
        ]


def filtered(notes: str, cleaned: str) -> Philter:
    # The configuration names its files from here.
    os.chdir(HOME)
    philter = Philter(
        {
            "verbose": False,
            "run_eval": False,
            "finpath": notes,
            "foutpath": cleaned,
            "outformat": "asterisk",
            "filters": "configs/philter_delta.json",
        }
    )
    philter.map_coordinates()
    philter.transform()
    return philter


def said(philter: Philter, path: str) -> list[Found]:
    """Name what Philter gives a type; the words that are on no list of safe words have none."""
    return [
        (start, end, label)
        for kind, label in LABELS.items()
        for start, end in philter.phi_type_dict[kind][0].filecoords(path)
    ]


def spans(text: str, cleaned: str, named: Sequence[Found]) -> Iterator[Found]:
    if len(text) != len(cleaned):
        msg = "a note came back with another length"
        raise ValueError(msg)
    marked = "".join(
        "\x00" if new != old and new == "*" else " " if old == "\x00" else old
        for old, new in zip(text, cleaned, strict=True)
    )
    for match in REMOVED.finditer(marked):
        start, end = match.span()
        labels = (label for a, b, label in named if a < end and b > start)
        yield start, end, next(labels, UNNAMED)


if __name__ == "__main__":
    serve(prepare)
