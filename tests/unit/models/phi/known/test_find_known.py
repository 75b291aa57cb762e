import pytest

from deidstream.models.phi.known.find_known import find_stated_names
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers

KNOWN = KnownIdentifiers(
    names=("Mary-Ann van Achterberg-Nkosi", "Long, Will", "Rose May", "Crow, Sterling"),
    staff=("Dr. William Oyelaran", "Salonga, Jose A"),
)


def found(text: str, known: KnownIdentifiers = KNOWN) -> list[str]:
    return [text[one.start : one.end] for one in find_stated_names(text, known)]


@pytest.mark.parametrize(
    "form",
    [
        "Mary Ann", "Maryann", "mary-ann", "Mary-\nAnn", "ACHTERBERG", "Nkosi, M", "M.A. Nkosi",
        "van Achterberg-Nkosi, Mary-Ann", "VAN ACHTERBERG-NKOSI A-M", "Achterb\u00e9rg",
        "Achter-\nberg", "Achtreberg", "Achterbergs", "NKOSI^MARY^ANN",
        "dr.salonga", "jsalonga", "salongaj", "salonga_j", "JoseSalonga", "J. A. Salonga",
        "Bill", "Billy Oyelaran", "W. Oyelaran", 'Jose "Pepito" Salonga',
    ],
)  # fmt: skip
def test_every_form_of_a_stated_name_is_found(form: str) -> None:
    assert found(f"we saw {form} and") == [form]


def test_a_file_is_found_by_the_name_that_it_has() -> None:
    assert found("see SALONGA_JOSE.pdf") == ["SALONGA_JOSE"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Temp rose. It will last long. She may go.", []),
        ("Long history. Will follow up. Rose to 5. May repeat.", []),
        ("LONG HISTORY OF COUGH. PT WILL FOLLOW. ROSE TO 5.", []),
        ("long history of cough, pt will follow, temp rose to 5", []),
        ("Sent to Long Term Care by Young Adult Services.", []),
        ("the Long line catheter", ["Long"]),
        ("Will was seen. Rose denies pain. We met Rose there.", ["Will", "Rose", "Rose"]),
        ("PATIENT LONG WAS SEEN WITH COUGH", ["LONG"]),
        ("pt long came in, rose says she fell", ["long", "rose"]),
        ("mr long came in. It took long. The long day, Bob.", ["long"]),
        ("id;Crow;E-09", ["Crow"]),
        ("Rose\nLong", []),
        ("Rose May and LONG;Will", ["Rose May", "LONG;Will"]),
    ],
)
def test_a_stated_name_that_is_a_word_counts_where_it_is_a_name(
    text: str, names: list[str]
) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dressing done.      WO\nSlept well.      WO\n", ["WO", "WO"]),
        ("typed by JAS", ["JAS"]),
        ("JS = Jose Salonga. Wound clean JS today.", ["JS", "Jose Salonga", "JS"]),
        ("Signed (WO, 3/4)", ["WO"]),
        ("J.A.S. has called", ["J.A.S"]),
        ("WO2 and a WO rate in JS medium", []),
        ("MR brain: no lesion. MR 120. RM air. R M", []),
    ],
)
def test_initials_count_where_people_sign_or_the_note_explains_them(
    text: str, names: list[str]
) -> None:
    assert found(text) == names


def test_a_measure_behind_a_name_is_no_initial() -> None:
    assert found("Salonga J 80, Salonga A-fib, Salonga J.D.") == ["Salonga", "Salonga", "Salonga"]


def test_what_resembles_a_name_is_not_exact() -> None:
    known = KnownIdentifiers(names=("William Achterberg",))
    text = "Achterberg Bill, then Achtreberg, then Billy"
    assert [one.exact for one in find_stated_names(text, known)] == [True, False, False]


def test_a_user_name_has_a_label_of_its_own() -> None:
    (one,) = find_stated_names("by dr.salonga now", KNOWN)
    assert one.label is PhiLabel.USERNAME


def test_staff_is_no_patient() -> None:
    assert [one.label for one in find_stated_names("Salonga saw Nkosi", KNOWN)] == [
        PhiLabel.DOCTOR,
        PhiLabel.PATIENT,
    ]


def test_an_ordinary_word_is_no_misspelled_name() -> None:
    known = KnownIdentifiers(names=("Marted Cotugh",))
    assert found("Marked Cough, Cotguh and marted", known) == ["Cotguh", "marted"]


def test_without_names_nothing_is_found() -> None:
    assert found("Rose May", KnownIdentifiers(identifiers=("Rose",))) == []


@pytest.mark.parametrize(
    ("stated", "text", "names"),
    [
        ("Ng Bo", "We met Bo. Bo 2 mg. BO in the bowel, bo.", ["Bo"]),
        ("Baby", 'My aunt Baby cried. "Baby" is a pet name. The baby slept.', ["Baby", "Baby"]),
        ("Baby Girl Quill", "BABY GIRL seen. We met Baby.", []),
        ("Zamora Elias B Sr", "PID||ZAMORA^ELIAS^B^SR||1933", ["ZAMORA^ELIAS^B^SR"]),
        ("Zamora Elias Jr", "Zamora, Jr. came, jr of 2", ["Zamora, Jr"]),
    ],
)
def test_short_and_pet_names_and_suffixes(stated: str, text: str, names: list[str]) -> None:
    assert found(text, KnownIdentifiers(names=(stated,))) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We saw Dot today.\nDot ears. Rose bloods.", ["Dot", "Dot"]),
        ("We saw Dot today.\nDot ears. A dot of blood.", ["Dot"]),
        ("We saw Dot today.\nDOT ears.", ["Dot"]),
        ("We saw Dot today.\nDot disease. Dot 3.", ["Dot"]),
        ("We met Will. Will follow.", ["Will"]),
        ("Dot ears.", []),
    ],
)
def test_an_ordinary_word_that_is_a_name_elsewhere_is_one_where_a_line_begins(
    text: str, names: list[str]
) -> None:
    assert found(text, KnownIdentifiers(names=("Dot Hargreaves", "Will Long"))) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("skating per ASK. Ask them.", ["ASK"]),
        ("per ED, per HR and ASK them", []),
        ("0410 AT: at home now. 0410 HR: 80. 0420 HR: even. 1:50 AM: up", ["AT"]),
        ("Consent AU. Drops AU.", ["AU"]),
        ("recheck              es\nmum aware            es\nsays next yr es\n", ["es"] * 3),
    ],
)
def test_initials_that_are_words_count_where_only_a_person_can_be_meant(
    text: str, names: list[str]
) -> None:
    staff = ("Anselm Sand-King", "Ada Thorn", "Ada Umeh", "Hine Rota", "Amy Moss", "Edda Sen")
    assert found(text, KnownIdentifiers(staff=staff)) == names


@pytest.mark.parametrize(
    ("stated", "text", "names"),
    [
        ("de Achterberg", "Dr. De came, dr de came, De novo", ["De"]),
        ("Rose May", "A rose may fall. Rose may fall. We met R. May.", ["R. May"]),
        ("Rose May", "We met rose May there. We met Rose may", ["May", "Rose"]),
        ("Rose May", "pt rose may said a rose is red", ["rose may"]),
        ("Li Bo", "Seen with Li Bo. Then li bo", ["Li Bo"]),
        ("Li Bo", "then li bo", []),
        ("de Ann Bo", "Seen with De A today", []),
        ("Robert Price", "Bob was in, and bob too", ["Bob", "bob"]),
        ("Robert Price Jr", "Then bob jr fell, and Bob Jr", ["Bob Jr"]),
        ("Robert Price Jr", "then bob jr fell", ["bob jr"]),
        ("J Ann B Quill", "the file jannb", []),
        ("Jose Salonga", "salonga_jose.pdf Salonga_b", ["salonga_jose", "Salonga"]),
    ],
)
def test_words_of_one_name_count_in_capitals_or_in_a_note_without_any(
    stated: str, text: str, names: list[str]
) -> None:
    assert found(text, KnownIdentifiers(names=(stated,))) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We met Achter berg. Seen at achter berg", ["Achter berg"]),
        ("The Achterbergs called. Then Quilles called", ["Achterbergs", "Quilles"]),
        ("The Quiill lot and a quiill", ["Quiill"]),
        ("She is an achtreberg", ["achtreberg"]),
    ],
)
def test_forms_that_resemble_a_name(text: str, names: list[str]) -> None:
    assert found(text, KnownIdentifiers(names=("Mary Quill", "Ada Achterberg"))) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A, M. Quill. m quill. m.quill", ["M. Quill", "quill", "m.quill"]),
        ("Quill_m", ["Quill_m"]),
        ("M, Quill", ["Quill"]),
        ("M\nQuill", ["Quill"]),
        ("M. - Quill", ["Quill"]),
        ("Quill^^M and Quill^^^M and Quill^^^^M", ["Quill^^M", "Quill^^^M", "Quill"]),
        ("Quill M fell. Quill m fell. Quill - M fell", ["Quill M", "Quill", "Quill"]),
        ("P. Quill and P. Oak", ["Quill", "P. Oak"]),
        ("M. P. Quill", ["Quill"]),
        ("Quill M. Oak", ["Quill M", "Oak"]),
        ("Quill Oak", ["Quill", "Oak"]),
        ("Mary Mary Quill", ["Mary", "Mary Quill"]),
        ("Mary. Quill", ["Mary", "Quill"]),
        ("Mary.Quill", ["Mary.Quill"]),
        ("Mary+Quill", ["Mary", "Quill"]),
        ("Mary" + " " * 12 + "Quill", ["Mary" + " " * 12 + "Quill"]),
        ("Mary" + " " * 13 + "Quill", ["Mary", "Quill"]),
        ("x" * 46 + " Mary\nQuill", ["Mary\nQuill"]),
        ("then Mary\nQuill", ["Mary", "Quill"]),
        ('Mary "Ducky" Quill', ['Mary "Ducky" Quill']),
        ('Mary "ducky" Quill', ["Mary", "Quill"]),
        ('Mary "Ducky Quill', ["Mary", "Quill"]),
        ('Mary "Ducky" Oak', ["Mary", "Oak"]),
    ],
)
def test_initials_gaps_and_nicknames_between_the_words_of_a_name(
    text: str, names: list[str]
) -> None:
    known = KnownIdentifiers(names=("Mary Quill", "Peter Oak"))
    assert found(f"we saw {text} and", known) == names


@pytest.mark.parametrize("form", ["Quill", "Mary Quill", "M. Quill", "Quill M"])
def test_a_name_of_several_persons_has_the_label_of_the_first(form: str) -> None:
    known = KnownIdentifiers(names=("Mary Quill",), staff=("Ada Quill", "Mary Quill"))
    (one,) = find_stated_names(f"we saw {form} and", known)
    assert one.label is PhiLabel.PATIENT


@pytest.mark.parametrize("form", ["Ada Quill", "Quill, Ada", "A. Quill", "Quill A"])
def test_other_words_and_initials_tell_whose_name_it_is(form: str) -> None:
    known = KnownIdentifiers(names=("Mary Quill",), staff=("Ada Quill", "Mary Quill"))
    (one,) = find_stated_names(f"we saw {form} and", known)
    assert one.label is PhiLabel.DOCTOR
