"""A policy: how PHI is found, what replaces it, and what is done with a risky note.

The bounds of the numbers are part of their types; ``models.policy`` checks files against them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Literal

from annotated_types import Interval

from deidstream.schemas.kneo_policy import KneoPolicy
from deidstream.schemas.label import (
    OF_I2B2,
    PERSONS,
    TIMES,
    LabelGroup,
    PhiLabel,
    labels_of,
    own_name,
)
from deidstream.schemas.release_policy import ReleasePolicy, Sharing
from deidstream.schemas.risk_policy import RiskPolicy
from deidstream.schemas.site_list import ListedTerms
from deidstream.schemas.site_pattern import SitePattern
from deidstream.schemas.word_policy import WordPolicy


class Technique(StrEnum):
    """How the text of a note is made safe."""

    REDACT = "redact"
    """Every span becomes its label."""
    SURROGATE = "surrogate"
    """Every span becomes a realistic surrogate."""
    KNEO_SENTENCES = "kneo-sentences"
    """Surrogates first, then each sentence becomes one of its nearest neighbours."""
    KNEO_NOTES = "kneo-notes"
    """Surrogates first, then each sentence becomes one of few notes that resemble the note."""
    KNEO_WORDS = "kneo-words"
    """Every span becomes its label, and each word one of its nearest neighbours."""

    @property
    def rewrites(self) -> bool:
        """Whether it changes the wording too, so that a release may be meant not to be joined."""
        return self.startswith("kneo")


class Purpose(StrEnum):
    """What the outputs of a policy are for."""

    READING = "reading"
    """People read them as what was written about this patient, or programs search them so."""
    TRAINING = "training"
    """Models, vectors and counts learn from many of them; no single one need be true of its
    patient. KNEO serves this alone."""


SENTENCE_KNEO = frozenset({Technique.KNEO_SENTENCES, Technique.KNEO_NOTES})
"""The techniques that exchange sentences with those of an index."""


class OperatorName(StrEnum):
    """How one span is replaced."""

    REDACT = "redact"
    """``[LABEL]`` or, by ``redact_style``, DeIDClinic's ``XXX-Type``."""
    MASK = "mask"
    """Letters become ``X`` and digits ``0``; length, case and signs stay."""
    SURROGATE = "surrogate"
    """A realistic text of the same kind and written form."""
    SHIFT = "shift"
    """Dates: moved by the patient's own number of days, in the written form; ages, by some years
    (DeIDClinic)."""
    RELATIVE = "relative"
    """Dates: the number of days since the patient's first day of reference, such as ``day -3``."""
    GENERALISE = "generalise"
    """Coarser: dates to years, ages by ``ages``, ZIP codes to three digits, cities to states."""
    HASH = "hash"
    """A token of the label and a keyed digest, such as ``PATIENT-7F3K2M``."""
    KEEP = "keep"
    """The original stays. Never the default of a direct identifier."""


class RecognizerName(StrEnum):
    """The recognizers a policy may name."""

    RULES = "rules"
    DICTIONARY = "dictionary"
    KNOWN = "known"
    TAGGER = "tagger"


class Profile(StrEnum):
    """How much may be flagged for nothing so that little is overlooked."""

    STRICT = "strict"
    """Least is overlooked."""
    BALANCED = "balanced"
    PRECISE = "precise"
    """Least is flagged for nothing."""


_WORDS = labels_of(
    LabelGroup.PROFESSION, LabelGroup.INSTITUTION, LabelGroup.REGION, LabelGroup.PLACE
)
_LEAST_PROBABILITIES: Mapping[PhiLabel, float] = MappingProxyType(
    {PhiLabel.USERNAME: 0.1} | dict.fromkeys(PERSONS | _WORDS | TIMES, 0.2)
)
"""Thresholds of the profiles but ``strict``. The less of the patient a label gives away, and the
more of his care a false alarm takes from the text, the more probable a span of it must be. A
number has none: hardly any that looks like an identifier is a fact of medicine."""
_LEAST_IF_STRICT: Mapping[PhiLabel, float] = MappingProxyType(dict.fromkeys(PERSONS, 0.1))
"""Thresholds of ``strict``: of names below, nineteen in twenty are abbreviations and words."""


class Combine(StrEnum):
    """Which of the spans that the recognizers found count."""

    UNION = "union"
    """All spans that any of them found."""
    CORROBORATED = "corroborated"
    """The union without what a rule or the dictionary is unsure of and the tagger is sure is
    nothing; the union itself where no tagger runs."""


class Scope(StrEnum):
    """The range in which one original always has the same surrogate (ENISA 2019, section 5.2)."""

    MENTION = "mention"
    """None: each mention is drawn separately (fully randomised)."""
    DOCUMENT = "document"
    PATIENT = "patient"
    TENANT = "tenant"
    """All patients of a hospital (deterministic)."""


class Weekday(StrEnum):
    """How a shift treats a date that names its day of the week."""

    AGREE = "agree"
    """The shift is never of whole weeks; a written weekday becomes that of the new date."""
    KEEP = "keep"
    """The shift is of whole weeks, so that weekdays stay; costs 2.8 bits of the shift."""


class RedactStyle(StrEnum):
    """How a redacted span is written."""

    LABEL = "label"
    """``[PATIENT]``."""
    XXX = "xxx"
    """``XXX-Name``, as in DeIDClinic section 3.3.3."""


class OtherLanguage(StrEnum):
    """What is done with a note that is not in English."""

    QUARANTINE = "quarantine"
    """It does not leave: ``UNSUPPORTED_LANGUAGE``."""
    STRICT = "strict"
    """Every span that any recognizer finds becomes its label, whatever the operators say."""
    PROCESS = "process"
    """As a note in English."""


WEEK = 7
"""Least ``max_shift_days`` of a shift by whole weeks."""

_ALL = frozenset(PhiLabel)
LABELS_OF: Mapping[OperatorName, frozenset[PhiLabel]] = MappingProxyType(
    dict.fromkeys(OperatorName, _ALL)
    | {
        OperatorName.SHIFT: TIMES,
        OperatorName.RELATIVE: frozenset({PhiLabel.DATE}),
        OperatorName.GENERALISE: TIMES | {PhiLabel.ZIP, PhiLabel.CITY},
    }
)
"""The labels that each operator can be used for."""

INVENTING = frozenset({OperatorName.SURROGATE, OperatorName.SHIFT, OperatorName.RELATIVE})
"""Operators that write a value which is not true."""
NEEDS_PHI = INVENTING | {OperatorName.GENERALISE}
"""Operators whose value is false if the span is no PHI: ``34 3/7`` is not the year 1934."""

_DATE_SCOPES = frozenset({Scope.PATIENT, Scope.DOCUMENT})


def scopes_of(label: PhiLabel) -> frozenset[Scope]:
    """Return the consistency scopes that a label may have.

    One shift for a whole tenant would be revealed by one known date; one for each mention would
    put the dates of a note out of order.
    """
    return _DATE_SCOPES if label is PhiLabel.DATE else frozenset(Scope)


@dataclass(frozen=True, slots=True)
class DatePolicy:
    """How far dates move."""

    max_shift_days: Annotated[int, Interval(ge=1, le=3650)] = 365
    """A patient's dates move by 30 to this many days, back or forth; by half of it at least where
    it is below 60, and never by 0."""
    weekday: Weekday = Weekday.AGREE
    """Used by operator ``shift``."""


@dataclass(frozen=True, slots=True)
class AgePolicy:
    """How ages are replaced."""

    cap: Annotated[int, Interval(ge=1, le=150)] = 89
    """Ages over this become ``90 or older`` (45 CFR 164.514(b)(2)(i)(C))."""
    band: Annotated[int, Interval(ge=0, le=50)] = 0
    """Operator ``generalise``: years of a band, such as 5 for ``40-44``; 0: ages under the cap
    stay."""
    jitter: Annotated[int, Interval(ge=1, le=50)] = 5
    """Operator ``shift``: ages move by 1 to this many years (DeIDClinic, section 3.3.3)."""


@dataclass(frozen=True, slots=True)
class LanguagePolicy:
    """Notes in languages that recognizers and models are not made for."""

    other: OtherLanguage = OtherLanguage.QUARANTINE
    """Used where a note is not in English."""


@dataclass(frozen=True, slots=True)
class DetectionPolicy:
    """How readily a doubtful word is taken for PHI."""

    profile: Profile = Profile.BALANCED


@dataclass(frozen=True, slots=True)
class DoubtPolicy:
    """What becomes of a span that may be no PHI: an invented value would falsify the note."""

    below: Annotated[float, Interval(ge=0.0, le=1.0)] = 0.9
    """Spans with a lower probability are doubtful; 0: none."""
    operator: Literal[OperatorName.REDACT, OperatorName.MASK, OperatorName.GENERALISE] = (
        OperatorName.REDACT
    )
    """In place of an operator that invents values; labels that do not have it are redacted."""


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy, as read from its TOML file. Its digest is in every output."""

    name: str
    technique: Technique
    recognizers: frozenset[RecognizerName]
    operators: Mapping[str, OperatorName] = field(default_factory=lambda: MappingProxyType({}))
    """Operator by the name of the label; complete: one of the 28 that the file leaves out has the
    technique's own, a label of the site's own that of the one it is like."""
    combine: Combine = Combine.UNION
    detection: DetectionPolicy = field(default_factory=DetectionPolicy)
    doubtful: DoubtPolicy = field(default_factory=DoubtPolicy)
    redact_style: RedactStyle = RedactStyle.LABEL
    scopes: Mapping[PhiLabel, Scope] = field(default_factory=lambda: MappingProxyType({}))
    """Consistency scope by label; complete: ``patient`` where the file says nothing. DATE is of
    the patient or the document; labels whose surrogates agree share a scope."""
    ages: AgePolicy = field(default_factory=AgePolicy)
    dates: DatePolicy = field(default_factory=DatePolicy)
    kneo: KneoPolicy = field(default_factory=KneoPolicy)
    words: WordPolicy = field(default_factory=WordPolicy)
    risk: RiskPolicy = field(default_factory=RiskPolicy)
    language: LanguagePolicy = field(default_factory=LanguagePolicy)
    release: ReleasePolicy = field(default_factory=ReleasePolicy)
    thresholds: Mapping[PhiLabel, float] = field(default_factory=lambda: MappingProxyType({}))
    """Lowest calibrated score that a span of the label needs; ``least_scores`` has those that the
    file leaves out."""
    allow: tuple[str, ...] = ()
    """Terms that are never PHI, applied after all recognizers: the file's ``allow``, then those of
    its ``allow_files``, each once."""
    deny: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """The site's own terms by the name of their label, found by the dictionary wherever they occur:
    the file's ``deny``, then those of its ``dictionaries``, each once."""
    lists: Mapping[str, ListedTerms] = field(default_factory=lambda: MappingProxyType({}))
    """The site's lists with spelling rules of their own, by name, found by the dictionary."""
    patterns: Mapping[str, SitePattern] = field(default_factory=lambda: MappingProxyType({}))
    """The site's own written forms of PHI, by name, found by the rules recognizer."""
    labels: Mapping[str, PhiLabel] = field(default_factory=lambda: OF_I2B2)
    """Every label by its name: the 28, each of which is itself, and then those that the file names,
    each with the one of the 28 that it is like."""
    purpose: Purpose = Purpose.READING
    sha256: str = ""
    """Digest of the file and, where it names lists, of all of them."""

    @property
    def id_release(self) -> str:
        """Release whose pseudonyms outputs have; empty: those that releases of the key share."""
        return self.release.name if self.release.ids is Sharing.OWN else ""

    @property
    def surrogate_release(self) -> str:
        """Release whose surrogates outputs have; empty: those that releases of the key share."""
        return self.release.name if self.release.surrogates is Sharing.OWN else ""

    @property
    def least_scores(self) -> Mapping[PhiLabel, float]:
        """The score that a span of each label needs: the file's, else the profile's; 0 if absent.

        Without a tagger scores are no probabilities, and a profile asks for none.
        """
        spared = self.detection.profile is Profile.STRICT
        scored = RecognizerName.TAGGER in self.recognizers
        least = _LEAST_IF_STRICT if spared else _LEAST_PROBABILITIES
        return {**(least if scored else {}), **self.thresholds}

    @property
    def own_labels(self) -> Mapping[str, PhiLabel]:
        """The labels of the site's own, each with the one of the 28 that it is like."""
        return {name: label for name, label in self.labels.items() if own_name(name)}

    def is_doubtful(self, name: str, score: float) -> bool:
        """Return whether a span of a label gets no invented value, as it may be no PHI.

        If it is a dose, a code or a drug after all, a label shows that something is missing, and
        another value would be believed. Without a tagger scores are no probabilities, and no span
        counts as doubtful.
        """
        sure = score >= self.doubtful.below or RecognizerName.TAGGER not in self.recognizers
        return not sure and self.operators[name] in NEEDS_PHI

    def operator_of(self, name: str, score: float) -> OperatorName:
        """Return the operator of a span: that of its label, unless that invents and is doubtful.

        ``generalise`` stays: of a doubtful span it leaves what it adds nothing to.
        """
        named = self.operators[name]
        if not self.is_doubtful(name, score) or named is OperatorName.GENERALISE:
            return named
        wanted = self.doubtful.operator
        return wanted if self.labels[name] in LABELS_OF[wanted] else OperatorName.REDACT
