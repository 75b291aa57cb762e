"""Rewrite notes by word KNEO: what it needs of them, and what follows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace

from deidstream.models.keyring import Keyring
from deidstream.models.kneo.words.spelling import spelling_keys
from deidstream.models.kneo.words.word_kneo import WordKneo, WordQuery
from deidstream.models.kneo.words.words_and_numbers import cut_words, normal_word
from deidstream.models.records import Planned, Substituted


@dataclass(frozen=True, slots=True)
class WordRewriter:
    """Replaces the words of notes by neighbours, under one key."""

    kneo: WordKneo
    root: bytes = field(repr=False)
    key_version: int

    def rewrite(self, batch: Sequence[Substituted]) -> list[Substituted]:
        """Rewrite each note; it does not depend on the notes beside it."""
        return [self._rewrite_note(item) for item in batch]

    def _rewrite_note(self, item: Substituted) -> Substituted:
        note = item.planned.note
        result = self.kneo.substitute(
            WordQuery(
                text=item.text,
                replacements=item.replacements,
                note_id=note.note_id,
                keyring=Keyring(self.root, self.key_version, note.tenant),
                banned=self._resemble_any(_identifiers(item.planned)),
            )
        )
        return replace(
            item,
            text=result.text,
            replacements=result.replacements,
            written=result.written,
            kept=result.kept,
            kneo=result.report,
        )

    def _resemble_any(self, texts: Iterator[str]) -> Callable[[str], bool]:
        """Return a test of words, in normal form, for spelling variants of the words of texts."""
        keys: set[str] = set()
        for text in texts:
            for token in cut_words(text):
                word = "".join(filter(str.isdigit, token.text)) if token.is_number else token.text
                keys |= spelling_keys(word if token.is_number else normal_word(word))
        return lambda word: not keys.isdisjoint(self.kneo.near.keys_of(word))


def _identifiers(planned: Planned) -> Iterator[str]:
    """Yield the texts that hold an identifier of a note: found, stated or of its metadata."""
    for term in planned.leak_terms:
        yield term.text
    for span in planned.detected.spans:
        yield planned.note.text[span.start : span.end]
    note = planned.note
    yield from (note.note_id, note.patient_id)
    for stated in fields(note.known):
        yield from getattr(note.known, stated.name)
