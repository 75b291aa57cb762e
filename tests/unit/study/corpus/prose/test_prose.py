import pytest

from deidstream.study.corpus.prose.doubts import Vocabulary, hides_work
from deidstream.study.corpus.prose.layout import lines_of, replace_placeholders
from deidstream.study.corpus.prose.prose import ProseReader
from deidstream.study.corpus.prose.spans import Finder
from support.filling import show_sentences

WORDS = "the patient was seen with a clear chest and came to clinic in good spirits she feels well"


def read(*texts: str) -> list[str]:
    vocabulary = Vocabulary.of([WORDS] * 2)
    reading = ProseReader(Finder(vocabulary))
    return show_sentences(reading.passage("x", *replace_placeholders(text)) for text in texts)


def test_commas_without_a_space_were_line_breaks() -> None:
    text = "HISTORY: , A cough, dry.,EXAM:,  Clear.,1.  Rest.,2.  Fluids, 1,000 mL."
    assert lines_of(text) == (
        "HISTORY: A cough, dry.\nEXAM: Clear.\n1. Rest.\n2. Fluids, 1,000 mL."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seen by Dr. XYZ in clinic.", "Seen by Dr. [DOCTOR] in clinic."),
        ("Mr. ABC is well.", "Mr. [PATIENT] is well."),
        ("Sent to ABCD General Hospital.", "Sent to [HOSPITAL]."),
        ("Seen on MM/DD/YYYY in clinic.", "Seen on [DATE] in clinic."),
        ("This is a XX-year-old man.", "This is a [AGE]-year-old man."),
    ],
)
def test_placeholders_become_slots(text: str, expected: str) -> None:
    assert read(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The patient is a 45-year-old man.", "The patient is a [AGE]-year-old man."),
        ("She came on 03/04/2007.", "She came on [DATE]."),
        ("She came in March of 2007.", "She came in [DATE]."),
        ("She feels well since Monday.", "She feels well since [DATE]."),
        ("Seen by Dr. Quennell in clinic.", "Seen by Dr. [DOCTOR] in clinic."),
        ("She was seen in Texas.", "She was seen in [STATE]."),
        ("She works as a carpenter.", "She works as a [PROFESSION]."),
    ],
)
def test_phi_of_the_prose_becomes_a_slot(text: str, expected: str) -> None:
    assert read(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "She was seen with Quorndon.",
        "The ______ was clear.",
        "The XXX chest was clear.",
        "She came in 2007 or 2008 or so with Brixby.",
        "She is employed at the mill.",
        "Serial number 4471829.",
        "She was 4 or 5 years old.",
        "Call 555-0142.",
        "She was referred to Sinai.",
        "The patient is going to be 18.",
    ],
)
def test_doubtful_sentences_are_left_out(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The patient was seen with a Kocher clamp.",
        "The chest has a 2/6 murmur.",
        "Strength was 5/5 in the clinic.",
        "She feels well with the Qwenby retractor.",
    ],
)
def test_what_only_looks_like_phi_stays(text: str) -> None:
    assert read(text) == [text]


def test_only_the_doubtful_sentence_goes() -> None:
    assert read("The chest was clear. She was seen with Quorndon. She feels well.") == [
        "The chest was clear.",
        "She feels well.",
    ]


def test_a_bare_number_below_family_may_be_an_age() -> None:
    assert read("FAMILY HISTORY: Mother is well, 65.\nCHEST: Clear at 65.") == [
        "CHEST> Clear at 65."
    ]


def test_a_gestational_age_is_no_age() -> None:
    assert not any("[AGE]" in line for line in read("Composite sonographic age 30 weeks 6 days."))


@pytest.mark.parametrize(
    ("words", "labelled", "hidden"),
    [
        ("He works as a glazier.", False, True),
        ("The chest was clear.", False, False),
        ("She is a . and a teacher.", True, True),
        ("She is a . and feels well.", True, False),
        ("He is a . at Brixby.", True, True),
    ],
)
def test_work_that_nobody_labelled_is_noticed(words: str, labelled: bool, hidden: bool) -> None:  # noqa: FBT001
    assert hides_work(words, labelled=labelled) is hidden


def test_a_word_that_may_be_a_first_name_is_no_safe_word() -> None:
    vocabulary = Vocabulary.of([WORDS, "grace period"] * 2)
    assert vocabulary.is_safe("Chest", begins=False)
    assert not vocabulary.is_safe("Grace", begins=False)
    assert vocabulary.is_safe("Grace", begins=True)
    assert not vocabulary.is_safe("Quorndon", begins=True)
