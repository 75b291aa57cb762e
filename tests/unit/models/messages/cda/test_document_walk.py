"""What becomes of the elements and attributes of a document, one kind after another."""

import re

import pytest

from deidstream.models.messages.read_message import read_message
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.documents.note_form import CodedTerm
from deidstream.schemas.errors import InvalidNote, Reason
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import NoteStatus
from support.cda_samples import document_of, read, rendered, sample, written
from support.outcomes import permit

LOINC, SNOMED = "2.16.840.1.113883.6.1", "2.16.840.1.113883.6.96"
SECTION = "<component><structuredBody><component><section><text>{}</text></section></component>"
NARRATIVE = SECTION + "</structuredBody></component>"


def inside(narrative: str) -> str:
    """What a narrative becomes where no policy replaces anything."""
    made = rendered(NARRATIVE.format(narrative))
    return made.partition("<text>")[2].partition("</text>")[0]


@pytest.mark.parametrize(
    "element",
    [
        "<observation note='Zyx'>Zyx<unknown>Zyx</unknown></observation>",
        "<code foo='Zyx' code='Zyx' codeSystem='1.2.3' codeSystemName='Zyx'/>",
        "<statusCode code='Zyx'/>",
        "<patient><religiousAffiliationCode code='1'/><birthplace>Zyx</birthplace></patient>",
        "<x:code xmlns:x='urn:zyx' code='Zyx'>Zyx</x:code>",
        "<value xsi:type='Zyx' value='Zyx'>Zyx</value>",
        "<templateId root='1.2.840.114350.1' extension='Zyx'/>",
        "<templateId root='2.16.840.1.113883.10.20.Zyx' extension='Zyx'/>",
        "<effectiveTime value='Zyx'/>",
        "<doseQuantity value='Zyx'/>",
        "<section classCode='Zyx' xml:lang='Zyx' xmlns:z='urn:z' z:a='Zyx'/>",
        "<text><reference value='http://zyx.example'/></text>",
        "<!-- Zyx --><?zyx Zyx?>",
        "<sdtc:signatureText>Zyx</sdtc:signatureText>",
    ],
)
def test_what_no_rule_names_does_not_leave(element: str) -> None:
    assert "zyx" not in rendered(element).casefold()


def test_a_public_code_stays_with_what_it_is_called() -> None:
    code = f'<code code="8480-6" codeSystem="{LOINC}" displayName="Systolic BP"/>'
    assert rendered(code) == code.replace(" displayName", ' codeSystemName="LOINC" displayName')
    note = read(code)
    assert note.form is not None
    assert [part.term for part in note.form.parts] == [CodedTerm.PUBLIC]


def test_the_code_of_a_site_is_dropped_and_its_words_are_not() -> None:
    made = rendered('<code code="ZZ9" codeSystem="1.2.3" displayName="Ward visit"/>')
    assert made == '<code displayName="Ward visit" nullFlavor="MSK"/>'


def test_the_root_of_a_public_issuer_stays() -> None:
    number = '<id root="2.16.840.1.113883.4.6" extension="1669558819"/>'
    person = f"<assignedEntity>{number}</assignedEntity>"
    assert rendered(person) == person
    assert read(person).known.identifiers == ("1669558819",)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("2024", "2024"),
        ("202403", "2024-03"),
        ("20240312", "2024-03-12"),
        ("20240312101500-0500", "2024-03-12"),
        ("202403121015", "2024-03-12"),
        ("20240312101500.123+0100", "2024-03-12"),
    ],
)
def test_a_time_keeps_its_precision_and_zone(value: str, text: str) -> None:
    element = f'<effectiveTime value="{value}"/>'
    assert rendered(element) == element
    assert f"Effective time: {text}\n" in read(element).text


@pytest.mark.parametrize("value", ["2024031", "March 2024", "20240312T10"])
def test_what_is_no_time_is_masked(value: str) -> None:
    assert rendered(f'<time value="{value}"/>') == '<time nullFlavor="MSK"/>'


def test_an_interval_and_a_period_keep_their_form() -> None:
    element = (
        '<effectiveTime xsi:type="PIVL_TS"><phase><low value="20240312"/></phase>'
        '<period value="12" unit="h"/></effectiveTime>'
    )
    assert rendered(element) == element


def test_a_name_keeps_its_parts_and_titles() -> None:
    name = (
        '<assignedPerson><name use="L"><prefix>Dr.</prefix><given>Ann</given><given>Q</given>'
        "<family>Okafor</family><suffix>MD</suffix></name></assignedPerson>"
    )
    assert rendered(name) == name
    assert read(name).known.staff == ("Ann Q Okafor",)


def test_a_label_stands_in_place_of_the_family_name() -> None:
    note = read(
        "<patient><name><given>Ann</given><given>Q</given><family>Okafor</family></name></patient>"
    )
    made = written(note, permit("quiet"), note.text.replace("Okafor, Ann Q", "[PATIENT]    "))
    assert '<name><given nullFlavor="MSK"/><family>[PATIENT]</family></name>' in made


def test_the_name_of_the_patient_is_the_patients_wherever_it_stands() -> None:
    name = "<name><given>Ann</given><family>Okafor</family></name>"
    note = read(f"<patient>{name}</patient><assignedPerson>{name}</assignedPerson>")
    assert note.known.names == ("Ann Okafor",)
    assert note.known.staff == ()


@pytest.mark.parametrize(
    ("element", "label"),
    [
        (
            "<providerOrganization><name>Quay Clinic</name></providerOrganization>",
            PhiLabel.HOSPITAL,
        ),
        ("<relatedPerson><name>Ann Okafor</name></relatedPerson>", PhiLabel.PATIENT),
        (
            "<x classCode='SDLOC'><playingEntity><name>Quay</name></playingEntity></x>".replace(
                "x", "participantRole"
            ),
            PhiLabel.HOSPITAL,
        ),
        (
            "<x classCode='COVPTY'><playingEntity><name>Ann Lee</name></playingEntity></x>".replace(
                "x", "participantRole"
            ),
            PhiLabel.PATIENT,
        ),
        ("<manufacturedMaterial><name>Aspirin</name></manufacturedMaterial>", None),
        ("<addr><city>Wexcombe</city></addr>", PhiLabel.CITY),
        ("<addr>9 Thorn Court</addr>", PhiLabel.STREET),
        ("<telecom value='mailto:a@b.example'/>", PhiLabel.EMAIL),
        ("<telecom value='+1 216 555 0100'/>", PhiLabel.PHONE),
        ("<patientRole><id root='1.2' extension='77419'/></patientRole>", PhiLabel.MEDICALRECORD),
        ("<assignedEntity><id root='1.2' extension='77419'/></assignedEntity>", PhiLabel.IDNUM),
    ],
)
def test_an_element_says_what_it_holds(element: str, label: PhiLabel | None) -> None:
    note = read(element)
    assert note.form is not None
    assert [part.label for part in note.form.parts] == [label]
    assert rendered(element).replace("nullFlavor", "") != ""


def test_the_id_of_a_record_becomes_a_pseudonym() -> None:
    made = rendered('<act><id root="1.2.3" extension="24CR00917"/></act>')
    assert "24CR00917" not in made
    assert "1.2.3" not in made


def test_a_link_out_of_the_document_leads_nowhere_and_stays_a_link() -> None:
    """Imaging reports link to images; a reference without its value is not valid there."""
    link = '<reference value="http://pacs.example/wado?studyUID=1.2.3"/>'
    text = f'<text mediaType="application/dicom">{link}</text>'
    made = rendered(f"<observation>{text}</observation>")
    assert re.fullmatch(
        r'<observation><text mediaType="application/dicom">'
        r'<reference value="urn:uuid:[-0-9a-f]{36}"/></text></observation>',
        made,
    )


@pytest.mark.parametrize(
    ("root", "form"),
    [
        ("2.16.840.1.113883.3.7781.1.7", r"2\.25\.[1-9][0-9]*"),
        ("7f1c0e2a-77aa-4c1d-9e2f-5b6c7d8e9f01", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
        ("MERCY.LAB", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ],
)
def test_a_root_stays_of_its_form(root: str, form: str) -> None:
    """Imaging reports may have OIDs alone, and a schema refuses what is neither."""
    made = rendered(f'<act><id root="{root}"/></act>')
    found = re.search(r' root="([^"]+)"', made)
    assert found is not None
    assert re.fullmatch(form, found[1])


def test_the_id_of_a_record_that_the_narrative_shows_is_the_same_number_there() -> None:
    act = '<act><id root="1.2.3" extension="24CR00917"/></act>'
    note = read(act + NARRATIVE.format("Accession 24CR00917."))
    assert note.form is not None
    assert note.known.identifiers == ("24CR00917",)


def test_markup_of_the_narrative_stays() -> None:
    narrative = (
        '<table border="1"><thead><tr><th>Drug</th></tr></thead><tbody><tr>'
        '<td colspan="2"><content ID="id1" styleCode="Bold">Aspirin</content><br/>81 mg</td></tr>'
        '</tbody></table><list listType="ordered"><item>One</item></list>'
        "<paragraph>H<sub>2</sub>O &lt; 2 &amp; more</paragraph>"
    )
    assert inside(narrative) == narrative


def test_blanks_and_names_of_ids_are_those_of_no_sender() -> None:
    assert inside('<content ID="mrn-7719">Seen\n          today</content>') == (
        '<content ID="id1">Seen\ntoday</content>'
    )


def test_text_stays_where_markup_is_not_of_the_standard() -> None:
    made = inside("<div onclick='Zyx'>Seen <b>today</b></div><![CDATA[<i>& well</i>]]>")
    assert made == "Seen today&lt;i&gt;&amp; well&lt;/i&gt;"


def test_a_sentence_reads_on_over_inline_markup() -> None:
    note = read(NARRATIVE.format("<paragraph>Mr. <content>Okafor</content> seen</paragraph>"))
    assert "Mr. Okafor seen" in note.text


def test_an_age_is_text_that_the_policy_treats() -> None:
    element = '<value xsi:type="PQ" value="97" unit="a"/>'
    note = read(element)
    assert note.form is not None
    assert [part.label for part in note.form.parts] == [PhiLabel.AGE]
    assert rendered(element) == element


def test_a_file_that_cannot_be_read_is_refused_with_its_fault() -> None:
    body = (
        '<component><nonXMLBody><text mediaType="image/tiff" representation="B64">{}</text>'
        "</nonXMLBody></component>"
    )
    with pytest.raises(UnscannableAttachment) as caught:
        read(body.format("SUkqAA=="))
    assert caught.value.fault is AttachmentFault.UNKNOWN_TYPE
    with pytest.raises(UnscannableAttachment) as caught:
        read(body.replace("image/tiff", "application/pdf").format("%%"))
    assert caught.value.fault is AttachmentFault.MALFORMED


def test_a_picture_among_entries_is_masked() -> None:
    made = rendered(
        '<observationMedia><value mediaType="image/png" representation="B64">iVBO</value>'
        "</observationMedia>"
    )
    assert made == '<observationMedia><value nullFlavor="MSK"/></observationMedia>'


def test_a_document_states_its_ids_type_and_time() -> None:
    note = read_message(sample("discharge_replacement"))
    assert note.note_id == "DOC-W0091827-7^^^2.16.840.1.113883.3.2201.9.7"
    assert note.patient_id == "W0091827^^^2.16.840.1.113883.3.2201.9"
    assert (note.note_type, note.language) == ("discharge summary", "en-US")
    assert note.authored_at == "2024-03-12T10:15:00-05:00"
    assert note.status is NoteStatus.CORRECTED
    assert "1927-03-08" in note.known.dates


def test_several_patients_are_refused() -> None:
    target = '<recordTarget><patientRole><id extension="{}"/></patientRole></recordTarget>'
    with pytest.raises(InvalidNote) as caught:
        read(target.format("A1") + target.format("B2"))
    assert caught.value.reason is Reason.SEVERAL_PATIENTS


def test_a_document_without_text_is_refused() -> None:
    with pytest.raises(InvalidNote) as caught:
        read("<title/>")
    assert caught.value.reason is Reason.EMPTY_TEXT


def test_names_of_prefixes_mean_nothing() -> None:
    first = document_of("<title>Seen</title><value xsi:type='ST'>well</value>")
    second = (
        "<n1:ClinicalDocument xmlns:n1='urn:hl7-org:v3' xmlns:i="
        "'http://www.w3.org/2001/XMLSchema-instance'><n1:title>Seen</n1:title>"
        "<n1:value i:type='n1:ST'>well</n1:value></n1:ClinicalDocument>"
    )
    assert read_message(first.encode()).text == read_message(second.encode()).text
