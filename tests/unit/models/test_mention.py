"""What is read of a text is read once for a note, and forgotten with it."""

from deidstream.models.mention import Mention, Readings
from deidstream.models.surrogates.mentions import mentions
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span


def test_a_reader_is_called_once_for_each_text() -> None:
    calls: list[str] = []

    def count_letters(text: str) -> int:
        calls.append(text)
        return len(text)

    readings = Readings()
    counted = [readings.read(count_letters, text) for text in ("Ada", "Bo", "Ada")]
    assert (counted, calls) == ([3, 2, 3], ["Ada", "Bo"])


def test_two_readers_of_one_text_do_not_share_an_answer() -> None:
    readings = Readings()
    assert (readings.read(len, "Ada"), readings.read(str.upper, "Ada")) == (3, "ADA")


def test_the_mentions_of_a_note_share_one_and_no_other_note_does() -> None:
    spans = [Span(0, 3, PhiLabel.DOCTOR), Span(4, 7, PhiLabel.DOCTOR)]
    first, second = mentions(RawNote("n", "p", "Ada Bea"), spans)
    (other,) = mentions(RawNote("n", "p", "Ada Bea"), spans[:1])
    assert first.readings is second.readings
    assert other.readings is not first.readings


def test_what_was_read_is_no_part_of_a_mention_and_not_shown() -> None:
    one, two = Mention("Ada", PhiLabel.DOCTOR), Mention("Ada", PhiLabel.DOCTOR)
    one.readings.read(str.upper, "Ada")
    assert one == two
    assert "ADA" not in repr(one) + repr(one.readings)
