"""Copy a part of a Word document: its text as it is read, and of its markup what may stay."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from deidstream.models.messages.attachments.docx_text import TEXTS, walk_story
from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.word.elements import add_element, make_root, parse_own
from deidstream.models.messages.word.kept_markup import (
    NAMESPACES,
    clark,
    is_font,
    is_plain,
    keep_signs,
    kept_attributes,
    may_stay,
    name_field,
)
from deidstream.models.text.word_files import split_list
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_AUTHOR = "Author"
"""In the place of whoever wrote a comment or a tracked change."""
_AUTHORED = tuple(
    clark(f"w:{name}")
    for name in split_list(
        "comment ins moveFrom moveTo pPrChange rPrChange sectPrChange tblPrChange tblPrExChange "
        "trPrChange tcPrChange tblGridChange"
    )
)
_STYLED = frozenset(
    clark(f"w:{name}")
    for name in split_list("pStyle rStyle tblStyle basedOn next link numStyleLink styleLink")
)
"""Elements that name a style."""
_DRAWN = tuple(clark(name) for name in ("wp:docPr", "pic:cNvPr", "wps:cNvPr", "wpg:cNvPr"))
_RENAMED: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        **dict.fromkeys(_AUTHORED, ((clark("w:author"), _AUTHOR),)),
        **dict.fromkeys(_DRAWN, (("name", ""),)),
    }
)
"""Attributes that elements must have, with what they say in the place of a name."""
_OF_BLOCKS = frozenset(
    clark(f"w:{name}") for name in split_list("tc hdr ftr footnote endnote comment txbxContent")
)
"""Elements that end with a paragraph."""
_BLOCK = clark("w:p")
_NEVER_EMPTY = frozenset(
    clark(name) for name in ("w:drawing", "w:pict", "w:object", "mc:AlternateContent", "mc:Choice")
)
_PICTURED = MappingProxyType(
    {clark("a:blip"): clark("r:embed"), clark("v:imagedata"): clark("r:id")}
)
"""Elements that show a picture, with the attribute that says which."""
_EDGES = frozenset({clark("w:headerReference"), clark("w:footerReference")})
_FIELD, _CODE, _SIMPLE = clark("w:fldChar"), clark("w:instrText"), clark("w:fldSimple")
_SYMBOL, _FONTS, _TEXT = (clark(f"w:{name}") for name in ("sym", "rFonts", "t"))
_VAL, _INSTRUCTION, _FIELD_TYPE = clark("w:val"), clark("w:instr"), clark("w:fldCharType")
_CHARACTER, _SYMBOL_FONT, _LEVEL_TEXT = clark("w:char"), clark("w:font"), clark("w:lvlText")
_WITH_FONTS = MappingProxyType(
    {
        _SYMBOL: (_SYMBOL_FONT,),
        _FONTS: tuple(clark(f"w:{name}") for name in ("ascii", "hAnsi", "eastAsia", "cs")),
    }
)
"""Elements that name fonts, with the attributes that do."""
_RELATED = clark("r:id")
_ALTERNATIVES, _CHOICE = clark("mc:AlternateContent"), clark("mc:Choice")
_GRAPHIC, _GRAPHIC_DATA = clark("a:graphic"), clark("a:graphicData")
_FREE = frozenset({clark("wp:posOffset"), clark("wp:align")})
"""Elements whose text is a number or a word of the standard."""
_DRAWN_PATH = clark("a:custGeom")
"""What somebody has drawn, which may be a signature."""
_RECTANGLE = '<a:prstGeom xmlns:a="{a}" prst="rect"><a:avLst/></a:prstGeom>'.format(**NAMESPACES)
_PICTURE = (
    '<a:graphicData xmlns:a="{a}" xmlns:pic="{pic}" xmlns:r="{r}" uri="{pic}"><pic:pic>'
    '<pic:nvPicPr><pic:cNvPr id="0" name=""/><pic:cNvPicPr/></pic:nvPicPr>'
    "<pic:blipFill><a:blip/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>"
    '<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData>'
).format(**NAMESPACES)
"""A picture in the place of a chart or a diagram; the frame around it states its size."""


@dataclass(frozen=True, slots=True)
class Related:
    """How a copy names what is beside it in the package."""

    styles: Mapping[str, str]
    """New ids of styles, by the ids that they have."""
    edges: Mapping[str, str] = field(default_factory=dict[str, str])
    """New relations to headers and footers, by those that they have."""
    blank: Callable[[], str] = lambda: ""
    """Returns the relation to a blank picture, and makes it."""


def copy_story(root: Element, related: Related) -> Element:
    """Return a copy of a part, with each text as it is read.

    Raises:
        UnscannableAttachment: A text stands in a graphic that is no shape.
    """
    copy = _Copy(related, {}, {root}, _find_fields(root))
    for text, element in walk_story(root):
        if text:
            copy.note_text(text, element)
    made = make_root(root.tag, NAMESPACES)
    copy.fill(made, root)
    return made


@dataclass(slots=True)
class _Copy:
    related: Related
    texts: dict[Element, list[str]]
    """What is read of each element of a text."""
    read: set[Element]
    """Elements with text that is read."""
    codes: Mapping[Element, str]
    """Elements of fields that stay, each with the code that it states."""

    def note_text(self, text: str, element: Element) -> None:
        lineage = [element, *element.iterancestors()]
        self.read.update(lineage)
        holders = [outer for outer in lineage if outer.tag in TEXTS]
        if holders or element.tag == _SYMBOL:
            holder = holders[-1] if holders else element
            self.texts.setdefault(holder, []).append(text)

    def fill(self, made: Element, element: Element) -> None:
        for inner in element:
            self.copy(inner, made)
        # Settings name footnotes by elements that hold nothing.
        if made.tag in _OF_BLOCKS and len(element) and (not len(made) or made[-1].tag != _BLOCK):
            add_element(made, _BLOCK)

    def copy(self, element: Element, parent: Element) -> None:
        tag = element.tag
        if tag in TEXTS or (tag == _SYMBOL and not _is_known_symbol(element)):
            self._write_text(element, parent)
        elif tag == _ALTERNATIVES:
            self._copy_alternatives(element, parent)
        elif not isinstance(tag, str):
            return  # a comment, an instruction or an entity
        elif not self._stays(element):
            self._drop(element, parent)
        elif tag == _GRAPHIC and not _is_drawn(element):
            self._replace_graphic(element, parent)
        else:
            self._copy_element(element, parent)

    def _stays(self, element: Element) -> bool:
        tag = element.tag
        if tag in {_FIELD, _CODE, _SIMPLE}:
            return element in self.codes
        if tag in _EDGES:
            return element.get(_RELATED) in self.related.edges
        if tag in _STYLED:
            return element.get(_VAL) in self.related.styles
        return may_stay(element)

    def _copy_element(self, element: Element, parent: Element) -> None:
        tag = element.tag
        made = add_element(parent, tag, dict(self._attributes(element)))
        if tag in _FREE:
            text = (element.text or "").strip()
            made.text = text if is_plain(text) else "0"
        if tag == _CODE:
            made.text = self.codes[element]
        self.fill(made, element)
        if (tag in _NEVER_EMPTY or _has_lost_value(element, made)) and not len(made):
            parent.remove(made)

    def _attributes(self, element: Element) -> Iterator[tuple[str, str]]:
        """Yield the attributes that stay, and those that say something else than they did."""
        tag = element.tag
        yield from kept_attributes(element)
        yield from _RENAMED.get(tag, ())
        if tag in _STYLED:
            yield _VAL, self.related.styles[element.get(_VAL)]
        elif tag in _EDGES:
            yield _RELATED, self.related.edges[element.get(_RELATED)]
        elif tag in _PICTURED:
            yield _PICTURED[tag], self.related.blank()
        elif tag == _SIMPLE:
            yield _INSTRUCTION, self.codes[element]
        elif tag == _LEVEL_TEXT:
            yield _VAL, keep_signs(element.get(_VAL) or "")
        elif tag in _WITH_FONTS:
            fonts = ((name, element.get(name) or "") for name in _WITH_FONTS[tag])
            yield from ((name, font) for name, font in fonts if is_font(font))

    def _drop(self, element: Element, parent: Element) -> None:
        """Leave an element out, but for the texts in it that are read."""
        if element.tag == _DRAWN_PATH:
            parent.append(parse_own(_RECTANGLE))
        elif element in self.read:
            for inner in element:
                self.copy(inner, parent)

    def _write_text(self, element: Element, parent: Element) -> None:
        text = "".join(self.texts.get(element, ()))
        if not text:
            return
        tag = _TEXT if element.tag == _SYMBOL else element.tag
        made = add_element(parent, tag)
        made.text = text
        if tag == _TEXT:
            made.set(_SPACE, "preserve")

    def _copy_alternatives(self, element: Element, parent: Element) -> None:
        """Copy the forms of an element that a reader chooses from, but for that of old readers."""
        for choice in element:
            if choice.tag != _CHOICE:
                continue
            needed = [choice.nsmap.get(name) for name in (choice.get("Requires") or "").split()]
            known = {space: prefix for prefix, space in NAMESPACES.items()}
            if all(space in known for space in needed):
                around = add_element(parent, _ALTERNATIVES)
                requires = " ".join(known[space] for space in needed)
                self.fill(add_element(around, _CHOICE, {"Requires": requires}), choice)
                if not len(around[0]):
                    parent.remove(around)
            elif choice in self.read:
                self.fill(parent, choice)

    def _replace_graphic(self, element: Element, parent: Element) -> None:
        if element in self.read:
            raise UnscannableAttachment(AttachmentFault.NOT_WRITTEN)
        made = add_element(parent, _GRAPHIC)
        made.append(parse_own(_PICTURE))
        for picture in made.iter(clark("a:blip")):
            picture.set(_PICTURED[picture.tag], self.related.blank())


def _has_lost_value(element: Element, made: Element) -> bool:
    """Return whether the value did not stay without which an element says something else."""
    return element.get(_VAL) is not None and made.get(_VAL) is None


def _is_known_symbol(element: Element) -> bool:
    return is_font(element.get(_SYMBOL_FONT) or "") and is_plain(element.get(_CHARACTER) or "")


def _is_drawn(graphic: Element) -> bool:
    """Return whether a graphic is a picture or a shape: charts and diagrams are other parts."""
    return all(is_plain(inner.get("uri") or "") for inner in graphic.iter(_GRAPHIC_DATA))


@dataclass(slots=True)
class _Field:
    """A field that has begun: its code, and then its result."""

    shown: bool
    """Whether it stands in no code of another one."""
    elements: list[Element] = field(default_factory=list[Element])
    code: str = ""
    at_result: bool = False

    def keep(self) -> Iterator[tuple[Element, str]]:
        """Yield its elements with the code that each states, if it may stay."""
        name = name_field(self.code)
        if name and self.shown:
            yield from ((element, "") for element in self.elements)
            yield next(one for one in self.elements if one.tag == _CODE), f" {name} "


def _find_fields(root: Element) -> dict[Element, str]:
    """Return the elements of the fields that stay, each with the code that it states."""
    found: dict[Element, str] = {}
    begun: list[_Field] = []
    for element in root.iter(_FIELD, _CODE, _SIMPLE):
        shown = all(one.at_result for one in begun)
        kind = element.get(_FIELD_TYPE)
        if kind == "begin":
            begun.append(_Field(shown))
        if element.tag == _SIMPLE:
            name = name_field(element.get(_INSTRUCTION) or "")
            found |= {element: name} if name and shown else {}
        elif begun:
            _continue(begun[-1], element)
            found |= begun.pop().keep() if kind == "end" else ()
    return found


def _continue(begun: _Field, element: Element) -> None:
    begun.elements.append(element)
    if element.tag == _CODE:
        begun.code += element.text or ""
    elif element.get(_FIELD_TYPE) == "separate":
        begun.at_result = True
