"""Within what one original has one surrogate."""

from dataclasses import replace

from deidstream.models.keyring import Keyring
from deidstream.models.surrogates.scopes import make_scope
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Scope
from support.vault import World, detected, lines, replacer

RING = Keyring(b"k" * 32, 1, "t")
NOTE = RawNote("N1", "P1", "text")
SMITH = (PhiLabel.PATIENT, "Achterberg")


def surrogates(scope: Scope, *, epoch: int = 1) -> list[list[str]]:
    """What stands for one name: twice in a note, in another note, and in another patient's."""
    made = replace(replacer(None, {PhiLabel.PATIENT: scope}), epoch=epoch)
    noted = [detected([SMITH, SMITH]), detected([SMITH], number=2), detected([SMITH], "P2")]
    return [lines(written) for written in World().write(made, noted)]


def test_each_mention_is_drawn_anew_and_a_replay_draws_the_same() -> None:
    drawn = surrogates(Scope.MENTION)
    assert len({name for names in drawn for name in names}) == 4
    assert drawn == surrogates(Scope.MENTION)


def test_a_document_has_one_surrogate_and_the_next_another() -> None:
    (one, again), (other,), _ = surrogates(Scope.DOCUMENT)
    assert one == again != other


def test_a_patient_has_one_surrogate_and_the_next_another() -> None:
    (one, again), (later,), (other,) = surrogates(Scope.PATIENT)
    assert one == again == later != other


def test_a_tenant_has_one_surrogate() -> None:
    assert len({name for names in surrogates(Scope.TENANT) for name in names}) == 1


def test_an_epoch_shares_nothing_with_the_one_before() -> None:
    for scope in Scope:
        first, second = surrogates(scope), surrogates(scope, epoch=2)
        assert {n for names in first for n in names}.isdisjoint(n for ns in second for n in ns)


def test_the_parts_of_a_name_agree_within_the_scope_of_their_label() -> None:
    made = replacer(None, {PhiLabel.PATIENT: Scope.MENTION, PhiLabel.DOCTOR: Scope.DOCUMENT})
    held = [(PhiLabel.DOCTOR, "Dr. Quentin Vanterpool"), (PhiLabel.DOCTOR, "Vanterpool, Q.")]
    held += [(PhiLabel.PATIENT, "Vanterpool")]
    full, turned, patient = lines(World().write(made, [detected(held)])[0])
    title, given, family = full.split()
    assert turned == f"{family}, {given[0]}."
    assert title == "Dr."
    assert patient != family


def test_scopes_do_not_run_into_each_other() -> None:
    scopes = {make_scope(RING, scope, 1, NOTE, 5) for scope in Scope}
    scopes |= {
        make_scope(RING, Scope.MENTION, 1, NOTE, 6),
        make_scope(RING, Scope.PATIENT, 2, NOTE, 5),
    }
    assert len({scope.digest for scope in scopes}) == 6


def test_what_belongs_to_no_patient_is_not_kept_with_one() -> None:
    owners = {scope: make_scope(RING, scope, 1, NOTE, 0).owner for scope in Scope}
    assert owners.pop(Scope.TENANT) == b""
    assert set(owners.values()) == {RING.owner("P1")}
