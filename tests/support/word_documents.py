"""Word documents with identifiers wherever senders have them, and what is replaced in them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

from deidstream.models.messages.attachments.attachment_limits import LIMITS
from deidstream.models.messages.attachments.docx_text import read_docx
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.span import Replacement, Span
from support.outcomes import permit

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMES = " ".join(
    f'xmlns:{prefix}="{space}"'
    for prefix, space in {
        "w": W,
        "r": R,
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    }.items()
)
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATED = "http://schemas.openxmlformats.org/package/2006/relationships"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def run(text: str, properties: str = "") -> str:
    """A run."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*inner: str) -> str:
    """A paragraph."""
    return f"<w:p>{''.join(inner)}</w:p>"


def pack_word(
    body: str, parts: Mapping[str, tuple[str, str]] | None = None, others: Iterable[str] = ()
) -> bytes:
    """A document.

    Args:
        body: What its body holds.
        parts: Kinds of relations and contents of further parts, by their names in ``word``; the
            relation of ``header1.xml`` is ``header1``.
        others: Names of further files, which hold their names.
    """
    parts = parts or {}
    related = "".join(
        f'<Relationship Id="{name.partition(".")[0]}" Type="{R}/{kind}" Target="{name}"/>'
        for name, (kind, _) in parts.items()
    )
    types = "".join(
        f'<Override PartName="/word/{name}" ContentType="application/vnd.openxmlformats-'
        f'officedocument.wordprocessingml.{kind}+xml"/>'
        for name, (kind, _) in parts.items()
        if name.endswith(".xml")
    )
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_TYPES}"><Default Extension="rels" ContentType="application/vnd.'
            f'openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
            f'"application/xml"/><Default Extension="png" ContentType="image/png"/><Default '
            f'Extension="bin" ContentType="application/octet-stream"/><Override PartName='
            f'"/word/document.xml" ContentType="{_MAIN}"/>{types}</Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_RELATED}"><Relationship Id="rId1" '
            f'Type="{R}/officeDocument" Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{_RELATED}">{related}<Relationship Id="link1" '
            f'Type="{R}/hyperlink" Target="mailto:vanterpool@example.org" TargetMode="External"/>'
            "</Relationships>",
        )
        archive.writestr(
            "word/document.xml", f"<w:document {NAMES}><w:body>{body}</w:body></w:document>"
        )
        for name, (_, content) in parts.items():
            archive.writestr(f"word/{name}", content)
        for name in others:
            archive.writestr(name, name)
    return packed.getvalue()


def read_word(data: bytes) -> str:
    """The text of a document as a note has it."""
    return read_docx(data, LIMITS).strip()


def permit_for(text: str, replaced: Iterable[tuple[int, int, str]]) -> EmitPermit:
    """A permit for a text in which stretches are replaced."""
    made, at, replacements = "", 0, list[Replacement]()
    for start, end, new in replaced:
        made += text[at:start] + new
        span = Span(start, end, PhiLabel.PATIENT)
        replacements.append(Replacement(span, new, "surrogate", len(made) - len(new), len(made)))
        at = end
    return replace(permit("x"), text=made + text[at:], replacements=tuple(replacements))


def permit_words(text: str, words: Mapping[str, str]) -> EmitPermit:
    """A permit for a text in which all these words are replaced."""
    found = sorted(
        (place, place + len(old), new)
        for old, new in words.items()
        for place in range(len(text))
        if text.startswith(old, place)
    )
    return permit_for(text, found)


def unpack_all(data: bytes) -> bytes:
    """All names and contents of a package."""
    with ZipFile(BytesIO(data)) as archive:
        return b"\n".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())
