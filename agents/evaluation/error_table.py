"""The errors of an evaluation, each with the text around it: PHI, written only when asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import orjson

from deidstream.agents.evaluation.evaluation import Noted
from deidstream.models.scoring.tokens import Extent
from deidstream.schemas.errors import MissingArtefact


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an excerpt."""

    text: str = field(repr=False)
    gold: bool = False
    predicted: bool = False


def excerpt(noted: Noted, context: int) -> tuple[Part, ...]:
    """Cut the text around an error where gold or predicted begins or ends.

    Args:
        noted: The error.
        context: Characters on either side.
    """
    text, mistake = noted.note.text, noted.mistake
    start, end = mistake.place
    sides = [side for side in (mistake.gold, mistake.predicted) if side is not None]
    cuts = sorted({start, end, *(cut for side in sides for cut in side[:2])})
    inner = (
        Part(text[a:b], _within(mistake.gold, a), _within(mistake.predicted, a))
        for a, b in pairwise(cuts)
    )
    before, after = text[max(0, start - context) : start], text[end : end + context]
    return Part(before), *inner, Part(after)


def write_errors(path: Path, mistakes: Sequence[Noted], *, of: str, context: int) -> None:
    """Write one line an error: note id, kind, extents, labels, and the text around.

    Raises:
        MissingArtefact: The file cannot be written.
    """
    write(path, b"".join(_lines(mistakes, of, context)))


def write(path: Path, content: bytes) -> None:
    """Write a file as a whole.

    Raises:
        MissingArtefact: It cannot be written.
    """
    try:
        path.write_bytes(content)
    except OSError as error:
        msg = f"{path}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _lines(mistakes: Sequence[Noted], of: str, context: int) -> Iterator[bytes]:
    for noted in mistakes:
        before, *inner, after = excerpt(noted, context)
        fields = {
            "note_id": noted.note.note_id,
            "recognizer": of,
            "kind": noted.mistake.kind,
            "gold": _extent(noted.mistake.gold),
            "predicted": _extent(noted.mistake.predicted),
            "before": before.text,
            "text": "".join(part.text for part in inner),
            "after": after.text,
        }
        yield orjson.dumps(fields) + b"\n"


def _within(extent: Extent | None, place: int) -> bool:
    return extent is not None and extent.start <= place < extent.end


def _extent(extent: Extent | None) -> dict[str, object] | None:
    return None if extent is None else extent._asdict()
