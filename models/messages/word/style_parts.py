"""The parts of a Word document that say what its text looks like, without what somebody named."""

import re
from collections.abc import Iterator, Mapping

from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.word.elements import make_element
from deidstream.models.messages.word.kept_markup import (
    NAMESPACES,
    clark,
    is_font,
    is_style_of_word,
)
from deidstream.models.messages.word.story_copy import Related, copy_story

_STYLE, _STYLE_ID, _NAME, _VAL = (clark(f"w:{n}") for n in ("style", "styleId", "name", "val"))
_COLOURS = (
    ("dk1", "000000"), ("lt1", "FFFFFF"), ("dk2", "44546A"), ("lt2", "E7E6E6"),
    ("accent1", "4472C4"), ("accent2", "ED7D31"), ("accent3", "A5A5A5"), ("accent4", "FFC000"),
    ("accent5", "5B9BD5"), ("accent6", "70AD47"), ("hlink", "0563C1"), ("folHlink", "954F72"),
)  # fmt: skip
"""Of a theme of Word, in their order."""
_FONT = "Calibri"
_FILLS = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>' * 3
_LINES = '<a:ln w="6350"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>' * 3
_EFFECTS = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
_HEX = re.compile(r"[0-9A-Fa-f]{6}")


def name_styles(styles: Element) -> dict[str, tuple[str, str]]:
    """Return a new id and name for each style by its id: those of Word's own styles stay."""
    found: dict[str, tuple[str, str]] = {}
    taken: set[str] = set()
    for number, style in enumerate(styles.iter(_STYLE), 1):
        stated = style.find(_NAME)
        name = "" if stated is None else stated.get(_VAL) or ""
        new = "".join(word[:1].upper() + word[1:] for word in name.split())
        if not name.strip() or not is_style_of_word(name) or new.casefold() in taken:
            new, name = f"Style{number}", f"Style {number}"
        taken.add(new.casefold())
        found.setdefault(style.get(_STYLE_ID) or "", (new, " ".join(name.split())))
    return found


def copy_styles(styles: Element, names: Mapping[str, tuple[str, str]]) -> Element:
    """Return a copy of the styles, under new ids and names."""
    made = copy_story(styles, Related({old: new for old, (new, _) in names.items()}))
    given = [one.get(_STYLE_ID) or "" for one in styles.iter(_STYLE)]
    seen: set[str] = set()
    for old, style in zip(given, list(made.iter(_STYLE)), strict=True):
        if old in seen:
            style.getparent().remove(style)
            continue
        seen.add(old)
        new, name = names[old]
        style.set(_STYLE_ID, new)
        for stated in list(style.findall(_NAME)):
            style.remove(stated)
        style.insert(0, make_element(_NAME, {_VAL: name}))
    return made


def write_theme(theme: Element) -> bytes:
    """Return a theme with the colours and the known fonts of another one."""
    space = f"{{{NAMESPACES['a']}}}"
    colours = "".join(_write_colours(theme))
    fonts = "".join(
        f'<a:{name}Font><a:latin typeface="{_find_font(theme, name)}"/><a:ea typeface=""/>'
        f'<a:cs typeface=""/></a:{name}Font>'
        for name in ("major", "minor")
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<a:theme xmlns:a="{space[1:-1]}"'
        f' name=""><a:themeElements><a:clrScheme name="">{colours}</a:clrScheme>'
        f'<a:fontScheme name="">{fonts}</a:fontScheme><a:fmtScheme name="">'
        f"<a:fillStyleLst>{_FILLS}</a:fillStyleLst><a:lnStyleLst>{_LINES}</a:lnStyleLst>"
        f"<a:effectStyleLst>{_EFFECTS}</a:effectStyleLst><a:bgFillStyleLst>{_FILLS}"
        f"</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    ).encode()


def _write_colours(theme: Element) -> Iterator[str]:
    for name, usual in _COLOURS:
        stated = theme.find(f".//{clark(f'a:{name}')}/*")
        value = "" if stated is None else stated.get("lastClr") or stated.get("val") or ""
        colour = value.upper() if _HEX.fullmatch(value) else usual
        yield f'<a:{name}><a:srgbClr val="{colour}"/></a:{name}>'


def _find_font(theme: Element, name: str) -> str:
    stated = theme.find(f".//{clark(f'a:{name}Font')}/{clark('a:latin')}")
    font = "" if stated is None else stated.get("typeface") or ""
    return font if is_font(font) else _FONT
