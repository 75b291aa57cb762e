from collections.abc import Callable

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.operators.letters import ALPHABET, FILLED, letter_table
from deidstream.models.operators.name_parts import Role, parse
from deidstream.models.operators.name_pools import gender, is_given, names
from deidstream.models.operators.names import FAMILY, GIVEN, LETTERS, ReplaceName
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.schemas.label import PhiLabel

Replace = Callable[..., str]
NAME = ReplaceName()


@pytest.fixture
def rename(replace: Replace) -> Callable[[str], str]:
    return lambda text: replace(NAME, PhiLabel.PATIENT, text)


def test_full_name_surname_and_order_agree(rename: Callable[[str], str]) -> None:
    given, family = rename("Jonathan Achterberg").split()
    assert rename("Achterberg") == family
    assert rename("ACHTERBERG, JONATHAN") == f"{family}, {given}".upper()
    assert rename("Achterberg^Jonathan") == f"{family}^{given}"
    assert rename("jonathan") == given.lower()


def test_initials_agree_with_the_full_name(rename: Callable[[str], str]) -> None:
    given, family = rename("Jonathan Achterberg").split()
    assert rename("J.A.") == f"{given[0]}.{family[0]}."
    assert rename("ja") == (given[0] + family[0]).lower()
    assert rename("J. Achterberg") == f"{given[0]}. {family}"


def test_parts_of_a_double_name_are_persons_names_of_their_own(
    rename: Callable[[str], str],
) -> None:
    first, second = rename("Achterberg-Nwosu").split("-")
    assert (first, second) == (rename("Achterberg"), rename("Nwosu"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ulises Graves Jr.", " Jr."),
        ("ELDRED HATHAWAY III", " III"),
        ("KAUR^JASPREET^MD", "^MD"),
        ("Achterberg's", "'s"),
        ("Dr. Achterberg", "Dr. "),
        ("Johannes van der Berg", " van der "),
        ("VAN DER BERG, Johannes", "VAN DER "),
        ("Chandra binti Muthu", " binti "),
    ],
)
def test_suffix_particle_and_title_stay(rename: Callable[[str], str], text: str, kept: str) -> None:
    assert kept in rename(text)


@pytest.mark.parametrize("text", ["jr", "van", "MD", "Dr.", "D.O.", "III", "St", "van der", "mc"])
def test_what_stands_alone_is_a_name(rename: Callable[[str], str], text: str) -> None:
    assert rename(text).casefold() != text.casefold()


@pytest.mark.parametrize("text", ["Van Achterberg", "Al Achterberg", "Le-Baker"])
def test_a_particle_that_may_be_a_name_is_replaced(rename: Callable[[str], str], text: str) -> None:
    assert (
        not rename(text).casefold().startswith(text.replace("-", " ").split()[0].casefold() + " ")
    )


def test_a_spelled_name_agrees_with_the_plain_one(rename: Callable[[str], str]) -> None:
    assert rename("S U N D E").replace(" ", "") == rename("Sunde").upper()


def test_a_scanned_digit_is_read_as_a_letter(rename: Callable[[str], str]) -> None:
    assert rename("Pe11erin") == rename("Pellerin")


def test_digits_and_symbols_do_not_pass(rename: Callable[[str], str]) -> None:
    assert not set("4471") & set(rename("gt4471")) - set(rename("gt4471")[:2])
    assert rename("\U0001f642\U0001f642") == "[PATIENT]"
    assert rename("---") == "[PATIENT]"


@pytest.mark.parametrize("text", ["\u738b\u5c0f\u660e", "\u0410\u043d\u043d\u0430", "\u00c9va"])
def test_other_scripts_become_latin(rename: Callable[[str], str], text: str) -> None:
    assert rename(text).isascii()
    assert rename(text) != text


def test_gender_follows_the_census() -> None:
    assert (gender("patricia"), gender("james")) == ("f", "m")
    pool = names().given_pool
    surrogate = NAME.derive(Identity(GIVEN, "patricia"), _draws())
    assert surrogate in {name for (who, _), group in pool.items() if who == "f" for name in group}


def test_a_token_has_one_kind_wherever_it_stands() -> None:
    assert is_given("harriet")
    assert not is_given("montoya")
    mention = Mention("Lemon, Harriet", PhiLabel.PATIENT)
    assert {one.kind for one in NAME.identities(mention)} == {GIVEN, FAMILY}


def test_no_letter_stands_for_itself_in_any_scope() -> None:
    for scope in map(str, range(200)):
        table = letter_table(_draws(scope))
        assert all(a != b for a, b in zip(ALPHABET + "0123456789", table, strict=True))
        assert set(table[:26]) <= set(FILLED)


def test_scopes_differ_and_probes_share_the_initial() -> None:
    one = Identity(FAMILY, "achterberg")
    assert NAME.derive(one, _draws("a")) != NAME.derive(one, _draws("b"))
    probed = [NAME.derive(one, Draws(_draws().keyring, "patient", probe)) for probe in range(9)]
    assert len(set(probed)) > 1
    assert len({name[0] for name in probed}) == 1
    assert NAME.derive(LETTERS, _draws()) == letter_table(_draws())


def test_every_pool_can_be_drawn_from() -> None:
    lists = names()
    assert min(map(len, lists.given_pool.values())) >= 10
    assert min(len(lists.family_pool[c]) for c in FILLED) >= 100


def test_a_nickname_in_quotes_is_replaced_within_them() -> None:
    roles = [part.role for part in parse('Emmanuel "Manny" Tetteh')]
    assert roles.count(Role.NAME) == 3


def _draws(scope: str = "patient") -> Draws:
    return Draws(Keyring(b"k" * 32, 1, "tenant"), scope)
