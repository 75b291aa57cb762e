"""Write a Word document again, with its permitted text in the places of what was read.

It is made anew: of the document that came, the parts with text that is read are copied, and those
that say what this text looks like. No other part leaves. What was made is read again before it is
returned.
"""

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx.document import Document as OpenDocument
from docx.opc.part import Part, XmlPart
from docx.oxml import parse_xml

from deidstream.models.messages.attachments.attachment_limits import LIMITS, AttachmentLimits
from deidstream.models.messages.attachments.docx_text import (
    Passage,
    Story,
    join_passages,
    list_passages,
    list_stories,
    open_docx,
    read_story,
    related_parts,
)
from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.word.elements import make_root, write_tree
from deidstream.models.messages.word.kept_markup import NAMESPACES, clark
from deidstream.models.messages.word.story_copy import Related, copy_story
from deidstream.models.messages.word.story_text import PlacedText, replace_texts
from deidstream.models.messages.word.style_parts import copy_styles, name_styles, write_theme
from deidstream.models.time_budget import TimeBudget
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import OutOfTime, Reason, Rejected, Stage
from deidstream.schemas.permit import EmitPermit

_DOCUMENT = "document"
_BODY = "body"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.{}+xml"
_THEME_TYPE = "application/vnd.openxmlformats-officedocument.theme+xml"
_HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""Time of all parts, so that the same document makes the same bytes."""
_BLANK = "blank"
_LOOKS = ("styles", "numbering", "settings", "theme")
"""Parts that say what a text looks like, by the ends of their relations."""


def write_docx(
    data: bytes, text: str, permit: EmitPermit, limits: AttachmentLimits = LIMITS
) -> bytes:
    """Return a Word document with the permitted text.

    Args:
        data: The document that came.
        text: What was read of it.
        permit: What may leave.
        limits: Of the document, and of the time for this.

    Raises:
        Rejected: The policy has exchanged more than stretches of the text.
        UnscannableAttachment: The document is not that of the text, or it does not come out with
            the permitted one.
    """
    try:
        with TimeBudget(limits.seconds).running():
            return _write(data, text, permit, limits)
    except Rejected:
        raise
    except OutOfTime:
        raise UnscannableAttachment(AttachmentFault.TOO_SLOW) from None
    except Exception:  # noqa: BLE001 - the libraries raise what they like, and may quote the bytes
        raise UnscannableAttachment(AttachmentFault.NOT_WRITTEN) from None


def _write(data: bytes, text: str, permit: EmitPermit, limits: AttachmentLimits) -> bytes:
    given = [PlacedText(one.span.start, one.span.end, one.text) for one in permit.replacements]
    if _splice(text, given) != permit.text:
        raise Rejected(Reason.REWRITTEN_RESOURCE, Stage.ENCODE)
    document = open_docx(data, limits)
    passages = list_passages(document)
    joined = join_passages(passages)
    if joined.strip() != text:
        raise UnscannableAttachment(AttachmentFault.NOT_WRITTEN)
    before = len(joined) - len(joined.lstrip())
    texts = [PlacedText(one.start + before, one.end + before, one.text) for one in given]
    package = _Package.of(document)
    texts_of: dict[tuple[str, str], str] = {}
    for passage, own in zip(passages, _cut_texts(passages, texts), strict=True):
        wanted = _splice(passage.text, own)
        for story in passage.stories:
            texts_of[story.kind, story.name] = package.add_story(story, passage.text, own, wanted)
    made = package.pack()
    again = [(one.kind, read_story(one.element)) for one in list_stories(open_docx(made, limits))]
    if again != [(one.kind, texts_of[one.kind, one.name]) for one in list_stories(document)]:
        raise UnscannableAttachment(AttachmentFault.NOT_WRITTEN)
    return made


def _splice(text: str, placed: Sequence[PlacedText]) -> str:
    parts: list[str] = []
    at = 0
    for one in placed:
        parts += [text[at : one.start], one.text]
        at = one.end
    return "".join([*parts, text[at:]])


def _cut_texts(
    passages: Sequence[Passage], texts: Sequence[PlacedText]
) -> Iterator[list[PlacedText]]:
    """Yield the texts of each passage; one stands where it begins."""
    begin = 0
    for passage in passages:
        end = begin + len(passage.text)
        own = [one for one in texts if max(one.start, begin) < min(one.end, end)]
        yield [
            PlacedText(
                max(one.start, begin) - begin,
                min(one.end, end) - begin,
                one.text if one.start >= begin - 1 else "",
            )
            for one in own
        ]
        begin = end + 1


@dataclass(slots=True)
class _Package:
    """The parts that leave, by their names in the folder ``word``."""

    names: Mapping[tuple[str, str], str]
    """Of the parts with text, by their kind and the name that they have."""
    related: Related
    parts: dict[str, tuple[bytes, str]] = field(default_factory=dict[str, tuple[bytes, str]])
    """Content and its type."""
    with_blank: set[str] = field(default_factory=set[str])
    """Parts that show a picture."""

    @classmethod
    def of(cls, document: OpenDocument) -> "_Package":
        """Copy what says how the text of a document looks."""
        stories = list_stories(document)
        names = {
            (one.kind, one.name): f"{one.kind if one.kind != _BODY else _DOCUMENT}{_count(one, n)}"
            for n, one in enumerate(stories, 1)
        }
        edges = {
            name: _relation(names[key])
            for name, each in document.part.rels.items()
            if not each.is_external
            and (key := (_kind(each.reltype), str(each.target_part.partname))) in names
        }
        found = related_parts(document)
        trees = {kind: _open_tree(found[kind]) for kind in _LOOKS if kind in found}
        styles = name_styles(trees["styles"]) if "styles" in trees else {}
        related = Related({old: new for old, (new, _) in styles.items()}, edges)
        package = cls(names, related)
        for kind, tree in trees.items():
            if kind == "theme":
                package.parts[kind] = write_theme(tree), _THEME_TYPE
                continue
            made = copy_styles(tree, styles) if kind == "styles" else copy_story(tree, related)
            package.parts[kind] = _write_tree(made), _WORD_TYPE.format(kind)
        return package

    def add_story(self, story: Story, read: str, texts: Sequence[PlacedText], wanted: str) -> str:
        """Add a part with its new texts; return what is read of it then.

        Raises:
            UnscannableAttachment: It is not the wanted text, but for blanks and line breaks.
        """
        name = self.names[story.kind, story.name]

        def show_blank() -> str:
            self.with_blank.add(name)
            return _relation(_BLANK)

        related = replace(self.related, blank=show_blank)
        copy = copy_story(story.element, related)
        if read_story(copy) != read:
            raise UnscannableAttachment(AttachmentFault.NOT_WRITTEN)
        replace_texts(copy, texts)
        made = read_story(copy)
        # The ends of cells and boxes stay, where a replaced text reaches beyond them.
        if "".join(made.split()) != "".join(wanted.split()):
            raise UnscannableAttachment(AttachmentFault.NOT_WRITTEN)
        kind = story.kind
        if kind == _BODY:
            root = make_root(clark("w:document"), NAMESPACES)
            root.append(copy)
            copy, kind = root, "document.main"
        self.parts[name] = _write_tree(copy), _WORD_TYPE.format(kind)
        return made

    def pack(self) -> bytes:
        """Return the package."""
        types = "".join(
            f'<Override PartName="/word/{name}.xml" ContentType="{kind}"/>'
            for name, (_, kind) in self.parts.items()
        )
        others = [name for name in self.parts if name != _DOCUMENT]
        relations = {
            _DOCUMENT: [
                (_relation(name), name.rstrip("0123456789"), f"{name}.xml") for name in others
            ]
        }
        for name in self.with_blank:
            own = (_relation(_BLANK), "image", f"{_BLANK}.png")
            relations[name] = [*relations.get(name, ()), own]
        entries = {
            "[Content_Types].xml": _HEAD
            + f'<Types xmlns="{_CONTENT_TYPES}"><Default Extension="rels" ContentType="'
            f'application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
            f'ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
            f"{types}</Types>".encode(),
            "_rels/.rels": _write_relations([("rId1", "officeDocument", f"word/{_DOCUMENT}.xml")]),
        }
        entries |= {f"word/{name}.xml": content for name, (content, _) in self.parts.items()}
        entries |= {
            f"word/_rels/{name}.xml.rels": _write_relations(own)
            for name, own in sorted(relations.items())
        }
        if self.with_blank:
            entries[f"word/{_BLANK}.png"] = _draw_blank()
        packed = BytesIO()
        with ZipFile(packed, "w") as archive:
            for name, content in entries.items():
                entry = ZipInfo(name, _FIRST_DAY)
                entry.compress_type = ZIP_DEFLATED
                archive.writestr(entry, content)
        return packed.getvalue()


def _open_tree(part: Part) -> Element:
    # What python-docx has parsed it writes without the entities that it refers to.
    return part.element if isinstance(part, XmlPart) else parse_xml(part.blob)


def _count(story: Story, number: int) -> str:
    """Return what tells headers and footers apart; there is one of each other part."""
    return str(number) if story.kind in {"header", "footer"} else ""


def _kind(relation: str) -> str:
    return relation.rpartition("/")[2]


def _relation(name: str) -> str:
    return f"rId_{name}"


def _write_relations(relations: Sequence[tuple[str, str, str]]) -> bytes:
    listed = "".join(
        f'<Relationship Id="{name}" Type="{NAMESPACES["r"]}/{kind}" Target="{target}"/>'
        for name, kind, target in relations
    )
    return _HEAD + f'<Relationships xmlns="{_RELATIONS}">{listed}</Relationships>'.encode()


def _write_tree(tree: Element) -> bytes:
    return _HEAD + write_tree(tree)


def _draw_blank() -> bytes:
    """Return a white picture of one point; whoever shows it states its size."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0\xff")), (b"IEND", b""))
    written = (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)
