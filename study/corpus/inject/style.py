"""Choose how one injected note looks, and put PHI where its prose leaves room for it."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

import re2

from deidstream.study.corpus import frames
from deidstream.study.corpus.frames import (
    Alternatives,
    Frame,
    Point,
    Template,
    TemplateSlot,
    template,
)

_PATIENT = re2.compile(
    r"\b(?:[Tt]he patient|[Tt]his patient|Patient|[Pp]t\.?)"
    r"( (?:care|population|table|room|chart|portal|education|identification|name|id|is a)\b)?"
)
_NAMED = tuple(
    map(
        template,
        (
            "{title} {PATIENT.last}", "{title} {PATIENT.last}", "{PATIENT.first}", "{PATIENT.full}",
            "{PATIENT.last}", "{PATIENT.turned}", "{PATIENT.full_upper}", "{PATIENT.last_upper}",
            "{PATIENT.firstl}", "{PATIENT.initials}", "{title} {PATIENT.full}", "pt {PATIENT.last}",
            "Patient {PATIENT.full}", "{PATIENT.first_lower}", "{PATIENT.last_lower}",
        ),
    )
)  # fmt: skip
_USUAL = 4
"""Number of the ways of naming, from the first, that most notes use."""
_MOST_POINTS = 2


def way_of_naming(rng: random.Random) -> Template:
    """Choose how a note names its patient."""
    return rng.choice(_NAMED[:_USUAL] if rng.random() < 0.7 else _NAMED)  # noqa: PLR2004


def name_patient(sentence: Template, way: Template, share: float, rng: random.Random) -> Template:
    """Write ``way`` at that share of the places where ``sentence`` has "the patient"."""
    return tuple(piece for each in sentence for piece in _name_in_piece(each, way, share, rng))


def _name_in_piece(
    piece: str | TemplateSlot | Alternatives, way: Template, share: float, rng: random.Random
) -> Iterator[str | TemplateSlot | Alternatives]:
    if not isinstance(piece, str):
        yield piece
        return
    done = 0
    for match in _PATIENT.finditer(piece):
        compound = match.group(1)
        if (compound and compound != " is a") or rng.random() >= share:
            continue
        yield piece[done : match.start()]
        yield from way
        done = match.start(1) if compound else match.end()
    yield piece[done:]


def apply_points(sentence: Template, points: Sequence[Point], rng: random.Random) -> Template:
    """Rewrite ``sentence`` at up to two of ``points``, met in a random order."""
    left = _MOST_POINTS
    willing = [point for point in points if rng.random() < point.share]
    for point in rng.sample(willing, len(willing)):
        changed = _apply_point(sentence, point)
        if changed is not None:
            sentence, left = changed, left - 1
        if not left:
            break
    return sentence


def _fill_replacement(point: Point, groups: Sequence[str | None]) -> Template:
    """Return the replacement, its groups filled in."""
    text = point.replacement
    for number, found in enumerate(groups, start=1):
        text = text.replace(f"${number}", found or "")
    return template(text)


def _apply_point(sentence: Template, point: Point) -> Template | None:
    for place, piece in enumerate(sentence):
        match = point.pattern.search(piece) if isinstance(piece, str) else None
        if match is not None and isinstance(piece, str):
            new = (
                piece[: match.start()],
                *_fill_replacement(point, match.groups()),
                piece[match.end() :],
            )
            return (*sentence[:place], *new, *sentence[place + 1 :])
    return None


_HEADINGS = (
    "{}: ", "{}: ", "{}:\n", "{}:\n", "{}\n", "{} - ", "{}:  ", "** {} **\n", "{}.  ", "# {}\n",
    "=== {} ===\n", "<b>{}</b> ", "{}:\t",
)  # fmt: skip
_SENTENCES = (" ", " ", " ", "  ", "  ", "\n", "\n- ", " / ", "; ")
_LINES = ("\n", "\n", "\n\n", "\n\n", "\n\n\n", "  ")
_SHARES = (0.0, 0.15, 0.3, 0.5, 0.8, 1.0)
_KINDS = (
    ("social", ("SOCIAL", "SHX", "PERSONAL", "OCCUPATION", "HABITS")),
    ("family", ("FAMILY", "FHX")),
    ("plan", ("PLAN", "RECOMMEND", "DISPOSITION", "DISCHARGE", "FOLLOW", "INSTRUCTION", "ASSESS")),
    ("course", ("COURSE", "PROCEDURE", "OPERATI", "TECHNIQUE", "DESCRIPTION", "FINDING")),
    ("history", ("HISTORY", "HPI", "SUBJECTIVE", "REASON", "INDICATION", "COMPLAINT", "HX")),
)
_ASIDE = ("any", "any", "calls", "ids", "device", "plan", "history", "course")


@dataclass(frozen=True, slots=True)
class Style:
    """The choices of one note."""

    heading: str
    capitals: str
    """``keep``, ``upper``, ``title`` or ``lower``: how headings are written."""
    between_sentences: str
    between_lines: str
    share: float
    """How much PHI is added to that of the prose, from none (0) to 1."""
    naming: Template = field(repr=False)
    points: tuple[Point, ...] = field(repr=False)
    """Where this note adds PHI to prose."""

    @classmethod
    def draw(cls, rng: random.Random) -> Self:
        """Choose."""
        share = rng.choice(_SHARES)
        every = frames.points()
        count = round(len(every) * share)
        return cls(
            heading=rng.choice(_HEADINGS),
            capitals=rng.choice(("keep", "keep", "keep", "upper", "title", "lower")),
            between_sentences=rng.choice(_SENTENCES),
            between_lines=rng.choice(_LINES),
            share=share,
            naming=way_of_naming(rng),
            points=tuple(rng.sample(every, count)),
        )

    def head(self, heading: str) -> str:
        """Write a heading with its colon, marks or line break."""
        if not heading:
            return ""
        cased = {"upper": heading.upper(), "title": heading.title(), "lower": heading.lower()}
        return self.heading.format(cased.get(self.capitals, heading))


def sentence_for(heading: str, rng: random.Random) -> Frame:
    """Choose a sentence that suits a section under ``heading``."""
    kinds = frames.of_kind("sentences")
    upper = heading.upper()
    fitting = (kind for kind, cues in _KINDS if any(cue in upper for cue in cues))
    kind = next(fitting, "any")
    if rng.random() < 0.3:  # noqa: PLR2004
        kind = rng.choice(_ASIDE)
    return rng.choice(kinds[kind])
