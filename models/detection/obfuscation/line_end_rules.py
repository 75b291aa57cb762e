"""Decide whether a date, an e-mail address, a street address or a number is torn at a line end.

Everywhere ``line`` is a line without white space at its end, ``last_word`` its last word,
``next_line`` the line below without its indent, and ``first_word`` the first word of that.
"""

import re2

from deidstream.models.phi.dates.calendar import month_words
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.patterns import word_set

_SHORTEST = 5
"""Letters of the shortest foreign month that is looked for: ``mac`` and ``mai`` are other words."""
_MONTHS = frozenset(
    {*month_words("English"), *(word for word in month_words() if len(word) >= _SHORTEST)}
)
_PUNCTUATION = ".,;:"
_DAY = re2.compile(r"^[0-9]{1,2}(?:st|nd|rd|th)?,?$")
_DAY_OF = re2.compile(r"\b[0-9]{1,2}(?:st|nd|rd|th)? of$")
_CENTURY = r"(?:19|20)[0-9]{2}"
_PART = r"(?:0?[1-9]|[12][0-9]|3[01])"
_SHORT = re2.compile(
    rf"^{_PART}[-/]{_PART}(?:[-/](?:[0-9]{{2}}|{_CENTURY}))?[.,;)]?$"
    rf"|^[0-9]{{1,2}}\.[0-9]{{1,2}}\.(?:[0-9]{{2}}|{_CENTURY})[.,;)]?$"
)
_WHOLE = re2.compile(
    rf"^[(\[]?(?:{_PART}[-/.]{_PART}[-/.]{_CENTURY}|{_CENTURY}(?:[-/.][0-3][0-9]){{2}})[.,;)\]]?$"
)
_BEGUN_WHOLE = re2.compile(
    rf"^[(\[]?(?:{_PART}[-/.]{_PART}[-/.]{_CENTURY}|{_CENTURY}(?:[-/.][0-3][0-9]){{2}})(?:[^0-9]|$)"
)
"""A whole date and what may stand behind it: a mark, or the time of a stamp."""
_WHOLE_SHORT = re2.compile(rf"^[(\[]?{_PART}[-/.]{_PART}[-/.][0-9]{{2}}[.,;)\]]?$")
_YEAR = re2.compile(rf"^{_CENTURY}[.,;)\]]?$")
_TENS = frozenset("0123")
_DAY_FIRST = re2.compile(r"^[0-9](?:st|nd|rd|th)? (?:of )?(\p{Lu}\p{L}*)")


def ends_before_day(line: str, last_word: str) -> bool:
    """Return whether a line ends in a month, ``May``, or in a month and a day, ``May 3,``."""
    return _is_month(last_word) or (bool(_DAY.search(last_word)) and ends_after_month(line))


def continues_with_month(line: str, next_line: str, last_word: str) -> bool:
    """Return whether a day ends the line and its month begins the next: ``3rd of`` / ``May``."""
    words = next_line.split(None, 2)
    month = words[1] if words[0] == "of" and len(words) > 1 else words[0]
    return _is_month(month) and bool(_DAY.search(last_word) or _DAY_OF.search(line))


def ends_after_month(line: str) -> bool:
    """Return whether one of the last three words is a month: ``May 3, 20``."""
    return any(map(_is_month, line.rsplit(None, 3)[-3:]))


def _ends_in_whole_date(line: str, last_word: str) -> bool:
    """Return whether a line ends in a date that needs nothing more: ``May 3, 2024``, ``3/4/24``."""
    numeric = _WHOLE.search(last_word) or _WHOLE_SHORT.search(last_word)
    return bool(numeric or (_YEAR.search(last_word) and ends_after_month(line)))


def cuts_date(next_line: str, last_word: str, first_word: str) -> bool:
    """Return whether a date was cut between two digits: ``1`` / ``2 May``, ``3/1`` / ``2/2024``."""
    day = _DAY_FIRST.search(next_line)
    if day and last_word in _TENS and _is_month(str(day.group(1))):
        return True
    return bool(_SHORT.search(last_word + first_word))


def cuts_month(last_word: str, first_word: str) -> bool:
    """Return whether a month was cut in two: ``Janu`` / ``ary``."""
    word = last_word + first_word.rstrip(_PUNCTUATION)
    return word.istitle() and _is_month(word)


def _is_month(word: str) -> bool:
    return word.rstrip(_PUNCTUATION).lower() in _MONTHS


_DOMAIN = re2.compile(r"^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,12}[.,;)>]?$")
_ENDING = re2.compile(r"^[A-Za-z]{1,12}[.,;)>]?$")
_LOCAL_PART = re2.compile(r"^[a-z0-9]+[._][a-z0-9._]+$|^[a-z]+[0-9]+$")
_CUE = re2.compile(r"(?i:e-?mail(?: address)?)\b[: ]*$")


def continues_mail(line: str, last_word: str, first_word: str) -> bool:
    """Return whether two words are halves of an e-mail address: ``ann.fenn`` / ``@mail.org``."""
    if "@" in last_word:
        return _continues_domain(last_word.rpartition("@")[2], first_word)
    if not (last_word[-1].isalnum() or last_word[-1] in "._+-"):
        return False
    stem = last_word.rstrip("._+-")
    unknown = stem.isalpha() and stem.islower() and stem not in common_words()
    apart = first_word[0] in "@._+-" or bool(_LOCAL_PART.search(stem))
    return apart or unknown or bool(_CUE.search(line[: len(line) - len(last_word)]))


def _continues_domain(domain: str, first_word: str) -> bool:
    if first_word[0] == ".":
        return domain[-1:].isalnum() and bool(
            _ENDING.search(first_word.rstrip(".").rpartition(".")[2])
        )
    if "." not in domain or domain[-1] in ".-":
        return bool(_DOMAIN.search(first_word)) or (
            domain[-1:] == "." and bool(_ENDING.search(first_word))
        )
    return bool(_DOMAIN.search(first_word)) and first_word.islower()


_UNITS = word_set("apt apartment suite ste unit flat box room ward floor p.o po")
_WAY = (
    r"(?:(?:Street|Ave|Avenue|Rd|Road|Ln|Lane|Drive|Ct|Court|Pl|Place|Blvd|Boulevard|Way|Terrace"
    r"|Crescent|Circle|Cir|Pkwy|Parkway|Hwy|Highway|Square|Trail|Trl|Alley)\b"
    r"|(?:St|Dr|Ter|Close|Cl|Cres|Sq|Row|Walk)\b\.?(?:[^\p{L}]*$|[^\p{L} ]| [^\p{Lu}]))"
)
_UNIT = r"(?:Apt|Apartment|Suite|Ste|Unit|Flat|Room|Floor)\b\.? ?#?[0-9]"
_HOUSE = re2.compile(r"\b[0-9]+[A-Za-z]?,? (?:\p{Lu}[\p{L}'.-]* ){0,3}\p{Lu}[\p{L}'.-]*$")
_WAY_ON = re2.compile(rf"^(?:(?:\p{{Lu}}[\p{{L}}'-]*\.? ){{0,3}}{_WAY}|{_UNIT})")
_HOUSE_ON = re2.compile(rf"^[0-9]+[A-Za-z]? (?:\p{{Lu}}[\p{{L}}'-]*\.? ){{1,3}}{_WAY}")
_STATE = re2.compile(r",? [A-Z]{2}$")
_ZIPPED = re2.compile(r"^[A-Z]{2},? [0-9]{5}\b")
_ZIP_BEGUN = re2.compile(r"\b[A-Z]{2},? [0-9]{1,4}$")
_ZIP_DIGITS = 5


def continues_address(line: str, next_line: str, last_word: str) -> bool:
    """Return whether an address continues: ``12 Elm`` / ``Street``, ``Salem,`` / ``MA 01970``."""
    if not next_line[0].isupper():
        return False
    if last_word[-1] == "," and _ZIPPED.search(next_line):
        return True
    numbered = last_word[0].isdecimal() or (last_word[0].isupper() and bool(_HOUSE.search(line)))
    return bool(numbered and _WAY_ON.search(next_line)) or last_word.rstrip(".,").lower() == "p.o"


def ends_before_address_number(line: str, last_word: str) -> bool:
    """Return whether a line ends before a number of an address: ``Apt``, or ``Salem, MA``."""
    state = line[-2:].isupper() and bool(_STATE.search(line))
    return state or last_word.rstrip(".,#").lower() in _UNITS


def cuts_address_number(line: str, next_line: str, digits: int) -> bool:
    """Return whether a house number or a ZIP code was cut in two: ``1`` / ``2 Elm Street``.

    Args:
        line: The line.
        next_line: The line below.
        digits: Digits of the two words at the line end together.
    """
    return bool(_HOUSE_ON.search(next_line) or (digits == _ZIP_DIGITS and _ZIP_BEGUN.search(line)))


_NO_SPACE, _SPACE, _EITHER = ("",), (" ",), ("", " ")
_FEWEST_DIGITS = 5
"""Digits of the shortest number that is read over the end of a line without another sign."""
_FEWEST_DIALLED = 7
"""Digits of the shortest telephone number."""
_FEWEST_BEFORE_TIME = 10
"""Digits of a telephone number of which the last four could be a time of day."""
_LONGEST_PREFIX = 3
"""Letters before the digits of an identifier."""
_CUES = word_set("""
mrn ssn dob d.o.b phone tel telephone mobile cell fax pager number no acct account record policy
member license licence npi dea born birth zip id email e-mail
""")
_IDENTIFIED = re2.compile(
    r"(?i:\b(?:mrn|id|acct|account|no|number|licen[cs]e|policy|member|record|case|dea|plate|vin"
    r"|serial|device)\b)[^\p{L}0-9]{0,4}[0-9A-Za-z-]*$"
)
_CUED_SHORT = re2.compile(r"(?i:\b(?:ending(?: in)?|mrn|acct|account)\b[ :#]{0,3}[0-9]+$)")
_DATED = re2.compile(r"[0-9][-./][0-9]{1,4}\.$")
_DOTTED = re2.compile(r"^[0-9]{2,}\.[0-9]{2,}")
_AREA = re2.compile(r"^[0-9]{1,4}\)")
_TIME = re2.compile(r"^(?:[01][0-9]|2[0-3])[0-5][0-9]\b")
_ROW = re2.compile(r"^[0-9]{1,2}(?:[:h][0-5][0-9]|[ \t]{2}|[ \t]\||[ ]?[MF]\b)|^[0-9]{1,8};[^ \t]")
"""The number of a row, a time of day, or an age and a sex, at the beginning of a line."""
_ITEM = re2.compile(r"^[0-9]{1,2}[.)](?:[^0-9]|$)|^[0-9-]{1,6}[ \t]{2}")
"""The number of an item or of a row, or the end of a torn number and of its sentence."""
_DAY_COUNT = re2.compile(r"(?i)\b(?:hd|pod|ppd|dol|day)[ \t#]{0,3}[0-9]{1,3}$")
"""A day of a stay, which is no part of the date below it."""
_DIALLED = "-0123456789 ().+"


def join_before_digit(line: str, next_line: str, last_word: str) -> tuple[str, ...]:
    """Return what may be written between two lines of which the second begins with a digit."""
    first_word = next_line.split(None, 1)[0]
    numbered = last_word[-1].isdecimal()
    if numbered and (_ROW.search(next_line) or _DAY_COUNT.search(line)):
        return ()
    if _ends_in_whole_date(line, last_word) or (numbered and _BEGUN_WHOLE.search(first_word)):
        # The number beside it is a value, a dose, another date.
        return _NO_SPACE if cuts_date(next_line, last_word, first_word) else ()
    if numbered:
        return _join_digits(line, next_line, last_word, first_word)
    if (
        ends_before_day(line, last_word)
        or ends_before_address_number(line, last_word)
        or is_identifier_cue(last_word)
        or last_word[-1] == ")"
    ):
        return _SPACE
    apart = (last_word[-1] in "-/" and len(last_word) > 1) or bool(_DATED.search(last_word))
    area = last_word == "(" and bool(_AREA.search(next_line))
    coded = last_word.isupper() and len(last_word) <= _LONGEST_PREFIX and ends_in_identifier(line)
    dotted = last_word[-1] == "." and (
        cuts_date(next_line, last_word, first_word) or bool(_DOTTED.search(next_line))
    )
    return _NO_SPACE if apart or area or coded or dotted else ()


def is_identifier_cue(word: str) -> bool:
    """Return whether an identifier usually follows a word: ``MRN:``, ``Phone``."""
    return word.rstrip(".,;:#").lower() in _CUES


def ends_in_identifier(line: str) -> bool:
    """Return whether a line ends in an identifier that may go on: ``MRN 44``, ``Policy AB-``."""
    return bool(_IDENTIFIED.search(line))


def _join_digits(line: str, next_line: str, last_word: str, first_word: str) -> tuple[str, ...]:
    if "\t" in next_line or not any(c.isalpha() for c in line + next_line):
        return ()
    if ends_after_month(line):
        return _EITHER
    digits = _count_digits(last_word + first_word)
    if cuts_date(next_line, last_word, first_word) or cuts_address_number(line, next_line, digits):
        return _NO_SPACE
    dialled = _count_digits(line[len(line.rstrip(_DIALLED)) :])
    if dialled >= _FEWEST_BEFORE_TIME and _ITEM.search(next_line):
        return ()
    dialled += _count_digits(next_line[: len(next_line) - len(next_line.lstrip(_DIALLED))])
    enough = digits >= _FEWEST_DIGITS or dialled >= _FEWEST_DIALLED
    if _TIME.search(next_line) and not ends_in_identifier(line):
        enough = dialled >= _FEWEST_BEFORE_TIME
    return _EITHER if enough or _CUED_SHORT.search(line) else ()


def _count_digits(text: str) -> int:
    return sum(map(str.isdecimal, text))
