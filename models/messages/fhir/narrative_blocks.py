"""Cut the XHTML of a narrative into markup that stays and texts that are parts of the note.

Source: FHIR R4, section 2.4.0. Attributes and inline markup are left out.
"""

from dataclasses import dataclass, field

from deidstream.models.messages.attachments.attachment_limits import LIMITS
from deidstream.models.messages.attachments.markup_text import (
    HIDDEN,
    Element,
    iterate_elements,
    parse_html,
)
from deidstream.models.messages.fhir.fhir_template import DivSlot
from deidstream.models.messages.forms.form_text import FormText
from deidstream.models.text.html_entities import read_spellings
from deidstream.models.text.word_files import split_list
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment

_BLOCKS = frozenset(
    split_list(
        "p ul ol li dl dt dd table caption thead tbody tfoot tr td th h1 h2 h3 h4 h5 h6 blockquote "
        "pre div"
    )
)
_VOID = frozenset(split_list("br hr"))
_LIKE_BREAKS = frozenset(
    split_list(
        "address article aside center details fieldset figcaption figure footer form header legend "
        "main nav option section summary"
    )
)
"""Blocks that are left out, with a line end in their place: what they part stays apart."""
_CELLS = frozenset(split_list("td th"))
_OPEN, _CLOSE = '<div xmlns="http://www.w3.org/1999/xhtml">', "</div>"


@dataclass(slots=True)
class _Blocks:
    """The narrative as far as it is read."""

    text: FormText
    pieces: list[str | int] = field(default_factory=list[str | int])
    waiting: list[str] = field(default_factory=list[str])
    """Text of the block that is open."""
    lead: str = ""
    """What stands in the note before the first text."""
    gap: str = ""
    """What stands in the note before the next one."""

    def put(self, markup: str, gap: str) -> None:
        """Add the waiting text, then markup; a new line counts more than a cell."""
        text = " ".join("".join(self.waiting).split())
        self.waiting.clear()
        if any(map(str.isalnum, text)):
            self.pieces.append(self.text.add_beside(text, self.lead or self.gap))
            self.lead = self.gap = ""
        if "\n" not in self.gap:
            self.gap = gap or self.gap
        self.pieces.append(markup)


def write_narrative(text: FormText, div: str, heading: str) -> DivSlot | None:
    """Add the texts of a ``div`` to a note; return where they stand, ``None`` without any.

    Raises:
        UnscannableAttachment: It is nested too deeply.
    """
    root = parse_html(div)
    before = len(text.parts)
    blocks = _Blocks(text, lead=f"{heading}:\n")
    if root is not None:
        _read(blocks, root)
    if len(text.parts) == before:
        return None
    text.add_line("")
    return DivSlot((_OPEN, *blocks.pieces, _CLOSE), read_spellings(div))


def _read(blocks: _Blocks, root: Element) -> None:
    hidden = depth = 0
    for started, element in iterate_elements(root):
        name = element.tag.lower() if isinstance(element.tag, str) else ""
        depth += 1 if started else -1
        if depth > LIMITS.depth:
            raise UnscannableAttachment(AttachmentFault.TOO_DEEP)
        if started:
            hidden += name in HIDDEN
            if not hidden:
                _open(blocks, name)
                blocks.waiting.append(element.text or "")
            continue
        if not hidden:
            _close(blocks, name)
        hidden -= name in HIDDEN
        if not hidden:
            blocks.waiting.append(element.tail or "")
    blocks.put("", "")


def _open(blocks: _Blocks, name: str) -> None:
    if name in _BLOCKS:
        blocks.put(f"<{name}>", "\t" if name in _CELLS else "\n")
    elif name in _VOID:
        blocks.put(f"<{name}/>", "\n")
    elif name in _LIKE_BREAKS:
        blocks.put("<br/>", "\n")


def _close(blocks: _Blocks, name: str) -> None:
    if name in _BLOCKS:
        blocks.put(f"</{name}>", "\t" if name in _CELLS else "\n")
    elif name in _LIKE_BREAKS:
        blocks.put("<br/>", "\n")
