"""Ids that releases share, and ids of one release alone; donors of a pool by them."""

import asyncio
from dataclasses import replace

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.kneo import index
from deidstream.models.kneo.rewriter import Rewriter
from deidstream.models.kneo.sentence_kneo import SentenceKneo
from deidstream.models.pipeline import Pipeline
from deidstream.models.policy.reader import read_policy, read_shipped_policy
from deidstream.models.release_ids import (
    donors_of,
    name_donor,
    note_pseudonym,
    patient_pseudonym,
    releases_of,
)
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, AnonymizedNote
from deidstream.schemas.policy import Policy
from deidstream.schemas.release_policy import Sharing
from deidstream.schemas.wire import encode_anonymized, encode_note
from support.embedding import HashEmbedder
from support.pipeline import ROOT, SENTENCES, pipeline, service

RING = Keyring(ROOT, 1, "default")
TEXT = "Mr. Quentin Vanterpool came on 03/04/2024. The liver was tender on imaging again today."
NOTE = RawNote("n1", "P1", TEXT)
PLAIN = 'technique = "surrogate"\nrecognizers = ["rules", "dictionary"]\n'


def policy(release: str, name: str = "site") -> Policy:
    return read_policy(f"{PLAIN}[release]\n{release}".encode(), name=name)


def made(under: Policy) -> AnonymizedNote:
    return written(pipeline(policy=under))


def written(by: Pipeline) -> AnonymizedNote:
    (outcome,) = asyncio.run(service(by).run([encode_note(NOTE)]))
    assert isinstance(outcome, Anonymized)
    return outcome.note


def test_releases_share_everything_by_default_and_kneo_shares_nothing() -> None:
    assert (policy("").id_release, policy("").surrogate_release) == ("", "")
    for name in ("redact", "surrogate", "safe-harbor", "deidclinic"):
        assert not read_shipped_policy(name).id_release
    kneo = read_shipped_policy("kneo")
    assert (kneo.id_release, kneo.surrogate_release) == ("kneo", "kneo")
    stated = policy('ids = "own"\nname = "study 7"')
    assert (stated.id_release, stated.surrogate_release) == ("study 7", "")


def test_own_ids_and_surrogates_join_to_no_other_release() -> None:
    shared = made(policy(""))
    first, second = (made(policy('ids = "own"\nsurrogates = "own"', name)) for name in "ab")
    for one, other in ((shared, first), (first, second)):
        assert one.note_id != other.note_id
        assert one.patient_id != other.patient_id
        assert one.output_id != other.output_id
        assert one.text != other.text
    assert first.patient_id == patient_pseudonym(RING, "P1", "a")
    assert first.note_id == note_pseudonym(RING, "n1", "a")
    assert b'"release":"a"' in encode_anonymized(first)
    assert b"release" not in encode_anonymized(shared)


def test_ids_and_surrogates_are_of_a_release_each_by_itself() -> None:
    shared = made(policy(""))
    ids, surrogates = made(policy('ids = "own"')), made(policy('surrogates = "own"'))
    assert ids.text == shared.text != surrogates.text
    assert ids.patient_id != shared.patient_id == surrogates.patient_id


def test_policies_of_one_name_are_one_release() -> None:
    own = 'ids = "own"\nsurrogates = "own"\nname = "study 7"'
    first, second = made(policy(own, "a")), made(policy(own, "b"))
    assert (first.note_id, first.text) == (second.note_id, second.text)


def test_notes_in_other_languages_are_of_the_same_release() -> None:
    under = replace(read_shipped_policy("kneo"), name="renamed")
    strict = pipeline(
        policy=read_policy(
            f'{PLAIN}[language]\nother = "strict"\n[release]\nids = "own"'.encode(), name="x"
        )
    ).strict
    assert under.id_release == "kneo"
    assert strict is not None
    assert strict.policy.id_release == "x"


@pytest.mark.parametrize("wrong", ['name = "a\\nb"', "name = 3", 'ids = "mine"'])
def test_a_wrong_release_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidPolicy, match=r"release\.(name|ids): must be"):
        policy(wrong)


def test_no_release_is_mistaken_for_another() -> None:
    assert note_pseudonym(RING, "b", "a") != note_pseudonym(RING, "ab")
    assert releases_of(["", "1f", "study 7 1f", "kneo 2f"]) == ("", "kneo", "study 7")
    assert releases_of([""]) == ()


@pytest.mark.parametrize("release", ["", "surrogate", "study 7"])
@pytest.mark.parametrize("own", [Sharing.OWN, Sharing.SHARED])
def test_a_patient_gets_no_sentence_of_his_own_of_any_release(release: str, own: Sharing) -> None:
    his = name_donor(patient_pseudonym(RING, "P1", release), release)
    other = name_donor(patient_pseudonym(RING, "P2", release), release)
    assert donors_of(RING, "P1", releases_of([his, other])) == {his}
    embedder = HashEmbedder()
    rows = embedder.embed(SENTENCES)
    donors = [other if "liver" not in text else his for text in SENTENCES]
    pool = index.build(rows, SENTENCES, donors, rows[:20], ("hash", "0" * 64))
    under = replace(read_shipped_policy("kneo"), name="x")
    ids = replace(under.release, ids=own)
    under = replace(under, release=ids, kneo=replace(under.kneo, min_cosine=0.0))
    kneo = SentenceKneo(pool, embedder, under.kneo)
    text = written(replace(pipeline(policy=under), rewriter=Rewriter(kneo, ROOT, 1))).text
    assert not any(
        sentence in text for sentence, donor in zip(SENTENCES, donors, strict=True) if donor == his
    )
