"""Pathological texts of any length, each meant to make one stage of the pipeline slow.

All are made here, without any patient: `TEXTS` maps the name of a text to the function that writes
so many characters of it.
"""

import base64
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import shake_256
from itertools import count

from deidstream.schemas.note import KnownIdentifiers, RawNote

Write = Callable[[int], str]
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"


@dataclass(frozen=True, slots=True)
class HostileText:
    """A kind of text, and how it is written."""

    name: str
    write: Write

    def note(self, length: int) -> RawNote:
        """Return a note of at most so many bytes of the text."""
        return RawNote("note-4471", "P-1903-7724", cut_bytes(self.write(length), length))


def cut_bytes(text: str, length: int) -> str:
    """Return what of a text is whole in its first so many bytes."""
    return text.encode()[:length].decode(errors="ignore")


def repeat(unit: str) -> Write:
    """Repeat a unit up to the length asked for."""
    return lambda length: (unit * (length // len(unit) + 1))[:length]


def number_lines(line: Callable[[int], str]) -> Write:
    """Write lines that all differ, by their number."""

    def write(length: int) -> str:
        lines: list[str] = []
        size = 0
        for number in count():
            lines.append(line(number))
            size += len(lines[-1])
            if size >= length:
                return "".join(lines)[:length]
        raise AssertionError

    return write


def draw_from(characters: str) -> Write:
    """Draw characters at random, the same for the same length."""
    return lambda length: "".join(random.Random(length).choices(characters, k=length))


def made_name(number: int) -> str:
    """Return a name that no list has; another for another number."""
    letters: list[str] = []
    for _ in range(4):
        number, consonant = divmod(number, len(CONSONANTS))
        number, vowel = divmod(number, len(VOWELS))
        letters.append(CONSONANTS[consonant] + VOWELS[vowel])
    return "".join(letters).capitalize() + "x"


def date_of(number: int) -> str:
    """Return a day between 1920 and 2030, another for each of 37,000 numbers."""
    number = number * 7919 % 37_200
    return f"{number % 12 + 1:02}/{number // 12 % 28 + 1:02}/{1920 + number // 336}"


def write_base64(length: int) -> str:
    """Write random bytes as one line of base64."""
    return base64.b64encode(shake_256(b"base64").digest(length)).decode()[:length]


def write_hexdump(length: int) -> str:
    """Write random bytes as a tool dumps them, sixteen a line."""
    data = shake_256(b"hexdump").digest(length // 4 + 16)
    rows = (data[first : first + 16] for first in range(0, len(data), 16))
    lines = (f"{n * 16:08x}  {row.hex(' ')}  |................|\n" for n, row in enumerate(rows))
    return "".join(lines)[:length]


def after(head: str, unit: str, tail: str = "") -> Write:
    """Repeat a unit between a head and a tail, up to the length asked for."""
    return lambda length: head + repeat(unit)(length - len(head) - len(tail)) + tail


def chain_names(number: int) -> str:
    """Return a chain of initials and names that never ends in a plain word."""
    return f"{chr(65 + number % 26)}. {chr(65 + number // 26 % 26)}. {made_name(number)} "


_WRITERS: dict[str, Write] = {
    "digits": draw_from("0123456789"),
    "one digit": repeat("1"),
    "spaces": repeat(" "),
    "newlines": repeat("\n"),
    "tabs": repeat("\t"),
    "one letter": repeat("a"),
    "one capital": repeat("A"),
    "one long word": draw_from("abcdefghijklmnopqrstuvwxyz"),
    "two letters": repeat("ab"),
    "counted digits": repeat("0123456789"),
    "one name without blanks": repeat("Smith"),
    "a letter and a digit": repeat("A1"),
    "base64 of zeros": lambda length: base64.b64encode(bytes(length)).decode()[:length],
    "mail of one letter": after("", "a", "@b.com"),
    "link of one letter": after("http://", "a"),
    "doctor of one letter": after("Dr. ", "A"),
    "record of one digit": after("MRN: ", "9"),
    "nested words": number_lines(lambda n: f"Dr. {'A' * (n + 1)}, "),
    "nested numbers": number_lines(lambda n: f"MRN: {'1' * (n + 5)}, "),
    "initials": repeat("A. "),
    "one-letter lines": repeat("A\n"),
    "brackets": repeat("([{"),
    "closed brackets": repeat("[**]"),
    "hyphens": repeat("-"),
    "dots": repeat("."),
    "commas": repeat(","),
    "colons": repeat(":"),
    "slashes": repeat("/"),
    "quotes": repeat("\"'\u201c"),
    "digits and hyphens": repeat("1-1-1-"),
    "digits and dots": repeat("1.1.1."),
    "numbers": number_lines(lambda n: f"{n * 7919 % 100_003} "),
    "titles": repeat("Dr. "),
    "titles and letters": repeat("Dr. A\n"),
    "at signs": repeat("a@a@a@"),
    "addresses of mail": number_lines(lambda n: f"a{n}@b.c@"),
    "dotted mail": repeat("a.b@c.d."),
    "links": repeat("http://a.b/c?d=e&"),
    "labels": repeat("A: "),
    "spaced letters": repeat("J o h n "),
    "spaced digits": repeat("5 5-5 "),
    "zero width": repeat("a\u200b\u200c\u200d\ufeff"),
    "only zero width": repeat("a" + "\u200b" * 99),
    "combining": repeat("e\u0301\u0302\u0303"),
    "look-alikes": repeat("J\u043ehn \u0421arter "),
    "full width": repeat("\uff2a\uff4f\uff48\uff4e "),
    "emoji": repeat("\U0001f469\u200d\u2695\ufe0f\U0001f600"),
    "right to left": repeat("\u202e\u05d0\u05d1 \u0627\u0628\u202c "),
    "ligatures": repeat("\ufb03\u00df\u0130 "),
    "ideographs": repeat("\u674e\u660e\u533b\u751f"),
    "torn words": repeat("Ab-\ncd "),
    "torn names": number_lines(lambda n: f"Mr. {made_name(n)[:4]}\n{made_name(n)[4:]} "),
    "torn lines": repeat("Dr.\nA\n"),
    "soft hyphens": repeat("S\u00ad\n"),
    "one cue": lambda length: ("MRN: " + "4471-0982 " * (length // 10 + 1))[:length],
    "cues": repeat("MRN 1\n2a\n"),
    "blank table": repeat("|          |\t          |\n"),
    "base64": write_base64,
    "names": number_lines(lambda n: f"Mr. {made_name(n)}, "),
    "one name": repeat("Mr. Quillon Abernathy-Voss, "),
    "names of words": repeat("Mr. May, Dr. Young, "),
    "dates": number_lines(lambda n: f"{date_of(n)} "),
    "one date": repeat("3/4/2024 "),
    "dates in words": repeat("the third of March two thousand and four "),
    "ages": repeat("an 87-year-old "),
    "social security numbers": number_lines(
        lambda n: f"{n * 7919 % 899 + 1:03}-{n % 99 + 1:02}-{n:04} "
    ),
    "words of nine digits": number_lines(lambda n: f"{n * 7_654_321 % 10**9:09} "),
    "identifiers": number_lines(lambda n: f"MRN {n * 7919 % 9_999_991:07} "),
    "one identifier": repeat("MRN 4471098 "),
    "phones": number_lines(lambda n: f"(200) 555-{n % 10_000:04} "),
    "places": repeat("12 Larkspur Court, Boston, MA 02118\n"),
    "institutions": repeat("St. Mary Hospital "),
    "capital words": repeat("Left Ventricular Hypertrophy "),
    "title-case words": number_lines(lambda n: f"{made_name(n)} {made_name(n * 7 + 1)} "),
    "capitals": number_lines(lambda n: f"{made_name(n).upper()} "),
    "small \u00e9": repeat("\u00e9"),
    "capital names": repeat("SMITH JOHN "),
    "small names": repeat("john smith "),
    "chains of initials": number_lines(chain_names),
    "nested brackets": lambda length: "(" * (length // 3) + "a " * (length // 6) + ")" * length,
    "nested quotes": repeat("> > > Mr. Voss wrote: "),
    "alternating scripts": repeat("a\u0430\u03b1\u05d0b\u0431\u03b2\u05d1 "),
    "alternating words": number_lines(lambda n: f"{made_name(n)} \u0418\u0432\u0430\u043d "),
    "names with marks": repeat("Jo\u0308rg Mu\u0308n\u0303oz "),
    "half dates": number_lines(lambda n: f"{n % 12 + 1}/{n % 28 + 1}/ "),
    "half phones": number_lines(lambda n: f"(2{n % 100:02}) 5"),
    "half mail": number_lines(lambda n: f"a{n}.b@ c{n}@d "),
    "half links": number_lines(lambda n: f"www.{made_name(n)}. http:// "),
    "glued dates": number_lines(date_of),
    "glued phones": number_lines(lambda n: f"200-555-{n % 10_000:04}"),
    "glued mail": number_lines(lambda n: f"a{n}@b.example"),
    "carriage returns": repeat("Mr. Quillon\r\nAbernathy\r\n"),
    "only returns": repeat("\r\n"),
    "line separators": repeat("Dr. A\u2028B\u2029\x85C\x0b\x0c"),
    "markup": number_lines(lambda n: f'<td class="c{n}"><b>{made_name(n)}</b></td>&nbsp;'),
    "entities": repeat("&#74;&#111;&#104;&#110; &lt;&amp;"),
    "hexdump": write_hexdump,
    "JSON": number_lines(
        lambda n: f'{{"id": {n}, "name": "{made_name(n)}", "born": "{date_of(n)}", "on": true}},'
    ),
    "lines of base64": lambda length: "\n".join(re.findall(".{1,76}", write_base64(length))),
    "words in hexadecimal": number_lines(lambda n: f"{n * 2_654_435_761 % 2**32:08x}-"),
    "sentence without end": number_lines(lambda n: f"and {made_name(n).lower()} then "),
    "one line of fields": repeat("Name: Voss DOB: 3/4/1956 MRN: 44710982 Tel: 200-555-0137 "),
    "table": number_lines(lambda n: f"| {made_name(n)} | {date_of(n)} | {n % 300} | mg/dL |\n"),
    "columns": number_lines(lambda n: f"{made_name(n)}\t{n % 997}\t{date_of(n)}\t\n"),
    "words and dates": number_lines(lambda n: f"{n % 12 + 1}/{n % 28 + 1}/{n % 90 + 10} {n:x}q "),
    "words and names": number_lines(lambda n: f"Dr. {made_name(n)} {n:x}q "),
    "words and ages": number_lines(lambda n: f"{n % 80 + 10}yo {n:x}q "),
    "odd signs and dates": number_lines(
        lambda n: f"{chr(0x3400 + n % 9000)} {n % 12 + 1}/{n % 28 + 1}/{n % 90 + 10} "
    ),
    "apostrophes": repeat("O'D'Arcy-Le'Voss's "),
    "hyphened names": number_lines(lambda n: f"{made_name(n)}-"),
    "names with commas": number_lines(lambda n: f"{made_name(n)}, "),
    "signatures": number_lines(lambda n: f"/s/ {made_name(n)}, M.D.\n"),
    "addresses": number_lines(lambda n: f"{n} {made_name(n)} St Apt {n % 99}, Boston, MA 02118, "),
    "relatives": repeat("his mother's sister's son's wife's "),
    "ages of all": number_lines(lambda n: f"{n % 130} y/o, aged {n % 130}, "),
    "months": repeat("Jan Feb Mar Apr May June "),
    "ordinals": repeat("the first of the second of the third "),
    "percent signs": repeat("50% of 1,000.00 +/- 2.5% "),
    "mentions": repeat("@john #smith "),
    "file names": number_lines(lambda n: f"C:\\Users\\{made_name(n)}\\{n}.pdf "),
    "hospital words": repeat("Hospital Clinic Center of the University "),
}

TEXTS = {name: HostileText(name, write) for name, write in _WRITERS.items()}


def note_with_known(length: int, entries: int = 200, beside: HostileText | None = None) -> RawNote:
    """Return a note whose ``known`` block has many entries.

    It holds them all, unless it is of a hostile text beside them.
    """
    names = tuple(f"{made_name(n)} {made_name(n + 77)}" for n in range(entries))
    known = KnownIdentifiers(
        names=names,
        identifiers=tuple(f"{n * 7919:08}" for n in range(entries)),
        dates=tuple(f"{1920 + n % 100}-{n % 12 + 1:02}-{n % 28 + 1:02}" for n in range(entries)),
        phones=tuple(f"200-555-{n:04}" for n in range(entries)),
        addresses=tuple(f"{n} {made_name(n)} Street, Larkmoor" for n in range(entries)),
    )
    line = number_lines(lambda n: f"Seen with {names[n % entries]}, {n * 7919 % 10**7:08}. ")
    text = cut_bytes(line(length) if beside is None else beside.write(length), length)
    return RawNote("note-4471", "P-1903-7724", text, known=known)
