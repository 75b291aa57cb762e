"""Within what one original has one surrogate."""

from dataclasses import replace

from deidstream.models.keyring import Keyring
from deidstream.models.surrogates.replacer import Replacer
from deidstream.models.surrogates.scopes import MappingSpace, make_scope
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Scope
from deidstream.schemas.release_policy import ReleasePolicy, Sharing
from support.vault import ROOT, World, detected, lines, replacer

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
    scopes = {make_scope(RING, scope, MappingSpace(), NOTE, 5) for scope in Scope}
    scopes |= {
        make_scope(RING, Scope.MENTION, MappingSpace(), NOTE, 6),
        make_scope(RING, Scope.PATIENT, MappingSpace(2), NOTE, 5),
        make_scope(RING, Scope.PATIENT, MappingSpace(release="a"), NOTE, 5),
    }
    assert len({scope.digest for scope in scopes}) == 7


def released(made: Replacer, release: str) -> Replacer:
    own = ReleasePolicy(release, Sharing.OWN, Sharing.OWN)
    return replace(made, policy=replace(made.policy, release=own))


def test_two_releases_share_no_surrogate_and_no_name_in_the_store() -> None:
    noted = [detected([SMITH]), detected([SMITH], number=2)]
    for scope in (Scope.PATIENT, Scope.TENANT):
        made = replacer(None, {PhiLabel.PATIENT: scope})
        worlds = [World(), World(), World()]
        first, second, shared = (
            [lines(each) for each in world.write(one, noted)]
            for world, one in zip(
                worlds, (released(made, "a"), released(made, "b"), made), strict=True
            )
        )
        assert first[0] == first[1]
        assert len({*first[0], *second[0], *shared[0]}) == 3
        names = [set(world.kept) for world in worlds]
        assert sum(map(len, names)) == len(set().union(*names))


def test_two_releases_in_one_store_come_out_as_if_each_had_its_own() -> None:
    noted = [detected([SMITH, (PhiLabel.PATIENT, f"Ansel Orr{n}")], number=n) for n in range(9)]
    made, alone, both = replacer(None), World(), World()
    both.write(released(made, "a"), noted)
    expected = [lines(one) for one in alone.write(released(made, "b"), noted)]
    assert [lines(one) for one in both.write(released(made, "b"), noted)] == expected


def test_all_releases_of_a_patient_are_forgotten_with_him() -> None:
    world, made = World(), replacer(None)
    for release in ("a", "b"):
        world.write(released(made, release), [detected([SMITH])])
    owner = Keyring(ROOT, 1, "default").owner("P1")
    assert world.kept
    assert {name[:16] for name in world.kept} == {owner}


def test_random_surrogates_of_two_releases_differ_too() -> None:
    world, seeds = World(), iter(bytes([n]) * 32 for n in range(99))
    made = replacer(lambda: next(seeds))
    first, second = (
        lines(world.write(released(made, release), [detected([SMITH])])[0])
        for release in ("a", "b")
    )
    again = lines(world.write(released(made, "a"), [detected([SMITH], number=3)])[0])
    assert first == again != second


def test_what_belongs_to_no_patient_is_not_kept_with_one() -> None:
    owners = {scope: make_scope(RING, scope, MappingSpace(), NOTE, 0).owner for scope in Scope}
    assert owners.pop(Scope.TENANT) == b""
    assert set(owners.values()) == {RING.owner("P1")}
