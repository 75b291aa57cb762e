"""Reads the site's own terms of a policy: what is never PHI, and what always is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from deidstream.models.policy.term_lists import Listed, Lists, contradictions, fault, read_list
from deidstream.models.policy.values import Table, Values
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import RecognizerName


@dataclass(frozen=True, slots=True)
class Terms:
    """Reads terms that stand in the policy, and those of the lists that it names."""

    values: Values
    lists: Lists

    def read(
        self, table: Table, recognizers: frozenset[RecognizerName]
    ) -> tuple[tuple[str, ...], Mapping[PhiLabel, tuple[str, ...]]]:
        """Read the terms that are allowed, and those that are denied by label."""
        allow, deny = self._allow(table), self._deny(table, recognizers)
        self.values.mistakes.extend(contradictions(allow, deny))
        return _terms_of(allow), MappingProxyType(
            {k: _terms_of(terms) for k, terms in deny.items()}
        )

    def _allow(self, table: Table) -> tuple[Listed, ...]:
        written = self._written(table.get("allow", []), "allow")
        return (*written, *self._listed(table.get("allow_files", []), "allow_files"))

    def _deny(
        self, table: Table, recognizers: frozenset[RecognizerName]
    ) -> Mapping[PhiLabel, tuple[Listed, ...]]:
        written = self.values.by_label(table, "deny", self._written)
        listed = self.values.by_label(table, "dictionaries", self._listed)
        for key, terms in (("deny", written), ("dictionaries", listed)):
            if terms and RecognizerName.DICTIONARY not in recognizers:
                self.values.wrong(key, "needs the recognizer dictionary")
        return {
            label: (*written.get(label, ()), *listed.get(label, ()))
            for label in (*written, *listed)
        }

    def _written(self, value: object, key: str) -> tuple[Listed, ...]:
        terms = self.values.strings(value, key)
        for said in {fault(term): None for term in terms if fault(term)}:
            self.values.wrong(key, f"a term {said}")
        return tuple(Listed(term, key) for term in terms)

    def _listed(self, value: object, key: str) -> tuple[Listed, ...]:
        found: list[Listed] = []
        for path in self.values.strings(value, key):
            content = self.lists.get(path, "there is no such file")
            if isinstance(content, str):
                self.values.wrong(key, f"{path}: {content}")
                continue
            terms, mistakes = read_list(path, content, key)
            found += terms
            self.values.mistakes.extend(mistakes)
        return tuple(found)


def _terms_of(listed: Sequence[Listed]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.term for item in listed))
