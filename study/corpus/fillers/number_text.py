"""Write telephone numbers, identifiers of every kind and network addresses in many shapes."""

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from deidstream.models.phi.codes.spoken_codes import read_spoken_code, write_spoken_code
from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.fillers.word_lists import (
    ALPHABET,
    Pen,
    Site,
    Words,
    read_provider_words,
    read_symbols,
)

_SHORT, _LONGEST, _LAST_FOUR = 6, 80, 4
_WORDY = 4
_LETTERS = ALPHABET + ALPHABET.lower()
_SYMBOLS = MappingProxyType({PhiLabel.ZIP: "zip"})
_SHAPE: Mapping[int, str] = {ord("$"): "%", ord("!"): "#"}
_PHONES = (
    "am_ET bg_BG bn_BD cs_CZ da_DK de_DE de_LI en_AU en_CA en_GB en_IN en_NZ es_ES fa_IR fi_FI "
    "fr_CH he_IL hi_IN hr_HR hu_HU hy_AM id_ID ja_JP ka_GE ko_KR lt_LT lv_LV ne_NP nl_BE nl_NL "
    "no_NO pl_PL pt_BR pt_PT ro_RO ru_RU sk_SK sl_SI sv_SE th_TH tr_TR tw_GH uk_UA uz_UZ vi_VN "
    "zh_CN zh_TW"
)
_PLATES = (
    "da_DK el_GR en_CA en_GB en_NZ en_US es_CO es_ES et_EE fi_FI fr_FR he_IL hu_HU id_ID it_IT "
    "lt_LT nl_BE no_NO pl_PL pt_BR pt_PT sq_AL sv_SE tr_TR zh_TW"
)


def number_words() -> Words:
    """Return the symbols of numbers, and shapes of telephone numbers and plates of the world."""
    found = read_symbols("fillers.numbers.txt") | {"in.": tuple("abcdefghijklmnoprstvwyz")}
    return found | {
        "phone.world": _shapes("phone_number", _PHONES, "formats"),
        "plate.world": _shapes("automotive", _PLATES, "license_formats"),
    }


def _shapes(kind: str, locales: str, attribute: str) -> tuple[str, ...]:
    """Read Faker's shapes; those that call on other shapes are left out."""
    found = [
        shape
        for place in locales.split()
        for shape in read_provider_words(kind, place, (attribute,))
    ]
    plain = (shape.translate(_SHAPE) for shape in found if shape and not set("{@") & set(shape))
    return tuple(f"{{={shape}}}" for shape in plain)


def login_form(name: str) -> str:
    """Write a name as logins do.

    >>> login_form("O'Briain-Núñez")
    'obriainnunez'
    """
    letters = unicodedata.normalize("NFD", name).lower()
    return "".join(c for c in letters if c.isascii() and c.isalnum())


def like_phone(pen: Pen, site: Site) -> str:
    """Write another number in the form of this one; trunk zeros and the American 1 stay."""
    text = site.text
    spoken = read_spoken_code(text)
    if spoken:
        return write_spoken_code(text, "".join(_draw_code_char(pen, c, site.label) for c in spoken))
    digits = [c for c in text if c.isdecimal()]
    country = len(digits) == 11 and digits[0] == "1"  # noqa: PLR2004
    return _redraw_digits(pen, text, kept=1 if country or digits[:1] == ["0"] else 0)


def _redraw_digits(pen: Pen, text: str, kept: int) -> str:
    """Draw every digit but the first ``kept``; a group starts with 0 only if it did before."""
    written: list[str] = []
    seen = 0
    for before, char in zip(" " + text, text, strict=False):
        if not char.isdecimal():
            written.append(char)
            continue
        seen += 1
        leads = char != "0" and not before.isdecimal()
        written.append(char if seen <= kept else pen.code("%" if leads else "#"))
    return "".join(written)


def reform_phone(pen: Pen, site: Site) -> str:
    """Write a number of another form: an extension for an extension, a whole one for a whole."""
    if sum(map(str.isdecimal, site.text)) < _SHORT and not read_spoken_code(site.text):
        return pen.write("pager")
    return pen.write("fax" if site.label is PhiLabel.FAX else "phone.whole")


def like_code(pen: Pen, site: Site) -> str | None:
    """Write a code of the same shape; letters that lead it stay in half of the cases.

    ``None`` where it has neither letter nor digit, or is longer than any.
    """
    text = site.text
    if len(text) > _LONGEST or not any(map(str.isalnum, text)):
        return None
    spoken = read_spoken_code(text)
    if spoken:
        return write_spoken_code(text, "".join(_draw_code_char(pen, c, site.label) for c in spoken))
    head = len(text) - len(text.lstrip(_LETTERS)) if pen.chance(0.5) else 0
    return text[:head] + "".join(_draw_code_char(pen, c, site.label) for c in text[head:])


def _draw_code_char(pen: Pen, char: str, label: PhiLabel) -> str:
    if char.isdecimal():
        return pen.code("#")
    if not char.isalpha() or (label is PhiLabel.SSN and char in "Xx"):
        return char
    return pen.code("?" if char.isupper() else "_")


def reform_code(pen: Pen, site: Site) -> str:
    """Write a code of the label in another shape; four digits of an SSN stay four digits."""
    if site.label is not PhiLabel.SSN:
        return pen.write(_SYMBOLS.get(site.label, site.label.value))
    shown = sum(map(str.isdecimal, site.text))
    return pen.code("####") if shown <= _LAST_FOUR else pen.write("SSN.whole")


def like_login(pen: Pen, site: Site) -> str:
    """Write a login, e-mail or web address with the replacements of the names in it, if any."""
    lowered = written = site.text.casefold()
    for (kind, name), new in list(pen.memory.items()):
        known = login_form(name) if kind in {"name", "proper"} else ""
        if len(known) >= _WORDY and known in lowered and login_form(new):
            written = written.replace(known, login_form(new))
    return pen.write(site.label.value) if written == lowered else _redraw_digits(pen, written, 0)


def like_network(pen: Pen, site: Site) -> str:
    """Write a network address of the same version."""
    new = pen.write("IPADDR")
    while (":" in new) != (":" in site.text):
        new = pen.write("IPADDR")
    return new
