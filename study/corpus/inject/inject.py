"""Make training notes from real prose by writing a patient, doctors and places into it.

Every note is drawn from its own source of chance, so note ``k`` of a seed is the same however many
are made.
"""

import random
from collections.abc import Iterator, Sequence

import re2

from deidstream.schemas.errors import Refused
from deidstream.schemas.labelled import LabelledNote
from deidstream.study.corpus import frames
from deidstream.study.corpus.frames import Draft, Filling, Template
from deidstream.study.corpus.inject.cast import Cast
from deidstream.study.corpus.inject.style import Style, apply_points, name_patient, sentence_for
from deidstream.study.corpus.prose.prose import Passage, ProseLine
from deidstream.study.corpus.prose.read_prose import read_prose
from deidstream.study.corpus.sources import Sources

_SHE = re2.compile(r"\b(?:[Ss]he|[Hh]er|female|woman)\b")
_HE = re2.compile(r"\b(?:[Hh]e|[Hh]is|male|man)\b")
_EVEN = 0.5
_WHOLE, _LONGEST, _SENTENCES = 0.3, 30, 14
_ASIDES, _NEGATIVES, _TABLES, _AROUND = 0.3, 0.02, 0.03, 0.8


def inject_notes(
    sources: Sources, filling: Filling, seed: int, notes: int
) -> Iterator[LabelledNote]:
    """Yield notes of real prose with PHI in it.

    Args:
        sources: Where the prose is; to read and clean a thousand notes takes seconds.
        filling: Invents the PHI.
        seed: Notes of another seed are others.
        notes: How many, less the few that came out without a word.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line of a file is wrong, or no sentence of any source can be used.
    """
    passages = read_prose(sources)
    names = [name for name in passages if passages[name]]
    if not names:
        msg = "no sentence of the sources is certainly without PHI that has no label"
        raise Refused(msg)
    weights = [sources.sources[name].share for name in names]
    for number in range(notes):
        rng = random.Random(f"injected:{seed}:{number}")
        name = rng.choices(names, weights)[0]
        made = inject(rng.choice(passages[name]), filling, rng, f"injected-{seed}-{number}")
        # A passage without words, and nothing around it, is no note that anybody reads.
        if made.note.text.strip():
            yield made


def inject(passage: Passage, filling: Filling, rng: random.Random, note_id: str) -> LabelledNote:
    """Write one note around a passage."""
    style, cast, draft = Style.draw(rng), Cast.draw(filling, rng), Draft()
    lines = _window(passage.lines, rng)
    cast.is_woman = _is_woman(lines, rng)
    _around("headers", style, cast, draft)
    for line in lines:
        draft.add(style.head(line.heading))
        _body(line, style, cast, draft)
        draft.add(style.between_lines)
        if rng.random() < _TABLES * style.share:
            draft.write(rng.choice(frames.blocks("tables")).pieces, cast)
            draft.add("\n\n")
    _around("footers", style, cast, draft)
    return draft.note(note_id, passage.source)


def _around(name: str, style: Style, cast: Cast, draft: Draft) -> None:
    """Write up to two headers or footers."""
    for _ in range(2):
        if cast.rng.random() < style.share * _AROUND:
            draft.write(cast.rng.choice(frames.blocks(name)).pieces, cast)
            draft.add(cast.rng.choice(("\n", "\n\n", "\n\n")))


def _window(lines: Sequence[ProseLine], rng: random.Random) -> Sequence[ProseLine]:
    """Choose the whole passage or some consecutive lines of it."""
    if rng.random() < _WHOLE:
        return lines[:_LONGEST]
    count = min(len(lines), rng.choice((1, 2, 3, 5, 8, 12)))
    first = rng.randint(0, len(lines) - count)
    return lines[first : first + count]


def _body(line: ProseLine, style: Style, cast: Cast, draft: Draft) -> None:
    first = max(0, len(line.sentences) - _SENTENCES)
    start = cast.rng.randint(0, first) if first else 0
    written = line.sentences[start : start + _SENTENCES]
    for place, sentence in enumerate(_with_frames(line.heading, written, style, cast.rng)):
        if place:
            draft.add(style.between_sentences)
        draft.write(sentence, cast)


def _with_frames(
    heading: str, sentences: Sequence[Template], style: Style, rng: random.Random
) -> Iterator[Template]:
    """Yield the sentences with their PHI, and sentences of our own between them."""
    for sentence in sentences:
        named = name_patient(sentence, style.naming, style.share, rng)
        yield apply_points(named, style.points, rng)
        if rng.random() < _ASIDES * style.share:
            yield sentence_for(heading, rng).pieces
        if rng.random() < _NEGATIVES:
            yield rng.choice(frames.lines("negatives")).pieces


def _is_woman(lines: Sequence[ProseLine], rng: random.Random) -> bool:
    text = " ".join(
        str(p) for line in lines for s in line.sentences for p in s if isinstance(p, str)
    )
    she, he = len(_SHE.findall(text)), len(_HE.findall(text))
    return she > he if she != he else rng.random() < _EVEN
