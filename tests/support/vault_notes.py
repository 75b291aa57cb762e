"""Notes that put the vault to the test: few surrogates for many originals, and much to repeat."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count

from hypothesis import strategies as st

from deidstream.models.records import Detected
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.label import PhiLabel
from support.vault import detected, replacer

# Few enough to meet: local numbers have a hundred surrogates, men's names in K some thirty. Some
# have a short form, a spelling or a form for women, as their surrogates have then.
NAMES = (
    "Keith Kevin Kyle Kurt Karl Kent Kirk Ken Kelvin Kris Kasey Kerry Kim Kory Kermit Vanterpool "
    "Brightwater Femi Achterberg Quill Zamora Xu Yardley Underhill Irons Jonathan Jon Stuart Gerry "
    "Geraldine Gerald Martin Marty Margaret Peggy Ivanov Ivanova Petrova Kowalska"
)
POOLS: Mapping[PhiLabel, Sequence[str]] = {
    PhiLabel.PHONE: [f"{number:03d}-{number * 37 % 10_000:04d}" for number in range(201, 999, 13)],
    PhiLabel.PATIENT: NAMES.split(),
    PhiLabel.MEDICALRECORD: [f"{number:03d}" for number in range(100, 999, 7)],
    PhiLabel.CITY: ["Boston", "Worcester", "Springfield", "Quincy", "Lowell", "Chicago"],
}

Item = tuple[PhiLabel, str]
items: st.SearchStrategy[Item] = st.sampled_from(sorted(POOLS)).flatmap(
    lambda label: st.tuples(st.just(label), st.sampled_from(POOLS[label]))
)
items_of_note = st.lists(items, min_size=1, max_size=12)
patients = st.sampled_from(["P1", "P1", "P2"])


@st.composite
def notes(draw: st.DrawFn) -> list[Detected]:
    """Some notes of a patient or two."""
    several = draw(st.lists(items_of_note, min_size=1, max_size=8))
    return [detected(some, draw(patients), number) for number, some in enumerate(several)]


def seeds() -> Callable[[], bytes]:
    """Seeds that are no more random than a test needs, and never twice the same."""
    numbers = count(1)
    return lambda: next(numbers).to_bytes(32, "big")


def makers() -> list[Replacer]:
    """A worker of either mode."""
    return [replacer(), replacer(seeds())]
