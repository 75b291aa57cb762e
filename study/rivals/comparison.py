"""Compare models token by token: precision, recall and F1 by type, union, intersection, heat map.

Each model gives every token of a note a label or none, whatever its own tokens are, so a model that
marks spans and one that marks tokens are counted alike. The table is that of DeIDClinic, section 4:
each type, and the mean weighted by how often it occurs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import escape

from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.study.rivals.tokens import OUTSIDE

Labels = Sequence[Sequence[str]]
"""A label for each token of each note; ``O`` for none."""
WEIGHTED: Final = "weighted"
_CELL, _LEFT, _TOP = 26, 150, 130
_FONT: Final = 'font-family="sans-serif" font-size="11"'


@dataclass(frozen=True, slots=True)
class TypeScore:
    """What one model finds of one type."""

    hits: int
    wanted: int
    claimed: int

    @property
    def precision(self) -> float:
        """Share of the claimed tokens that are of the type; 0 where none is claimed."""
        return self.hits / self.claimed if self.claimed else 0.0

    @property
    def recall(self) -> float:
        """Share of the tokens of the type that are claimed."""
        return self.hits / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        every = self.wanted + self.claimed
        return 2 * self.hits / every if every else 0.0


def unite(first: Labels, second: Labels) -> list[list[str]]:
    """Return what either model found; where both did, the first decides the label."""
    return [
        [one if one != OUTSIDE else other for one, other in zip(a, b, strict=True)]
        for a, b in zip(first, second, strict=True)
    ]


def intersect(first: Labels, second: Labels) -> list[list[str]]:
    """Return what both models found with the same label."""
    return [
        [one if one == other else OUTSIDE for one, other in zip(a, b, strict=True)]
        for a, b in zip(first, second, strict=True)
    ]


def count_pairs(truth: Labels, told: Labels) -> Counter[tuple[str, str]]:
    """Count tokens by their true label and the one that a model gave."""
    return Counter(
        pair for a, b in zip(truth, told, strict=True) for pair in zip(a, b, strict=True)
    )


def group_labels(pairs: Mapping[tuple[str, str], int]) -> Counter[tuple[str, str]]:
    """Count by the seven entity types of DeIDClinic, section 3.3, in the place of labels."""
    grouped = Counter[tuple[str, str]]()
    for (true, told), count in pairs.items():
        grouped[_type_of(true), _type_of(told)] += count
    return grouped


def _type_of(label: str) -> str:
    return label if label == OUTSIDE else str(LABELS[PhiLabel(label)].deidclinic)


def score_types(pairs: Mapping[tuple[str, str], int]) -> dict[str, TypeScore]:
    """Return the score of each type that occurs in the truth, by its name."""
    hits, wanted, claimed = Counter[str](), Counter[str](), Counter[str]()
    for (true, told), count in pairs.items():
        wanted[true] += count
        claimed[told] += count
        hits[true] += count if true == told else 0
    types = sorted(name for name in wanted if name != OUTSIDE)
    return {name: TypeScore(hits[name], wanted[name], claimed[name]) for name in types}


def score_touched(pairs: Mapping[tuple[str, str], int]) -> TypeScore:
    """Return the score of all types together, whichever label a token got."""
    hits = sum(n for (true, told), n in pairs.items() if OUTSIDE not in {true, told})
    wanted = sum(n for (true, _), n in pairs.items() if true != OUTSIDE)
    claimed = sum(n for (_, told), n in pairs.items() if told != OUTSIDE)
    return TypeScore(hits, wanted, claimed)


def weigh(scores: Mapping[str, TypeScore]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the types, weighted by how often each occurs."""
    every = sum(one.wanted for one in scores.values())
    if not every:
        return 0.0, 0.0, 0.0
    means = [
        sum(getattr(one, name) * one.wanted for one in scores.values()) / every
        for name in ("precision", "recall", "f1")
    ]
    return means[0], means[1], means[2]


def draw_heat_map(title: str, pairs: Mapping[tuple[str, str], int]) -> str:
    """Draw the share of each true type that got each label, as SVG; a row is a true type."""
    rows = sorted({true for true, _ in pairs} - {OUTSIDE})
    columns = [*sorted({told for _, told in pairs} - {OUTSIDE}), OUTSIDE]
    totals = Counter[str]()
    for (true, _), count in pairs.items():
        totals[true] += count
    width, height = _LEFT + _CELL * len(columns) + 10, _TOP + _CELL * len(rows) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {_FONT}>',
        f'<text x="8" y="18" font-size="14">{escape(title)}</text>',
    ]
    for place, name in enumerate(columns):
        x = _LEFT + _CELL * place + _CELL // 2 + 4
        parts.append(
            f'<text transform="translate({x},{_TOP - 6}) rotate(-60)">{escape(name)}</text>'
        )
    for line, true in enumerate(rows):
        y = _TOP + _CELL * line
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 17}" text-anchor="end">{escape(true)}</text>')
        for place, told in enumerate(columns):
            share = pairs.get((true, told), 0) / totals[true]
            x, ink = _LEFT + _CELL * place, "#fff" if share > 0.5 else "#222"  # noqa: PLR2004
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_CELL - 1}" height="{_CELL - 1}" '
                f'fill="{_colour(share)}"/>'
            )
            if share >= 0.01:  # noqa: PLR2004 - less is written as nothing
                parts.append(
                    f'<text x="{x + _CELL // 2}" y="{y + 17}" text-anchor="middle" '
                    f'font-size="9" fill="{ink}">{round(100 * share)}</text>'
                )
    return "\n".join([*parts, "</svg>\n"])


def _colour(share: float) -> str:
    """Return nearly white for 0 and dark blue for 1."""
    return f"rgb({round(245 - 212 * share)},{round(248 - 150 * share)},{round(252 - 80 * share)})"
