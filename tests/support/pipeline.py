"""A real pipeline with a small index and a fast embedder; only the vectors are not real."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from deidstream.agents.runtime.guards.note_limits import NoteLimits
from deidstream.agents.runtime.load_models import (
    fit_to_policy,
    load_calibration,
    load_tagger,
)
from deidstream.agents.runtime.service import Service, watch
from deidstream.agents.settings import read_settings
from deidstream.models.detection.detector import Detector
from deidstream.models.kneo import index
from deidstream.models.kneo.rewriter import Rewriter
from deidstream.models.kneo.sentence_kneo import SentenceKneo
from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.word_kneo import WordKneo
from deidstream.models.kneo.words.word_rewriter import WordRewriter
from deidstream.models.neural.model_turn import take_text_turn
from deidstream.models.operators.table import operators
from deidstream.models.output_record import RecordBuilder
from deidstream.models.pipeline import NoteRewriter, Pipeline
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.policy.stricter import redact_strictly, strengthen
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.risk.assessor import Assessor
from deidstream.models.risk.uniqueness import ContextUniqueness
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.policy import SENTENCE_KNEO, OtherLanguage, Policy, Technique
from deidstream.schemas.ports import Recognizer, SurrogateStore
from deidstream.schemas.risk_policy import RedAction, RiskMeasure
from deidstream.stream.lanes.lane import Lane
from deidstream.stream.observing.health import Health
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.embedding import HashEmbedder
from support.notes import stamp
from support.references import make_notes
from support.word_vectors import small_vectors

ROOT = bytes(range(32))
SENTENCES = tuple(
    f"The {organ} was {finding} on {test} today."
    for organ in ("heart", "liver", "abdomen", "left knee", "skin", "gait", "retina")
    for finding in ("normal", "tender", "enlarged", "without change", "stable")
    for test in ("examination", "imaging", "ultrasound", "inspection")
)


@dataclass(frozen=True, slots=True)
class LetterCounter:
    """Counts a token for every four letters."""

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 + 1 for text in texts]


@cache
def recognizers() -> tuple[Recognizer, ...]:
    """The shipped recognizers."""
    tagger = load_tagger(read_settings({}))
    return (DictionaryRecognizer.build({}), KnownRecognizer(), RulesRecognizer(), tagger)


def named_by(policy: Policy) -> tuple[Recognizer, ...]:
    """The shipped recognizers that a policy names."""
    named = (each for each in recognizers() if each.name in policy.recognizers)
    return tuple(fit_to_policy(each, policy) for each in named)


def pipeline(name: str = "surrogate", root: bytes = ROOT, policy: Policy | None = None) -> Pipeline:
    """A pipeline of a shipped policy."""
    policy = policy or read_shipped_policy(name)
    embedder = HashEmbedder()
    rows = embedder.embed(SENTENCES)
    notes = make_notes(SENTENCES, embedder)
    donors = [""] * len(SENTENCES)
    small = index.build(rows, SENTENCES, donors, rows[:20], ("hash", "0" * 64), notes)
    made_by = replace(stamp(), recognizers=tuple(sorted(policy.recognizers)), index=small.digest)
    kneo = SentenceKneo(small, embedder, policy.kneo)
    words = WordKneo(NearWords(small_vectors()), policy.words)
    rewriters: dict[Technique, NoteRewriter] = {
        **dict.fromkeys(SENTENCE_KNEO, Rewriter(kneo, root, 1)),
        Technique.KNEO_WORDS: WordRewriter(words, root, 1),
    }
    uniqueness = ContextUniqueness(small.contexts, embedder, policy.risk)
    counts = RiskMeasure.CONTEXT_UNIQUENESS in policy.risk.counted
    strict = policy.language.other is OtherLanguage.STRICT
    strengthens = policy.risk.on_red is RedAction.STRENGTHEN
    return Pipeline(
        policy=policy,
        detector=Detector(policy, named_by(policy), load_calibration(read_settings({}))),
        replacer=Replacer(policy, operators(policy), root, 1),
        rewriter=rewriters.get(policy.technique),
        assessor=Assessor(policy, uniqueness=uniqueness if counts else None),
        record_builder=RecordBuilder(policy, made_by, root),
        watch=watch,
        strict=pipeline(root=root, policy=redact_strictly(policy)) if strict else None,
        stronger=pipeline(root=root, policy=strengthen(policy)) if strengthens else None,
    )


def service(
    made: Pipeline | None = None,
    store: SurrogateStore | None = None,
    budget_tokens: int = 10_000,
    limits: NoteLimits | None = None,
) -> Service:
    """A service around a pipeline, with surrogates in memory."""
    return Service(
        made or pipeline(),
        store or MemorySurrogateStore(),
        LetterCounter(),
        Lane(take_text_turn),
        Health(60),
        budget_tokens,
        limits or NoteLimits(10**6, 15.0, 650),
    )
