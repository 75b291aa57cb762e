"""How one injected note looks and how much PHI it holds."""

import random
from dataclasses import dataclass, field
from typing import Self

from deidstream.models.training import frames
from deidstream.models.training.frames import Frame, Point
from deidstream.models.training.inject.points import way_of_naming
from deidstream.models.training.slots import Template

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
    """How much PHI, from 0, none beside what the prose holds, to 1."""
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
        """Write a heading, with what stands behind it."""
        if not heading:
            return ""
        cased = {"upper": heading.upper(), "title": heading.title(), "lower": heading.lower()}
        return self.heading.format(cased.get(self.capitals, heading))


def sentence_for(heading: str, rng: random.Random) -> Frame:
    """Choose a sentence that may stand below ``heading``."""
    kinds = frames.of_kind("sentences")
    upper = heading.upper()
    fitting = (kind for kind, cues in _KINDS if any(cue in upper for cue in cues))
    kind = next(fitting, "any")
    if rng.random() < 0.3:  # noqa: PLR2004
        kind = rng.choice(_ASIDE)
    return rng.choice(kinds[kind])
