"""Read names, addresses and telephone numbers of CDA documents."""

from collections.abc import Sequence

from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.cda.attributes import kept_attributes
from deidstream.models.messages.cda.document_template import (
    AttributeForm,
    AttributeSlot,
    AttributeValue,
    ContentSlot,
    NamePart,
    NameSlot,
    OpenTag,
)
from deidstream.models.messages.cda.parse_document import name_of
from deidstream.models.messages.cda.simple_values import walk_time
from deidstream.models.messages.cda.walk_state import WalkState, has_word
from deidstream.models.messages.forms.kept_values import COUNTRY_CODE, is_title
from deidstream.models.text.word_files import split_list
from deidstream.schemas.documents.note_form import CodedTerm
from deidstream.schemas.label import PhiLabel

_STAFF = frozenset(split_list("assignedPerson informationRecipient maintainingPerson"))
_RELATED = frozenset(split_list("patient relatedPerson guardianPerson associatedPerson subject"))
_PLACES = frozenset(split_list("location place"))
_STAFF_ROLES = frozenset(split_list("PROV ASSIGNED AGNT LIC PHYS QUAL"))
_PERSON_ROLES = frozenset(
    split_list(
        "PAT PRS NOK CIT COVPTY POLHOLD GUAR GUARD ECON CAREGIVER CON CONT IND INVSBJ MIL "
        "STD EMP DEPEN SUBSCR CRINV"
    )
)
_PARTS_OF_NAME = frozenset(split_list("family given prefix suffix"))
_PARTS_OF_ADDRESS = {
    **dict.fromkeys(
        split_list(
            "streetAddressLine houseNumber houseNumberNumeric direction streetName streetNameBase "
            "streetNameType additionalLocator unitID unitType deliveryAddressLine "
            "deliveryInstallationType deliveryInstallationArea deliveryInstallationQualifier "
            "deliveryMode deliveryModeIdentifier buildingNumberSuffix postBox"
        ),
        PhiLabel.STREET,
    ),
    "city": PhiLabel.CITY,
    "state": PhiLabel.STATE,
    "postalCode": PhiLabel.ZIP,
    "country": PhiLabel.COUNTRY,
    "county": PhiLabel.LOCATION_OTHER,
    "censusTract": PhiLabel.LOCATION_OTHER,
    "precinct": PhiLabel.LOCATION_OTHER,
    "careOf": PhiLabel.PATIENT,
}
_SCHEMES = {
    "tel": PhiLabel.PHONE,
    "fax": PhiLabel.FAX,
    "mailto": PhiLabel.EMAIL,
    "http": PhiLabel.URL,
    "https": PhiLabel.URL,
    "ftp": PhiLabel.URL,
    "sms": PhiLabel.PHONE,
    "sip": PhiLabel.PHONE,
}
_VALUE = frozenset({"value"})


def walk_name(walk: WalkState, element: Element) -> None:
    """Replace a name by what it is of: a person, an organisation; that of a thing is a term."""
    label = _label_name(element)
    parts = [inner for inner in element if name_of(inner) in _PARTS_OF_NAME]
    words = [*_read_words(element, "family"), *_read_words(element, "given")]
    if (label is PhiLabel.PATIENT or label is PhiLabel.DOCTOR) and has_word("".join(words)):
        _walk_person(walk, element, parts, label)
        return
    whole = " ".join(" ".join(element.itertext()).split())
    term = CodedTerm.LOCAL if label is None else None

    def fill() -> None:
        if has_word(whole):
            if label is PhiLabel.PATIENT or label is PhiLabel.DOCTOR:
                _state_name(walk, label, whole)
            part = walk.add_part(whole, "name", label, term)
            walk.pieces.append(ContentSlot(part))

    walk.write_element(element, (), fill)


def _walk_person(
    walk: WalkState, element: Element, parts: Sequence[Element], label: PhiLabel
) -> None:
    family, given = _read_words(element, "family"), _read_words(element, "given")
    said = " ".join((*given, *family))
    label = _state_name(walk, label, said)
    # A comma ends the family name in the text.
    last = " ".join(family).replace(",", " ")
    part = walk.add_part(", ".join(filter(None, (last, " ".join(given)))), "name", label)
    tag = OpenTag(name_of(element), tuple(kept_attributes(element)))
    read = (_read_part(each) for each in parts)
    walk.pieces.append(NameSlot(tag, part, tuple(each for each in read if each is not None)))


def _read_part(element: Element) -> NamePart | None:
    name, words = name_of(element), "".join(element.itertext()).split()
    attributes = tuple(kept_attributes(element))
    if name in {"family", "given"}:
        return NamePart(name, attributes, len(words))
    title = " ".join(words)
    if is_title(title):
        return NamePart(name, attributes, fixed=title)
    return NamePart(name, attributes) if attributes and not words else None


def _read_words(element: Element, name: str) -> list[str]:
    return [
        word
        for inner in element
        if name_of(inner) == name
        for word in "".join(inner.itertext()).split()
    ]


def _state_name(walk: WalkState, label: PhiLabel, name: str) -> PhiLabel:
    """Look for a name in the whole text; that of the patient stays the patient's everywhere."""
    if label is PhiLabel.DOCTOR and name not in walk.stated.names:
        walk.stated.staff.append(name)
        return label
    walk.stated.names.append(name)
    return PhiLabel.PATIENT


def _label_name(element: Element) -> PhiLabel | None:
    """Return what the name is of; nothing for a drug, a substance or a device."""
    holder = element.getparent()
    name = name_of(holder)
    role = holder.getparent()
    role_class = role.get("classCode", "") if role is not None else ""
    if name in _STAFF or (name == "associatedPerson" and role_class in _STAFF_ROLES):
        return PhiLabel.DOCTOR
    if name in _RELATED:
        return PhiLabel.PATIENT
    if name.endswith("Organization") and name != "manufacturerOrganization":
        return PhiLabel.HOSPITAL
    if name in _PLACES or role_class in {"SDLOC", "DSDLOC", "ISDLOC", "LOCE"}:
        return PhiLabel.HOSPITAL
    by_parts = any(name_of(inner) in _PARTS_OF_NAME for inner in element)
    if name == "playingEntity" and (by_parts or role_class in _PERSON_ROLES):
        return PhiLabel.PATIENT
    return PhiLabel.DOCTOR if by_parts else None


def walk_address(walk: WalkState, element: Element) -> None:
    """Replace an address; its street and town are looked for in the whole text."""
    streets = [
        " ".join("".join(inner.itertext()).split())
        for inner in element
        if name_of(inner) in {"streetAddressLine", "city"}
    ]
    if any(map(has_word, streets)):
        walk.stated.addresses.append(", ".join(filter(None, streets)))

    def fill() -> None:
        _write_text(walk, element.text, PhiLabel.STREET)
        for inner in element:
            name = name_of(inner)
            label = _PARTS_OF_ADDRESS.get(name)
            if label is not None:
                text = " ".join("".join(inner.itertext()).split())
                walk.write_element(inner, (), lambda t=text, it=label: _write_text(walk, t, it))  # type: ignore[misc]
            elif name == "useablePeriod":
                walk_time(walk, inner)
            _write_text(walk, inner.tail, PhiLabel.STREET)

    walk.write_element(element, (), fill)


def _write_text(walk: WalkState, text: str | None, label: PhiLabel) -> None:
    written = " ".join((text or "").split())
    if not has_word(written):
        return
    if label is PhiLabel.COUNTRY and COUNTRY_CODE.fullmatch(written):
        # The codes of countries stay as they do in FHIR.
        walk.pieces.append(written)
    else:
        walk.pieces.append(ContentSlot(walk.add_part(written, "address", label)))


def walk_telecom(walk: WalkState, element: Element) -> None:
    """Replace a telephone number or another address; its scheme stays."""
    value = element.get("value", "").strip()
    scheme, colon, rest = value.partition(":")
    label = _SCHEMES.get(scheme.lower()) if colon else None
    if label is None:
        scheme, rest = "", value
        label = PhiLabel.EMAIL if "@" in value else PhiLabel.PHONE
    attributes: list[tuple[str, AttributeValue]] = []
    if has_word(rest):
        bare = rest.removeprefix("//")
        if label in {PhiLabel.PHONE, PhiLabel.FAX}:
            walk.stated.phones.append(bare)
        elif label is PhiLabel.EMAIL:
            walk.stated.identifiers.append(bare)
        before = f"{scheme.lower()}:{rest[: len(rest) - len(bare)]}" if scheme else ""
        part = walk.add_part(bare, "telecom", label)
        attributes.append(("value", AttributeSlot(part, AttributeForm.LINK, before)))

    def fill() -> None:
        for inner in element:
            if name_of(inner) == "useablePeriod":
                walk_time(walk, inner)

    walk.write_element(element, attributes, fill, _VALUE)
