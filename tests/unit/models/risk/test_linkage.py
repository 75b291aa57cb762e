"""The attack of one who holds the originals, on the output itself."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deidstream.models.keyring import Keyring
from deidstream.models.references.number_lists import NumberLists
from deidstream.models.references.own_attack import OwnAttack, OwnRank
from deidstream.models.references.reference_notes import ReferenceNotes, mean_vector
from deidstream.models.references.word_sketch import sketch_text
from deidstream.models.release_ids import patient_pseudonym
from deidstream.models.risk.linkage import (
    LinkageRisk,
    LinkageTable,
    OwnDonors,
    cut_pieces,
    read_linkage_table,
)
from deidstream.models.risk.reference_set import ReferenceSet
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from support.embedding import HashEmbedder
from support.risk import emitted

ROOT = b"r" * 32
EMBEDDER = HashEmbedder(dimension=64)
SALT = b"\1" * 16
OWN = "Ann has a cough. She coughs at night and has no fever."
OTHERS = ("The knee is swollen. It was drained.", "Cough and fever since Monday. Rest.")
TABLE = LinkageTable({"always": 0.0, "jaccard": 5.0, "dense": 5.0, "clearest": 0.0}, 100)


def references(texts: Sequence[str] = OTHERS, donors: Sequence[str] = ()) -> ReferenceSet:
    cut = [cut_pieces(text, ()) for text in texts]
    rows = [mean_vector(EMBEDDER.embed(pieces)) for pieces in cut]
    notes = replace(
        ReferenceNotes.none(EMBEDDER.dimension),
        donors=tuple(donors) or ("",) * len(texts),
        vectors=np.stack(rows) if rows else np.zeros((0, 64), np.float32),
        words=NumberLists.pack([sketch_text("\n".join(pieces), SALT) for pieces in cut]),
        salt=SALT,
    )
    return ReferenceSet.of_notes(notes)


def linkage(to: ReferenceSet | None = None, releases: tuple[str, ...] = ("",)) -> LinkageRisk:
    return LinkageRisk(to or references(), EMBEDDER, TABLE, OwnDonors(ROOT, 1, releases))


MANY = references((OTHERS[0],) * 8)
NAMED = emitted(OWN, [Span(0, 3, PhiLabel.PATIENT)], new="[PATIENT]")


def test_redaction_leaves_the_wording_so_the_original_is_nearest() -> None:
    (attack,) = linkage().attack([NAMED])
    assert (attack.rank, attack.jaccard.own, round(attack.dense.own, 4)) == (1, 1.0, 1.0)
    (found,) = linkage().measure([NAMED])
    assert found.reasons == ("OWN_ORIGINAL_NEAREST",)
    assert found.value > 0.9


def test_an_output_of_another_note_hides_it() -> None:
    (found,) = linkage(MANY).measure([replace(NAMED, text=OTHERS[0], replacements=())])
    assert found.reasons == ("OWN_ORIGINAL_HIDDEN",)
    assert found.value < 0.1


def test_the_patient_s_own_reference_notes_do_not_count() -> None:
    own = patient_pseudonym(Keyring(ROOT, 1, NAMED.planned.note.tenant), "p")
    to = references((OWN, *OTHERS), (own, "", ""))
    (with_own,) = linkage(to, releases=()).attack([NAMED])
    (without,) = linkage(to).attack([NAMED])
    assert (with_own.jaccard.of, without.jaccard.of) == (3, 2)
    assert with_own.jaccard.margin < without.jaccard.margin


def test_a_note_is_measured_the_same_whatever_is_beside_it() -> None:
    others = [replace(NAMED, text=text, replacements=()) for text in OTHERS]
    together = linkage().measure([NAMED, *others])
    assert together == [linkage().measure([one])[0] for one in (NAMED, *others)]


def test_pieces_hold_labels_in_place_of_identifiers() -> None:
    assert cut_pieces(OWN, [(0, 3, "PATIENT")])[0] == "PATIENT has a cough."
    assert cut_pieces("", ()) == ()


def test_an_output_without_words_says_nothing() -> None:
    (found,) = linkage(MANY).measure([replace(NAMED, text=" ", replacements=())])
    assert found.reasons == ("OWN_ORIGINAL_HIDDEN",)


def test_a_greater_margin_never_lowers_it() -> None:
    table = read_linkage_table()
    assert all(weight >= 0 for name, weight in table.weights.items() if name != "always")
    margins = [-0.5, -0.1, 0.0, 0.1, 0.9]
    ranks = [OwnRank(1, 9, 0.5 + margin / 2, 0.5 - margin / 2) for margin in margins]
    values = [table.probability(OwnAttack(rank, rank)) for rank in ranks]
    assert values == sorted(values)
    assert all(0 <= value <= 1 for value in values)


def test_words_of_several_reference_notes_are_held() -> None:
    to = references(("a cough", "The cough", "a zzyzx"))
    assert to.is_held("cough")
    assert not to.is_held("zzyzx")
    assert not to.is_held("otter")
    assert not references(()).is_held("cough")
