"""Learn how a site writes its identifiers: regular expressions from samples of them."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from deidstream.models.recognizers.rules.site_patterns import find_faults
from deidstream.models.text.folding import words_of
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.site_pattern import SitePattern

FEWEST = 4
"""Different identifiers of one form from which an expression is learnt."""
MOST_SPELLED = 6
"""Different letter groups at one place that an expression names; of more, it takes any letters."""
LEAST_SIGNS = 5
"""Letters and digits of the shortest identifier that is recognised without a word before it."""
MOST_CUES = 8
FEWEST_CUED = 2
"""Identifiers that a word must stand before, to be a cue of their form."""
MOST_WRONG = 0.05
"""Share of what a cue, or a pattern, finds that may be no identifier."""
CUE_WITHIN = 2
"""How many words before an identifier a cue may stand."""
_EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class IdentifierForm:
    """A form in which some identifiers are written."""

    label: PhiLabel
    runs: tuple[str, ...]
    """An expression for each run of letters, of digits, or of other characters."""
    values: tuple[str, ...] = field(repr=False)

    @property
    def expression(self) -> str:
        """A regular expression of re2 for all of it."""
        return "".join(self.runs)

    @property
    def is_distinct(self) -> bool:
        """Whether hardly anything else is written so: it has letters of its own, or separators."""
        signs = min(sum(map(str.isalnum, value)) for value in self.values)
        named = any(run.startswith("(?:") or run.isalpha() for run in self.runs)
        return signs >= LEAST_SIGNS and (named or len(self.runs) >= 2 * 2 + 1)


def learn_forms(samples: Mapping[PhiLabel, Iterable[str]]) -> list[IdentifierForm]:
    """Return the forms of which there are enough samples, by label, the most frequent first."""
    found: list[IdentifierForm] = []
    for label in sorted(samples):
        by_form = defaultdict[tuple[str, ...], set[str]](set)
        for value in samples[label]:
            by_form[tuple(_name_kind(run) for run in _cut(value))].add(value)
        for values in sorted(by_form.values(), key=lambda each: (-len(each), min(each))):
            if len(values) >= FEWEST and any(c.isdigit() for c in min(values)):
                found.append(_learn(label, sorted(values)))  # noqa: PERF401  too long for one
    return found


def _cut(value: str) -> list[str]:
    return ["".join(run) for _, run in groupby(value, key=_kind_of)]


def _kind_of(character: str) -> str:
    if character.isdigit():
        return "0"
    if character.isalpha():
        return "A" if character.isupper() else "a"
    return character


def _name_kind(run: str) -> str:
    kind = _kind_of(run[0])
    return kind if kind in "0Aa" else run


def _learn(label: PhiLabel, values: Sequence[str]) -> IdentifierForm:
    columns = zip(*map(_cut, values), strict=True)
    runs = tuple(_express(list(column)) for column in columns)
    return IdentifierForm(label, runs, tuple(values))


def _express(column: Sequence[str]) -> str:
    kind, distinct = _kind_of(column[0][0]), sorted(set(column))
    if kind not in "0Aa":
        return re.escape(column[0])
    if kind != "0" and len(distinct) <= max(1, min(MOST_SPELLED, len(column) // 2)):
        return distinct[0] if len(distinct) == 1 else f"(?:{'|'.join(distinct)})"
    sign = {"0": r"\d", "A": "[A-Z]", "a": "[a-z]"}[kind]
    least, most = min(map(len, column)), max(map(len, column))
    return f"{sign}{{{least}}}" if least == most else f"{sign}{{{least},{most}}}"


def find_cues(
    form: IdentifierForm, read: Iterable[LabelledNote], unread: Iterable[LabelledNote]
) -> tuple[str, ...]:
    """Return the words that stand before identifiers of a form and before nothing like them.

    Args:
        form: Whose values are looked for.
        read: Notes in which readers marked all PHI: what matches and is not marked is none.
        unread: Other notes of the site, where the samples alone are known to be identifiers.
    """
    expression = re.compile(rf"(?<![^\W_])(?:{form.expression})(?![^\W_])")
    right, wrong = Counter[str](), Counter[str]()
    for notes, is_read in ((read, True), (unread, False)):
        for labelled in notes:
            text = labelled.note.text
            for match in expression.finditer(text):
                words = words_of(text[max(0, match.start() - 40) : match.start()])[-CUE_WITHIN:]
                cue = next((word for word in reversed(words) if word.isalpha()), "")
                if is_read:
                    marks = _marks_at(labelled, match.start(), match.end())
                    right[cue] += form.label in marks
                    wrong[cue] += form.label not in marks
                elif match[0] in form.values:
                    right[cue] += 1
    sure = [
        cue
        for cue, count in right.most_common()
        if cue and count >= FEWEST_CUED and wrong[cue] <= MOST_WRONG * (count + wrong[cue])
    ]
    return tuple(sure[:MOST_CUES])


def _marks_at(labelled: LabelledNote, start: int, end: int) -> set[PhiLabel]:
    return {span.label for span in labelled.spans if span.start < end and start < span.end}


def make_pattern(form: IdentifierForm, before: tuple[str, ...] = ()) -> SitePattern | None:
    """Return the pattern of a form with invented examples; ``None`` if the policy refuses it.

    Args:
        form: The form.
        before: Words of which one must stand before it; empty: none need.
    """
    lead = f"{before[0]} " if before else ""
    invented = list(_invent(form))
    pattern = SitePattern(
        form.expression,
        form.label,
        before=before,
        within=CUE_WITHIN if before else SitePattern(".", form.label).within,
        examples=tuple(f"{lead}[[{value}]]" for value in invented),
        counter_examples=tuple(f"{lead}{value}0000" for value in invented[:1]),
    )
    return None if any(find_faults(pattern)) else pattern


def _invent(form: IdentifierForm) -> Iterator[str]:
    """Yield values of a form that are none of its samples."""
    rng = random.Random(form.expression)
    parts = [_cut(value) for value in form.values]
    made = 0
    while made < _EXAMPLES:
        runs = list(rng.choice(parts))
        for at, run in enumerate(runs):
            if run.isdigit():
                runs[at] = "".join(rng.choice("0123456789") for _ in run)
        value = "".join(runs)
        if value not in form.values:
            made += 1
            yield value
