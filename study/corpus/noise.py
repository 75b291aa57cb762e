"""Distort a labelled note as systems, scanners and tired typists do; its spans stay right."""

import random
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from deidstream.models.phi.spelled_numbers import spell
from deidstream.schemas.label import PERSONS
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span

Edit = tuple[int, int, str]
"""``[start, end)`` in code points of a text, and its replacement, which is never empty."""

Distortion = Callable[[LabelledNote, random.Random], LabelledNote]

_KEYS = {
    key: "".join(row[max(i - 1, 0) : i] + row[i + 1 : i + 2])
    for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    for i, key in enumerate(row)
}
_SCANNED_DIGITS = {
    "0": ("O", "o"), "1": ("l", "I", "i"), "2": ("Z", "z"), "4": ("A",), "5": ("S", "s"),
    "6": ("b", "G"), "7": ("T", "/"), "8": ("B",), "9": ("g", "q"),
}  # fmt: skip
_SCANNED_LETTERS = {
    "O": ("0",), "l": ("1", "I"), "I": ("l", "1"), "S": ("5",), "B": ("8",), "m": ("rn",),
    "e": ("c",), "h": ("b",), "u": ("ii",), ",": (".",), ".": (",",), "w": ("vv",), "g": ("q", "9"),
    "i": ("1", "l"), "c": ("e",), "d": ("cl",), "t": ("f",), "a": ("o",), "Z": ("2",), "G": ("6",),
}  # fmt: skip
_SCANS = ((0.003, 0.03), (0.01, 0.1), (0.03, 0.3), (0.005, 0.6))
"""Shares of the letters and of the digits that a scanner misreads: digits are misread oftener."""
_SPOKEN_SIGNS = {".": "full stop", ",": "comma", "/": "slash", "-": "dash", ":": "colon"}
_LOOKALIKES: Mapping[str, str] = {
    "a": "\u0430", "c": "\u0441", "e": "\u0435", "i": "\u0456", "o": "\u043e", "p": "\u0440",
    "x": "\u0445", "y": "\u0443", "A": "\u0410", "B": "\u0392", "E": "\u0415", "H": "\u041d",
    "K": "\u039a", "M": "\u041c", "O": "\u039f", "P": "\u0420", "T": "\u0422", " ": "\u00a0",
    "-": "\u2010", "0": "\uff10", "1": "\uff11", "2": "\uff12", "5": "\uff15",
}  # fmt: skip
_UNSEEN = "\u200b\u00ad\u2060\u200c\ufeff"
_TYPESET = {
    "'": "\u2019",
    "-": "\u2013",
    "\u2019": "'",
    "\u2013": "-",
    "\u201c": '"',
    "\u201d": '"',
}
_UNMARKED = {
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "Ae",
    "œ": "oe", "\u0131": "i", "ð": "d", "þ": "th", "ə": "a", "Ə": "A",
}  # fmt: skip
_SHORTEST_SLIP = 3
_COUNTS = (0, 0, 0, 1, 1, 1, 1, 2, 2, 3)


def distort(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Apply zero to three distortions, drawn by weight, none of them twice.

    A cut may drop spans with the text around them; every other distortion keeps each span.
    """
    for distortion in _draw_distortions(rng):
        labelled = distortion(labelled, rng)
    return labelled


def _draw_distortions(rng: random.Random) -> list[Distortion]:
    drawn: list[Distortion] = []
    for _ in range(rng.choice(_COUNTS)):
        found = rng.choices(DISTORTIONS, _WEIGHTS)[0]
        if found not in drawn:
            drawn.append(found)
    return drawn


def mistype(rng: random.Random, word: str) -> str:
    """Write a word with one typing error, if it is long enough for one.

    >>> mistype(random.Random(1), "Okafor") != "Okafor"
    True
    """
    if len(word) < _SHORTEST_SLIP:
        return word
    start, end, put = _slip(rng, word, rng.randrange(1, len(word) - 1))
    return word[:start] + put + word[end:]


def _slip(rng: random.Random, text: str, place: int) -> Edit:
    here, following = text[place], text[place + 1]
    kind = rng.randrange(4)
    if kind == 0:
        return place, place + 2, following + here
    if kind == 1:
        return place, place + 2, following
    if kind == 2:  # noqa: PLR2004
        return place, place + 1, here + here
    keys = _KEYS.get(here.lower(), here)
    key = rng.choice(keys)
    return place, place + 1, key.upper() if here.isupper() else key


def apply_edits(labelled: LabelledNote, edits: Iterable[Edit]) -> LabelledNote:
    """Make the edits, in order of their starts, and move the spans along.

    An edit that overlaps the one before, or holds the edge of a span inside, is left out.
    """
    edges = sorted({edge for span in labelled.spans for edge in (span.start, span.end)})
    text, pieces, at = labelled.note.text, list[str](), 0
    ends, shifts = list[int](), [0]
    for start, end, put in edits:
        edge = bisect_right(edges, start)
        if start < at or (edge < len(edges) and edges[edge] < end):
            continue
        pieces += (text[at:start], put)
        at = end
        ends.append(end)
        shifts.append(shifts[-1] + len(put) - (end - start))
    pieces.append(text[at:])
    moved = {edge: edge + shifts[bisect_right(ends, edge)] for edge in edges}
    spans = (Span(moved[s.start], moved[s.end], s.label, s.score, s.source) for s in labelled.spans)
    return _replace_text(labelled, "".join(pieces), tuple(spans))


def _replace_text(labelled: LabelledNote, text: str, spans: tuple[Span, ...]) -> LabelledNote:
    return LabelledNote(replace(labelled.note, text=text), spans)


def _same_length(text: str, change: Callable[[str], str]) -> str:
    """Change letter by letter, but not where a letter would become two, as ``ß`` does."""
    changed = change(text)
    if len(changed) == len(text):
        return changed
    return "".join(change(c) if len(change(c)) == 1 else c for c in text)


def shout(labelled: LabelledNote, rng: random.Random) -> LabelledNote:  # noqa: ARG001
    """Write all in capitals."""
    return _replace_text(labelled, _same_length(labelled.note.text, str.upper), labelled.spans)


def murmur(labelled: LabelledNote, rng: random.Random) -> LabelledNote:  # noqa: ARG001
    """Write all in small letters."""
    return _replace_text(labelled, _same_length(labelled.note.text, str.lower), labelled.spans)


def lower_names(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Write the names of people in small letters; of some, in a tenth of cases."""
    share = 0.5 if rng.random() < 0.1 else 1.0  # noqa: PLR2004
    text, pieces, at = labelled.note.text, list[str](), 0
    for span in labelled.spans:
        if span.label in PERSONS and rng.random() <= share:
            pieces += (text[at : span.start], _same_length(text[span.start : span.end], str.lower))
            at = span.end
    pieces.append(text[at:])
    return _replace_text(labelled, "".join(pieces), labelled.spans)


def title_lines(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Write some lines With A Capital At Each Word."""
    share = rng.choice((0.1, 0.3, 1.0))
    lines = labelled.note.text.split("\n")
    titled = [_capitalise_words(line) if rng.random() <= share else line for line in lines]
    return _replace_text(labelled, "\n".join(titled), labelled.spans)


def _capitalise_words(line: str) -> str:
    words = (_same_length(word[:1], str.upper) + word[1:] for word in line.split(" "))
    return " ".join(words)


def wrap(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Break lines hard at 60 to 80 columns, within spans too."""
    columns = rng.randint(60, 80)
    chars = list(labelled.note.text)
    line, space = 0, -1
    for place, char in enumerate(chars):
        if char == "\n":
            line, space = place + 1, -1
        elif char == " ":
            space = place
        if place - line >= columns and space > line:
            chars[space] = "\n"
            line, space = space + 1, -1
    return _replace_text(labelled, "".join(chars), labelled.spans)


def join_lines(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Replace all or some line breaks by spaces."""
    share = rng.choice((0.3, 0.7, 1.0))
    joined = (" " if c == "\n" and rng.random() <= share else c for c in labelled.note.text)
    return _replace_text(labelled, "".join(joined), labelled.spans)


def slip(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Mistype up to two letters in a hundred, inside spans and outside."""
    text = labelled.note.text
    count = int(len(text) * rng.choice((0.002, 0.005, 0.01, 0.02)))
    places = sorted(rng.randrange(1, len(text) - 1) for _ in range(count) if len(text) > 2)  # noqa: PLR2004
    return apply_edits(
        labelled, (_slip(rng, text, i) for i in places if text[i - 1 : i + 2].isalpha())
    )


def glue(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Drop some spaces after punctuation."""
    text, share = labelled.note.text, rng.choice((0.1, 0.4, 0.9))
    places = _places(text, " ", rng, share)
    after = (i for i in places if i and text[i - 1] in ".,;:" and text[i + 1 : i + 2].strip())
    return apply_edits(labelled, ((i - 1, i + 1, text[i - 1]) for i in after))


def spread(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Replace some spaces by two or more, or by a tab."""
    share = rng.choice((0.01, 0.05, 0.2))
    places = _places(labelled.note.text, " ", rng, share)
    return apply_edits(
        labelled, ((i, i + 1, rng.choice(("  ", "  ", "   ", "\t"))) for i in places)
    )


def typeset(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Turn straight quotes and hyphens into typographic ones, and back."""
    text, share = labelled.note.text, rng.choice((0.3, 1.0))
    quoted = (_typeset(text, i) for i in _places(text, "'\"-\u2019\u2013\u201c\u201d", rng, share))
    return apply_edits(labelled, quoted)


def _typeset(text: str, place: int) -> Edit:
    char = text[place]
    if char == '"':
        opens = place == 0 or text[place - 1].isspace() or text[place - 1] in "(["
        return place, place + 1, "\u201c" if opens else "\u201d"
    return place, place + 1, _TYPESET[char]


def disguise(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Replace a few letters by look-alikes of other scripts."""
    text = labelled.note.text
    places = _places(text, "".join(_LOOKALIKES), rng, rng.choice((0.002, 0.01)))
    return apply_edits(labelled, ((i, i + 1, _LOOKALIKES[text[i]]) for i in places))


def hide(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Insert invisible characters after a few letters."""
    text, share = labelled.note.text, rng.choice((0.001, 0.005))
    places = [i for i, c in enumerate(text) if rng.random() < share and c.isalnum()]
    return apply_edits(labelled, ((i, i + 1, text[i] + rng.choice(_UNSEEN)) for i in places
                             if text[i + 1 : i + 2].isalnum()))  # fmt: skip


def unmark(labelled: LabelledNote, rng: random.Random) -> LabelledNote:  # noqa: ARG001
    """Write letters without their accents."""
    text = labelled.note.text
    return apply_edits(labelled, ((i, i + 1, _remove_accent(c)) for i, c in enumerate(text)
                             if not c.isascii() and c.isalpha()))  # fmt: skip


def _remove_accent(char: str) -> str:
    if char in _UNMARKED:
        return _UNMARKED[char]
    base = "".join(c for c in unicodedata.normalize("NFD", char) if not unicodedata.combining(c))
    return base or char


def scan(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Misread characters as a scanner does, and lose or see blanks."""
    text = labelled.note.text
    letters, digits = rng.choice(_SCANS)
    misread = {**dict.fromkeys(_SCANNED_LETTERS, letters), **dict.fromkeys(_SCANNED_DIGITS, digits)}
    forms = _SCANNED_LETTERS | _SCANNED_DIGITS
    edits: list[Edit] = []
    for place, char in enumerate(text):
        if char in misread and rng.random() < misread[char]:
            edits.append((place, place + 1, rng.choice(forms[char])))
        elif char.isalnum() and rng.random() < letters / 2:
            edits.append((place, place + 1, char + " "))
        elif char == " " and place and rng.random() < letters:
            edits.append((place - 1, place + 1, text[place - 1]))
    return apply_edits(labelled, edits)


def speak(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Write small letters, numbers as words, and signs as words or not at all."""
    small = murmur(labelled, rng)
    said = rng.choice((0.0, 0.0, 0.2, 0.8))
    numbers = rng.choice((0.3, 1.0))
    edits: list[Edit] = []
    for found in re.finditer(r"\d+|[.,/:-]", small.note.text):
        token, (start, end) = found[0], found.span()
        if token.isdecimal():
            if rng.random() < numbers:
                edits.append((start, end, _say_number(token)))
        elif rng.random() < said:
            edits.append((start, end, f" {_SPOKEN_SIGNS[token]} "))
        else:
            edits.append((start, end, " "))
    return apply_edits(small, edits)


def _say_number(digits: str) -> str:
    """Say up to two digits as a number, four as two pairs, and others digit by digit."""
    if len(digits) == 4 and digits[2] != "0":  # noqa: PLR2004
        return f"{_say_number(digits[:2])} {_say_number(digits[2:])}"
    if len(digits) > 2 or (digits[0] == "0" and len(digits) > 1):  # noqa: PLR2004
        return " ".join("oh" if digit == "0" else spell(int(digit)) for digit in digits)
    return spell(int(digits)).replace("-", " ")


def _places(text: str, chars: str, rng: random.Random, share: float) -> list[int]:
    """Draw some of the places of ``chars``."""
    wanted = frozenset(chars)
    return [i for i, char in enumerate(text) if char in wanted and rng.random() < share]


def cut_passage(labelled: LabelledNote, rng: random.Random) -> LabelledNote:
    """Keep a passage of whole lines, so that notes do not always begin with a header."""
    starts = list(_line_starts(labelled))
    if len(starts) < 4:  # noqa: PLR2004
        return labelled
    first = rng.randrange(len(starts) // 2 + 1)
    last = rng.randint(first + 1, len(starts) - 1)
    start, end = starts[first], starts[last]
    kept = (replace(span, start=span.start - start, end=span.end - start) for span in labelled.spans
            if start <= span.start and span.end <= end)  # fmt: skip
    return _replace_text(labelled, labelled.note.text[start:end], tuple(kept))


def _line_starts(labelled: LabelledNote) -> Iterator[int]:
    """Yield the starts of lines that are outside spans, and the end of the text."""
    inside = {i for span in labelled.spans for i in range(span.start + 1, span.end)}
    text = labelled.note.text
    yield 0
    yield from (i + 1 for i, c in enumerate(text[:-1]) if c == "\n" and i + 1 not in inside)
    yield len(text)


_WEIGHTED: Mapping[Distortion, int] = {
    cut_passage: 16, wrap: 10, shout: 8, murmur: 8, slip: 10, lower_names: 6, title_lines: 3,
    join_lines: 6, glue: 7, spread: 6, typeset: 6, unmark: 5, scan: 8, speak: 4, disguise: 2,
    hide: 1,
}  # fmt: skip
DISTORTIONS = tuple(_WEIGHTED)
_WEIGHTS = tuple(_WEIGHTED.values())
