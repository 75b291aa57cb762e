"""Pieces of patterns, for google-re2 in Latin-1 mode over UTF-8 bytes.

``LETTER`` and ``UPPER`` name non-ASCII letters by the bytes that begin them. U+0080 to U+00BF and
U+2000 to U+2FFF (punctuation, signs, arrows, boxes) are left out; a few signs elsewhere count as
letters, and case beyond ASCII is ignored. The fits check the characters again.
"""


def any_of(words: str) -> str:
    """Make a pattern of words or pieces of patterns, given between commas and line ends."""
    pieces = (word.strip() for line in words.splitlines() for word in line.split(", "))
    return "(?:" + "|".join(word.strip(",").replace(" ", r"\x20") for word in pieces if word) + ")"


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text, between spaces and line ends."""
    return frozenset(text.split())


LETTER = r"(?:[A-Za-z]|[\xc3-\xdf][\x80-\xbf]|[\xe0\xe1\xe3-\xef][\x80-\xbf]{2}|\xf0[\x80-\xbf]{3})"
UPPER = r"(?:[A-Z]|[\xc3-\xdf][\x80-\xbf]|[\xe0\xe1\xe3-\xef][\x80-\xbf]{2})"
APOSTROPHE = r"(?:['`]|\xe2\x80[\x98\x99])"
DASH = r"(?:-|\xe2\x80[\x90-\x95])"
SPACE = r"[ \t]{1,3}"
APART = r"(?:^|[^0-9A-Za-z])"
"""Before a word that is not the tail of a longer one."""
APART_AFTER = r"(?:$|[^0-9A-Za-z])"
"""After a word that is not the head of a longer one."""

BEGIN = r"(?:^|[^0-9A-Za-z./:-]|[^0-9][./:-]|--)"
"""Before a number that is not the tail of a longer one."""
END = r"(?:$|[^0-9A-Za-z./:-]|[./:-](?:$|[^0-9]))"
"""After a number that is not the head of a longer one."""

WORD = rf"(?:{UPPER}{LETTER}*(?:(?:{APOSTROPHE}|-){LETTER}+)*)"
"""A capitalised word, double names included."""
INITIAL = r"(?:[A-Z]\.(?:-?[A-Z]\.){0,2})"
NAME_PIECE = rf"(?:{INITIAL}|{WORD})"
PARTICLE = any_of(
    "van, von, de, der, den, del, della, da, dos, das, di, du, la, le, el, al, bin, binti, bte, "
    "bint, ibn, ben, ap, ab, y, ter, ten, zu, af, av, St\\., st\\., a/l, a/p, s/o, d/o"
)
NICKNAME = r"(?:\"[^\"\n]{1,24}\"|\xe2\x80\x9c[^\"\n\xe2]{1,24}\xe2\x80\x9d)"
SUFFIX = r"(?:,?[ ](?:Jr\.?|Sr\.?|JR\.?|SR\.?|I{2,3}|IV)\b\.?)"
_MORE = rf"(?:(?:{SPACE}|[ ]?\n[ ]{{0,3}})(?:{NICKNAME}|(?:{PARTICLE}{SPACE}){{0,2}}{NAME_PIECE}))"
NAME = rf"(?:(?:{PARTICLE}{SPACE}){{0,2}}{NAME_PIECE}{_MORE}{{0,4}}{SUFFIX}?)"
"""A run of capitalised words that may be a person's name."""
LAST_FIRST = (
    rf"(?:(?:{PARTICLE}{SPACE}){{0,2}}{WORD}(?:[ ]{WORD})?{SUFFIX}?[ ]?,[ ]?(?:{INITIAL}"
    rf"|{WORD})(?:[ ]{NAME_PIECE}|[ ]{NICKNAME}){{0,2}})"
)
"""A name written last name first, as on forms."""
LOWER_NAME = rf"(?:[a-z]{LETTER}{{2,14}}(?:-[a-z]{LETTER}{{2,14}})?)"
"""One word without capitals, for notes typed in haste; only after a strong cue."""
