"""Whatever is found in a message, what comes out has its segments, fields and components."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.surrogates.substitute import substitute
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Replacement, Span
from support.hl7_messages import messages_in, shape
from support.profiles import few

NAMES = ("PID", "NK1", "PV1", "OBX", "NTE", "GT1", "IN1", "ORC", "DG1", "SFT", "ZPV")
WORDS = (
    "SHAW",
    "van der Merwe",
    "A&B",
    "44-10982",
    "20240717061533",
    "SPO",
    "Ann came.\\.br\\Ok",
    '""',
)
SEPARATORS = "|^~"


@st.composite
def messages(draw: st.DrawFn) -> str:
    end = draw(st.sampled_from(["\r", "\n", "\r\n"]))
    lines = ["MSH|^~\\&|ADT|GH|LAB|GH|20240717061533||ADT^A01|77|P|2.5"]
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6)):
        parts = draw(
            st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(SEPARATORS)), max_size=30)
        )
        lines.append(f"{name}|1|" + "".join(parts))
    return end.join(lines)


@st.composite
def found_in(draw: st.DrawFn, text: str) -> list[Span]:
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=20)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    worded = [ends for ends in pairs if any(map(str.isalnum, text[slice(*ends)]))]
    return [Span(start, end, PhiLabel.PATIENT, 0.9, "tagger") for start, end in worded]


@few(40)
@given(st.data(), messages(), st.text("ab&|^~\\ \n", min_size=1, max_size=8))
def test_the_form_stays(data: st.DataObject, text: str, surrogate: str) -> None:
    guard = Hl7Guard.read(text)
    spans = guard.keep_form(data.draw(found_in(text)))
    for span in spans:
        assert not set("|^~&\r\n") & set(text[span.start : span.end])
        assert text[span.start : span.end].strip()
    replacements = [Replacement(span, surrogate, "surrogate") for span in spans]
    made, _ = substitute(text, guard.escape(replacements))
    assert [*map(shape, messages_in(made))] == [*map(shape, messages_in(text))]
    assert guard.keep_form(spans) == spans


@few(40)
@given(messages())
def test_what_the_standard_names_is_disjoint_and_in_order(text: str) -> None:
    spans = Hl7Guard.read(text).keep_form(())
    assert all(one.end <= other.start for one, other in pairwise(spans))
