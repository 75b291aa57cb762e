import pytest

from deidstream.models.phi.names.name_lists import births, census, is_known, peoples
from deidstream.models.phi.not_phi import (
    clinical_terms,
    common_words,
    drop_terms_not_phi,
    eponyms,
    is_drug,
)
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span


def kept(text: str, label: PhiLabel, score: float, source: str, *allow: str) -> bool:
    return bool(drop_terms_not_phi(text, [Span(0, len(text), label, score, source)], allow))


@pytest.mark.parametrize(
    "term",
    ["Parkinson", "foley", "CROHN", "Sjögren", "Sjogren", "Glasgow's", "Lasix", "ECOG", "Colon"],
)
def test_a_clinical_term_is_no_name(term: str) -> None:
    assert not kept(term, PhiLabel.PATIENT, 0.8, "tagger")


@pytest.mark.parametrize(("written", "is_name"), [("Koos", True), ("KOOS", False), ("koos", False)])
def test_an_abbreviation_written_as_the_name_that_it_is_too_is_one(
    written: str, *, is_name: bool
) -> None:
    assert kept(written, PhiLabel.PATIENT, 0.9, "rules:name.titled") is is_name


@pytest.mark.parametrize("written", ["Sawubona", "Dankie", "namaste", "Tiv", "Melayu"])
def test_a_greeting_and_a_language_are_nobody(written: str) -> None:
    assert not kept(written, PhiLabel.PATIENT, 1.0, "tagger")
    assert is_known("asante")  # It is thanks too, and stays a name.
    assert kept("Asante", PhiLabel.PATIENT, 0.9, "tagger")


@pytest.mark.parametrize(
    ("text", "word", "stays_phi"),
    [
        ("08:11 Kuya: at the gate", "Kuya", False),
        ("nilalagnat si Nanay po", "Nanay", False),
        ("Opo Ma'am, sige", "Ma'am", False),
        ("told Coach Boeta today", "Boeta", True),
        ("signed PvT and NR", "NR", True),
    ],
)
def test_a_title_alone_is_nobody(text: str, word: str, *, stays_phi: bool) -> None:
    span = Span(start := text.index(word), start + len(word), PhiLabel.DOCTOR, 0.9, "tagger")
    assert bool(drop_terms_not_phi(text, [span], ())) is stays_phi


def test_a_name_that_is_no_clinical_term_is_kept() -> None:
    assert kept("Okonjo", PhiLabel.PATIENT, 0.1, "dictionary")


def test_a_span_that_holds_more_than_the_term_is_kept() -> None:
    assert kept("Mary Foley", PhiLabel.PATIENT, 0.1, "dictionary")


@pytest.mark.parametrize(
    ("source", "score"),
    [("known", 1.0), ("dictionary:deny", 1.0), ("rules:name.titled", 0.95), ("sweep", 0.5)],
)
def test_what_is_certain_outweighs_the_clinical_terms(source: str, score: float) -> None:
    assert kept("Parkinson", PhiLabel.PATIENT, score, source)


def test_a_rule_that_is_not_certain_does_not() -> None:
    assert not kept("Parkinson", PhiLabel.PATIENT, 0.94, "rules:name.line")


@pytest.mark.parametrize(
    ("term", "score", "stays_phi"),
    [
        ("CTG", 0.85, True),
        ("CTG", 0.84, False),
        ("Ama", 0.85, True),
        ("Ama", 0.84, False),
        ("BNP", 0.98, False),
        ("PPROM", 0.98, False),
        ("PPROM", 0.999, True),
        ("tmrw", 0.98, False),
        ("Pugh", 0.95, True),
        ("Pugh", 0.94, False),
        ("Colon", 0.999, True),
        ("Colon", 0.99, False),
    ],
)
def test_the_surer_the_list_the_surer_the_tagger_that_outweighs_it(
    term: str, score: float, *, stays_phi: bool
) -> None:
    assert kept(term, PhiLabel.PATIENT, score, "tagger") is stays_phi


@pytest.mark.parametrize("label", [PhiLabel.DATE, PhiLabel.IDNUM, PhiLabel.VEHICLE])
def test_an_abbreviation_is_no_date_and_no_number(label: PhiLabel) -> None:
    assert not kept("PPROM", label, 0.8, "tagger")
    assert kept("PPROM", label, 1.0, "known")
    assert kept("MWF", label, 0.8, "tagger")


def test_an_allowed_word_behind_a_title_is_a_name() -> None:
    text = "Dr. Parkinson saw him. His Parkinson is stable."
    for start, stays_phi in ((text.index("Park"), True), (text.rindex("Park"), False)):
        tagged = Span(start, start + 9, PhiLabel.DOCTOR, 1.0, "tagger")
        assert bool(drop_terms_not_phi(text, [tagged], ("Parkinson's",))) is stays_phi


@pytest.mark.parametrize("label", [PhiLabel.DOCTOR, PhiLabel.AGE])
def test_a_word_cut_short_is_nobody(label: PhiLabel) -> None:
    assert not kept("unkn", label, 0.9, "tagger")
    assert kept("unkn", label, 1.0, "known")


@pytest.mark.parametrize(
    ("text", "word", "stays_phi"),
    [
        ("hip OA after Perthes", "Perthes", False),
        ("up with Sara Stedy", "Sara Stedy", False),
        ("Dr Perthes rang", "Perthes", True),
        ("seen by Pugh", "Pugh", True),
        ("moved to Minnesota", "Minnesota", True),
    ],
)
def test_no_tagger_outweighs_an_eponym_that_no_list_of_names_has(
    text: str, word: str, *, stays_phi: bool
) -> None:
    span = Span(start := text.index(word), start + len(word), PhiLabel.PATIENT, 0.99, "tagger")
    assert bool(drop_terms_not_phi(text, [span], ())) is stays_phi


def test_no_tagger_outweighs_a_language() -> None:
    assert not kept("Yoruba", PhiLabel.CITY, 1.0, "tagger")


@pytest.mark.parametrize("term", ["GeneXpert", "Welch Allyn", "Datex-Ohmeda"])
def test_a_product_is_no_name(term: str) -> None:
    assert not kept(term, PhiLabel.PATIENT, 0.99, "tagger")


@pytest.mark.parametrize("term", ["FRCOphth", "FACEP", "frcpch"])
def test_no_tagger_outweighs_a_degree(term: str) -> None:
    assert not kept(term, PhiLabel.DOCTOR, 1.0, "tagger")


@pytest.mark.parametrize("term", ["abiraterone", "Tirzelimab", "zanfotinib"])
def test_a_word_that_is_formed_as_a_drug_is_no_name(term: str) -> None:
    assert not kept(term, PhiLabel.USERNAME, 0.99, "tagger")


def test_no_name_of_the_lists_is_formed_as_a_drug() -> None:
    lists = census()
    names = {*lists.female, *lists.male, *lists.family, *lists.other_given, *births()}
    names |= {*peoples().family, *peoples().given}
    assert not [name for name in names if is_drug(name)]


def test_a_number_is_no_clinical_term() -> None:
    assert kept("T4", PhiLabel.MEDICALRECORD, 0.1, "rules:id")


@pytest.mark.parametrize("source", ["rules:x", "dictionary:deny", "tagger", "sweep"])
def test_a_term_of_the_policy_is_allowed_whatever_found_it(source: str) -> None:
    assert not kept("Hill Unit", PhiLabel.HOSPITAL, 1.0, source, "HILL  unit")


def test_a_term_of_the_policy_does_not_allow_what_the_sender_knows() -> None:
    assert kept("Hill", PhiLabel.PATIENT, 1.0, "known", "Hill")


def test_the_order_of_the_spans_is_kept() -> None:
    spans = Span(4, 6, PhiLabel.CITY), Span(0, 3, PhiLabel.DATE)
    assert drop_terms_not_phi("oka do", spans, ()) == spans


def test_the_lists_are_as_large_as_promised() -> None:
    assert len(eponyms()) >= 300
    assert len(clinical_terms() - eponyms()) >= 400
    assert {"may", "colon", "long", "the"} <= common_words()
    assert not {"okonjo", "smith", "nguyen"} & common_words()


@pytest.mark.parametrize("term", ["uh", "Mm-hmm", "inaudible", "SPK0"])
def test_a_filler_of_a_transcript_is_no_name_however_sure_the_tagger(term: str) -> None:
    assert not kept(term, PhiLabel.PATIENT, 1.0, "tagger")
    assert kept(term, PhiLabel.PATIENT, 1.0, "known")


@pytest.mark.parametrize("term", ["Rollator", "restrained driver", "Tele"])
def test_equipment_is_no_profession_and_no_place(term: str) -> None:
    assert not kept(term, PhiLabel.PROFESSION, 1.0, "tagger")
    assert not kept(term, PhiLabel.HOSPITAL, 1.0, "tagger")


def test_a_walker_may_be_a_name_and_a_state_is_no_filler() -> None:
    assert kept("Walker", PhiLabel.PATIENT, 0.9, "tagger")
    assert kept("OK", PhiLabel.STATE, 0.9, "tagger")


@pytest.mark.parametrize("term", ["Rifinah", "IGRA", "LKW"])
def test_a_drug_or_a_test_is_no_name(term: str) -> None:
    assert not kept(term, PhiLabel.PATIENT, 0.99, "tagger")


@pytest.mark.parametrize(
    "address",
    [
        "http://snomed.info/sct",
        "http://hl7.org/fhir/sid/icd-10-cm",
        "HTTP://terminology.hl7.org/CodeSystem/v3-ActCode",
        "loinc.org",
    ],
)
def test_the_address_of_a_terminology_is_no_url_of_anybody(address: str) -> None:
    assert not kept(address, PhiLabel.URL, 1.0, "rules:contact.url")
    assert kept(address, PhiLabel.URL, 1.0, "known")
    assert kept(address, PhiLabel.URL, 1.0, "dictionary:deny")


@pytest.mark.parametrize(
    "address",
    [
        "https://my.maple.example/mrn",
        "https://nothl7.org/4417",
        "https://hl7.org.maple.example/4417",
        "https://winter@hl7.org/fhir",
        "http://hl7.org/fhir/Patient?name=winter",
        "org",
    ],
)
def test_any_other_address_is_kept(address: str) -> None:
    assert kept(address, PhiLabel.URL, 1.0, "rules:contact.url")


def test_letters_with_dots_are_the_term_without_them() -> None:
    assert not kept("E.C.O.G.", PhiLabel.PATIENT, 0.8, "tagger")
    assert kept("K.W.", PhiLabel.PATIENT, 0.7, "tagger")


@pytest.mark.parametrize("term", ["Delivery Suite", "MATERNITY", "HOSP", "Receiving Ward"])
def test_a_unit_that_most_hospitals_have_is_no_hospital(term: str) -> None:
    assert not kept(term, PhiLabel.HOSPITAL, 0.9, "tagger")
    assert kept(term, PhiLabel.HOSPITAL, 1.0, "known")


@pytest.mark.parametrize("text", ["Pelican Maternity", "Ward C", "Ward Rowan"])
def test_a_name_or_letter_makes_a_unit_a_hospital(text: str) -> None:
    assert kept(text, PhiLabel.HOSPITAL, 0.5, "tagger")


def test_a_unit_before_its_number_is_a_ward() -> None:
    tagged = Span(0, len("Acute Medical Unit"), PhiLabel.HOSPITAL, 0.5, "tagger")
    assert drop_terms_not_phi("Acute Medical Unit 2", [tagged], ())
    assert not drop_terms_not_phi("Acute Medical Unit, 2 pm", [tagged], ())


@pytest.mark.parametrize("term", ["Indigenous Health", "BHW", "RHU", "Transplant Coord"])
@pytest.mark.parametrize("label", [PhiLabel.HOSPITAL, PhiLabel.ORGANIZATION])
def test_a_kind_of_service_or_staff_is_no_institution(term: str, label: PhiLabel) -> None:
    assert not kept(term, label, 0.8, "tagger")
    assert kept(f"Iloilo {term}", label, 0.8, "tagger")


@pytest.mark.parametrize("unit", ["CCU-North", "ICU South"])
def test_a_unit_with_a_direction_is_one_of_several(unit: str) -> None:
    assert kept(unit, PhiLabel.HOSPITAL, 0.9, "tagger")


@pytest.mark.parametrize("written", ["Prograf brand", "2 Graseby", "cobas8000", "Vancouver B2"])
def test_a_product_with_its_number_and_an_eponym_with_its_class_are_no_place(written: str) -> None:
    assert not kept(written, PhiLabel.HOSPITAL, 0.99, "tagger")
    assert kept(written, PhiLabel.USERNAME, 0.99, "tagger")
    assert kept(f"{written} Ngata", PhiLabel.HOSPITAL, 0.99, "tagger")


@pytest.mark.parametrize(
    ("text", "label", "is_number"),
    [
        ("CPSNB 20-3371", PhiLabel.LICENSE, False),
        ("Hilux MNA-204", PhiLabel.VEHICLE, False),
        ("ZZC 0447", PhiLabel.VEHICLE, True),
        ("DRONE", PhiLabel.LICENSE, True),
    ],
)
def test_the_board_before_a_licence_and_the_make_before_a_plate_are_no_number(
    text: str, label: PhiLabel, *, is_number: bool
) -> None:
    tagged = Span(0, text.find(" ") % (len(text) + 1), label, 0.9, "tagger")
    assert bool(drop_terms_not_phi(text, [tagged], ())) is is_number
