"""Read ids, codes, times, quantities and truth values of CDA documents."""

import re
from collections.abc import Iterator

from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.cda.attributes import LANGUAGE, keep_version
from deidstream.models.messages.cda.cda_lists import (
    UNNAMED,
    are_codes,
    is_template,
    label_number,
    name_terminology,
)
from deidstream.models.messages.cda.document_template import (
    AttributeForm,
    AttributeSlot,
    AttributeValue,
    ContentSlot,
    IdForm,
    IdSlot,
    Kept,
    TimeSlot,
)
from deidstream.models.messages.cda.parse_document import name_of
from deidstream.models.messages.cda.walk_state import Attributes, WalkState, has_word
from deidstream.models.messages.forms.kept_values import (
    AGE_CODES,
    NUMBER,
    is_in_years,
    is_public_code,
    is_short_number,
    is_unit,
)
from deidstream.models.text.word_files import split_list
from deidstream.schemas.documents.note_form import CodedTerm
from deidstream.schemas.label import PhiLabel

_ACTS = frozenset(
    split_list(
        "ClinicalDocument parentDocument act encounter observation observationMedia organizer "
        "procedure regionOfInterest section substanceAdministration supply externalAct "
        "externalDocument externalObservation externalProcedure criterion sdtc:actReference"
    )
)
"""Elements whose ids are those of records; other ids are of persons, things and visits."""
_SHORTEST_NUMBER = 4
"""Characters of the shortest number that is looked for in the whole text."""
_EXTENSION = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|POCD_[A-Z0-9_]{1,20}")
"""The version of a template, and the model of the document."""
_STATUSES = frozenset(
    split_list(
        "normal aborted active cancelled completed held new suspended nullified obsolete "
        "AND OR XOR US"
    )
)
"""States of acts, and what joins conditions; a document of C-CDA is of the realm ``US``."""
_TIME = re.compile(
    r"([0-9]{4})(?:([0-9]{2})(?:([0-9]{2})([0-9]{2}(?:[0-9]{2}(?:[0-9]{2})?)?(?:\.[0-9]{1,9})?)?)?)?"
    r"([+-][0-9]{1,4})?"
)
_OID = re.compile(r"[0-2](?:\.(?:0|[1-9][0-9]*))+")
_INNER_TIMES = frozenset(split_list("low high center phase comp"))
_INNER_QUANTITIES = frozenset(split_list("low high center numerator denominator"))
_LENGTHS = frozenset(split_list("width period offset"))
_VALUE, _CODE, _ROOT = frozenset({"value"}), frozenset({"code"}), frozenset({"root"})


def walk_template(walk: WalkState, element: Element) -> None:
    """Keep the id of a public template; that of a vendor or a site is left out."""
    root, extension = element.get("root", ""), element.get("extension", "")
    if not is_template(root):
        return
    attributes: list[tuple[str, AttributeValue]] = [("root", root)]
    if _EXTENSION.fullmatch(extension):
        attributes.append(("extension", extension))
    walk.write_element(element, attributes)


def walk_id(walk: WalkState, element: Element) -> None:
    """Replace an id: its number by the policy, or by a pseudonym if it is that of a record."""
    walk.write_element(element, _read_id(walk, element), needs=_ROOT)


def _read_id(walk: WalkState, element: Element) -> Iterator[tuple[str, AttributeValue]]:
    root, extension = element.get("root", "").strip(), element.get("extension", "").strip()
    issued = label_number(root)
    if root:
        form = IdForm.OID if _OID.fullmatch(root) else IdForm.UUID
        yield "root", root if issued else IdSlot(root, form)
    if not has_word(extension):
        return
    holder = name_of(element.getparent())
    number = len(extension) >= _SHORTEST_NUMBER and any(map(str.isdigit, extension))
    # The number of a record that a reader sees in the narrative is the same number there.
    if holder in _ACTS and not (number and extension in walk.shown):
        yield "extension", IdSlot(f"{extension}^{root}")
        return
    if number:
        walk.stated.identifiers.append(extension)
    of_patient = holder in {"patientRole", "sdtc:patient"}
    label = issued or (PhiLabel.MEDICALRECORD if of_patient else PhiLabel.IDNUM)
    yield "extension", AttributeSlot(walk.add_part(extension, "id", label))


def walk_code(walk: WalkState, element: Element) -> None:
    """Keep the code of a public terminology; what it is called is text, and so is its original."""
    attributes = list(_read_code(walk, element))
    walk.write_element(element, attributes, lambda: _walk_inside_code(walk, element), _CODE)


def _read_code(walk: WalkState, element: Element) -> Iterator[tuple[str, AttributeValue]]:
    code, system = element.get("code", "").strip(), element.get("codeSystem", "").strip()
    shown = element.get("displayName", "")
    name = name_terminology(system)
    public = name is not None and is_public_code(code)
    if public:
        yield "code", Kept(code)
    elif not system and code and are_codes(code):
        yield "code", code
    if name is not None:
        yield "codeSystem", system
        yield from _name_system(walk, element, name)
        yield from keep_version(element)
    if has_word(shown):
        term = CodedTerm.PUBLIC if public else CodedTerm.LOCAL
        part = walk.add_part(
            " ".join(shown.split()), name_of(element).rpartition(":")[2], None, term
        )
        yield "displayName", AttributeSlot(part)


def _name_system(
    walk: WalkState, element: Element, name: str
) -> Iterator[tuple[str, AttributeValue]]:
    if name != UNNAMED:
        yield "codeSystemName", name
    elif has_word(stated := " ".join(element.get("codeSystemName", "").split())):
        part = walk.add_part(stated, "code system", None, CodedTerm.PUBLIC)
        yield "codeSystemName", AttributeSlot(part)


def _walk_inside_code(walk: WalkState, element: Element) -> None:
    for inner in element:
        name = name_of(inner)
        if name == "originalText":
            walk_original(walk, inner)
        elif name == "translation":
            walk_code(walk, inner)
        elif name == "qualifier":
            walk.write_element(inner, (), lambda each=inner: _walk_qualifier(walk, each))  # type: ignore[misc]


def _walk_qualifier(walk: WalkState, element: Element) -> None:
    for inner in element:
        if name_of(inner) in {"name", "value"}:
            walk_code(walk, inner)


def walk_original(walk: WalkState, element: Element) -> None:
    """Read the words that were coded: text, or a reference to the narrative."""

    def fill() -> None:
        for inner in element:
            if name_of(inner) == "reference":
                walk_reference(walk, inner)
        text = " ".join("".join(element.itertext()).split())
        if has_word(text):
            walk.pieces.append(
                ContentSlot(walk.add_part(text, "original text", None, CodedTerm.LOCAL))
            )

    walk.write_element(element, (), fill)


def walk_reference(walk: WalkState, element: Element) -> None:
    """Keep a reference within the document; one to elsewhere becomes a pseudonym."""
    target = element.get("value", "").strip()
    attributes: Attributes = ()
    if target.startswith("#") and len(target) > 1:
        attributes = (("value", f"#{walk.rename(target[1:])}"),)
    elif has_word(target):
        attributes = (("value", IdSlot(target, IdForm.URN)),)
    walk.write_element(element, attributes, needs=_VALUE)


def walk_status(walk: WalkState, element: Element) -> None:
    """Keep a code of the standard, such as ``completed`` or ``en-US``."""
    code = element.get("code", "")
    known = code in _STATUSES or are_codes(code) or LANGUAGE.fullmatch(code)
    attributes: Attributes = (("code", Kept(code)),) if code and known else ()
    walk.write_element(element, attributes, needs=_CODE)


def walk_time(walk: WalkState, element: Element) -> None:
    """Replace a point of time, or those of an interval; precision and zone stay."""
    attributes = tuple(_read_time(walk, element))
    needs = frozenset() if len(element) else _VALUE

    def fill() -> None:
        for inner in element:
            name = name_of(inner)
            if name in _INNER_TIMES:
                walk_time(walk, inner)
            elif name in _LENGTHS:
                walk_quantity(walk, inner)
            elif name == "event":
                code = inner.get("code", "")
                walk.write_element(inner, (("code", code),) if are_codes(code) else ())

    walk.write_element(element, attributes, fill, needs)


def _read_time(walk: WalkState, element: Element) -> Iterator[tuple[str, AttributeValue]]:
    found = _TIME.fullmatch(element.get("value", "").strip())
    if found is None:
        return
    year, month, day, hours, zone = found.groups()
    written = "-".join(filter(None, (year, month, day)))
    heading = _head_time(element)
    part = walk.add_part(written, heading, PhiLabel.DATE)
    if heading == "birthTime":
        walk.stated.dates.append(written)
    yield "value", TimeSlot(part, "".join(filter(None, (hours, zone))))


def _head_time(element: Element) -> str:
    name = name_of(element)
    return _head_time(element.getparent()) if name in _INNER_TIMES else name.rpartition(":")[2]


def walk_quantity(walk: WalkState, element: Element) -> None:
    """Keep a quantity, or those of an interval or a ratio; an age becomes text to replace."""
    attributes = tuple(_read_quantity(walk, element))
    needs = frozenset() if len(element) else _VALUE

    def fill() -> None:
        for inner in element:
            name = name_of(inner)
            if name in _INNER_QUANTITIES or name in _LENGTHS:
                walk_quantity(walk, inner)
            elif name == "translation":
                walk.write_element(
                    inner, (*_read_quantity(walk, inner), *_read_code(walk, inner)), needs=_VALUE
                )

    walk.write_element(element, attributes, fill, needs)


def _read_quantity(walk: WalkState, element: Element) -> Iterator[tuple[str, AttributeValue]]:
    number, unit = element.get("value", "").strip(), element.get("unit", "").strip()
    currency = element.get("currency", "")
    if NUMBER.fullmatch(number.lstrip("+")) or re.fullmatch(r"[+-]?[0-9]*\.?[0-9]+", number):
        if is_in_years(unit) or (_is_age(element) and unit in {"", "1"}):
            part = walk.add_part(number, "age", PhiLabel.AGE)
            yield "value", AttributeSlot(part, AttributeForm.NUMBER)
        elif is_short_number(number):
            yield "value", Kept(number)
    if are_codes(currency) and currency:
        yield "currency", currency
    if is_in_years(unit) or (is_unit(unit) and " " not in unit):
        yield "unit", Kept(unit)
    elif has_word(unit):
        part = walk.add_part(unit, "unit", None, CodedTerm.LOCAL)
        yield "unit", AttributeSlot(part, AttributeForm.TOKEN)


def _is_age(element: Element) -> bool:
    """Return whether a value is that of an observation whose code says that it is an age."""
    holder = element.getparent()
    if holder is None or name_of(element) != "value":
        return False
    return any(inner.get("code") in AGE_CODES for inner in holder if name_of(inner) == "code")


def walk_boolean(walk: WalkState, element: Element) -> None:
    """Keep a truth value."""
    value = element.get("value", "")
    attributes: Attributes = (("value", value),) if value in {"true", "false"} else ()
    walk.write_element(element, attributes, needs=_VALUE)
