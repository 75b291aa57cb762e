"""A policy that is being edited on the page: a table that becomes a TOML file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Self

from pydantic import Field

from deidstream.agents.runtime.policy_files import PolicyFiles
from deidstream.models.neural.weights import ACCURATE, SHIPPED_TAGGERS
from deidstream.models.phi.not_phi import fold_term
from deidstream.models.policy.declaration import OWN_LABEL
from deidstream.models.policy.extension import EXTENDS, Bases, read_layers
from deidstream.models.policy.reader import read_policy, read_shipped_policy
from deidstream.models.policy.shipped import list_policies, read_shipped_source
from deidstream.models.policy.term_lists import read_list
from deidstream.models.policy.toml_writer import write_toml
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import OF_I2B2, PhiLabel
from deidstream.schemas.policy import Policy, RecognizerName

LabelName = Annotated[str, Field(pattern=OWN_LABEL)]
"""The name of a label in a request; the policy knows which there are."""
NO_TAGGER = "none"
"""The policy names no tagger."""
_NO_BASES: Bases = MappingProxyType({})
TAGGERS = (*SHIPPED_TAGGERS, NO_TAGGER)
"""What a draft may choose."""


@dataclass(frozen=True, slots=True)
class ReviewTerms:
    """Terms that hold in all notes of a work list: always PHI of a label, or never."""

    allow: tuple[str, ...] = field(default=(), repr=False)
    deny: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]], repr=False
    )
    """By the name of the label."""

    def without(self, term: str) -> "ReviewTerms":
        """Return the terms without one, in every spelling that counts as the same."""
        folded = fold_term(term)
        deny = {
            label: tuple(one for one in terms if fold_term(one) != folded)
            for label, terms in self.deny.items()
        }
        return ReviewTerms(
            tuple(one for one in self.allow if fold_term(one) != folded),
            {label: terms for label, terms in deny.items() if terms},
        )

    def denying(self, term: str, label: str) -> "ReviewTerms":
        """Return the terms with one that always is the label."""
        rest = self.without(term)
        return ReviewTerms(rest.allow, {**rest.deny, label: (*rest.deny.get(label, ()), term)})

    def allowing(self, term: str) -> "ReviewTerms":
        """Return the terms with one that is never PHI."""
        rest = self.without(term)
        return ReviewTerms((*rest.allow, term), rest.deny)

    def over(self, below: "ReviewTerms") -> "ReviewTerms":
        """Return these and other terms together; these win where the two contradict each other."""
        merged = below
        for term in self.allow:
            merged = merged.allowing(term)
        for label, terms in self.deny.items():
            for term in terms:
                merged = merged.denying(term, label)
        return merged


@dataclass(frozen=True, slots=True)
class PolicyDraft:
    """The table of a policy file, without its terms, and the terms; lists are read into them."""

    name: str
    table: Mapping[str, Any]
    terms: ReviewTerms = field(default_factory=ReviewTerms)
    tagger: str = ACCURATE
    given: Policy | None = field(default=None, repr=False)
    """The policy as its file has it, until something is changed; its outputs equal the worker's."""

    @classmethod
    def read(cls, name: str, path: Path | None, tagger: str = ACCURATE) -> Self:
        """Read a shipped policy, or a policy file with its lists.

        Raises:
            InvalidPolicy: There is no such policy, or it is wrong.
        """
        if path is None:
            if name not in list_policies():
                msg = "there is no such policy"
                raise InvalidPolicy(msg)
            draft = cls.of_source(name, read_shipped_source(name), {}, tagger=tagger)
            return replace(draft, given=read_shipped_policy(name))
        gathered = PolicyFiles.gather(path)
        given = gathered.policy()
        lists = {key: value for key, value in gathered.lists.items() if isinstance(value, bytes)}
        source = gathered.source if isinstance(gathered.source, bytes) else b""
        draft = cls.of_source(name, source, lists, gathered.bases, tagger)
        return replace(draft, given=given)

    @classmethod
    def of_source(
        cls,
        name: str,
        source: bytes,
        lists: Mapping[str, bytes],
        bases: Bases = _NO_BASES,
        tagger: str = ACCURATE,
    ) -> Self:
        """Make a draft of a policy that was read without a mistake, with all that it extends."""
        table = dict(read_layers(source, name, bases).table)
        table.pop(EXTENDS, None)
        allow = [*table.pop("allow", ())]
        for path in table.pop("allow_files", ()):
            allow += _terms_of(path, lists)
        deny: dict[str, list[str]] = {key: [*own] for key, own in table.pop("deny", {}).items()}
        for key, paths in table.pop("dictionaries", {}).items():
            for path in paths:
                deny.setdefault(key, []).extend(_terms_of(path, lists))
        if "lists" in table:
            table["lists"] = {
                name: _without_files(one, lists) for name, one in table["lists"].items()
            }
        terms = ReviewTerms(tuple(allow), {label: tuple(own) for label, own in deny.items()})
        named = RecognizerName.TAGGER in table["recognizers"]
        return cls(name, table, terms, tagger if named else NO_TAGGER)

    @property
    def own(self) -> tuple[str, ...]:
        """The labels of the site's own that it declares."""
        return tuple(self.table.get("labels", ()))

    @property
    def labels(self) -> Mapping[str, PhiLabel]:
        """All of its labels by name, as in a policy."""
        likes: Mapping[str, str] = self.table.get("labels", {})
        return {**OF_I2B2, **{name: PhiLabel(like) for name, like in likes.items()}}

    def source(self, marked: ReviewTerms | None = None) -> bytes:
        """Write the policy file, with terms that were marked in a review where they are given."""
        terms = (marked or ReviewTerms()).over(self.terms)
        table = dict(self.table)
        if terms.allow:
            table["allow"] = list(terms.allow)
        if terms.deny:
            table["deny"] = {name: list(own) for name, own in sorted(terms.deny.items())}
        return write_toml(table).encode()

    def policy(self, marked: ReviewTerms | None = None) -> Policy:
        """Read the policy that it makes.

        Raises:
            InvalidPolicy: Every mistake, one a line.
        """
        if self.given is not None and (marked is None or marked == ReviewTerms()):
            return self.given
        return read_policy(self.source(marked), name=self.name)


def _terms_of(path: str, lists: Mapping[str, bytes]) -> list[str]:
    return [one.term for one in read_list(path, lists.get(path, b""))[0]]


def _without_files(listed: Mapping[str, Any], lists: Mapping[str, bytes]) -> Mapping[str, Any]:
    """Return a list with the terms of its files among its own."""
    terms = [*listed.get("terms", ())]
    for path in listed.get("files", ()):
        terms += _terms_of(path, lists)
    plain = {key: value for key, value in listed.items() if key != "files"}
    return plain | {"terms": terms}


def choose_recognizers(named: Sequence[str], tagger: str) -> list[str]:
    """Return the recognizers of a policy with the tagger among them, or without it."""
    rest = [name for name in named if name != RecognizerName.TAGGER]
    return rest if tagger == NO_TAGGER else [*rest, str(RecognizerName.TAGGER)]
