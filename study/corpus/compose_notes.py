"""Compose training notes from frames alone, for what real prose lacks: numbers, logins, devices."""

import random
from collections.abc import Iterator

from deidstream.schemas.labelled import LabelledNote
from deidstream.study.corpus import frames
from deidstream.study.corpus.frames import Draft, Filling, Frame
from deidstream.study.corpus.inject.cast import Cast
from deidstream.study.corpus.inject.style import sentence_for

_PARTS = (1, 1, 1, 1, 2, 2, 3)
_ASIDES = (0, 0, 0, 1, 2, 3, 6)
_KINDS = ("SOCIAL", "FAMILY", "PLAN", "COURSE", "HISTORY", "")
_AROUND = 0.25
_NEGATIVE = 0.35


def compose_notes(filling: Filling, seed: int, notes: int) -> Iterator[LabelledNote]:
    """Yield ``notes`` notes of frames, each about one patient; ``inject_notes`` explains seeds."""
    for number in range(notes):
        rng = random.Random(f"composed:{seed}:{number}")
        yield compose(filling, rng, f"composed-{seed}-{number}")


def compose(filling: Filling, rng: random.Random, note_id: str) -> LabelledNote:
    """Write one note: a frame or a few, perhaps a header, a footer and some sentences."""
    cast, draft = Cast.draw(filling, rng), Draft()
    chosen = rng.sample(frames.blocks("notes"), rng.choice(_PARTS))
    _around("headers", cast, draft)
    for frame in chosen:
        draft.write(frame.pieces, cast)
        draft.add(rng.choice(("\n", "\n\n")))
    _sentences(cast, draft)
    _around("footers", cast, draft)
    return draft.note(note_id, chosen[0].kind)


def _around(name: str, cast: Cast, draft: Draft) -> None:
    if cast.rng.random() < _AROUND:
        draft.write(cast.rng.choice(frames.blocks(name)).pieces, cast)
        draft.add("\n")


def _sentences(cast: Cast, draft: Draft) -> None:
    between = cast.rng.choice((" ", "  ", "\n", "\n- "))
    for place in range(cast.rng.choice(_ASIDES)):
        draft.add(between if place else "")
        draft.write(_aside(cast.rng).pieces, cast)
    draft.add("\n")


def _aside(rng: random.Random) -> Frame:
    if rng.random() < _NEGATIVE:
        return rng.choice(frames.lines("negatives"))
    return sentence_for(rng.choice(_KINDS), rng)
