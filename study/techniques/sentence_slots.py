"""Cut a text into its sentences and what stands between them, and put other sentences there."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.models.text.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class SentenceSlots:
    """The sentences of a text, headings and cells among them, and what surrounds them."""

    sentences: tuple[str, ...] = field(repr=False)
    between: tuple[str, ...] = field(repr=False)
    """One more than sentences: what stands before the first, between two, and behind the last."""

    def fill(self, sentences: Sequence[str]) -> str:
        """Return the text with other sentences in the place of its own."""
        pairs = zip(self.between, sentences, strict=False)
        return "".join([*(part for pair in pairs for part in pair), self.between[-1]])


def cut_slots(text: str) -> SentenceSlots:
    """Cut a text into sentences and what stands between them."""
    sentences, between, at = list[str](), list[str](), 0
    for sentence in split_sentences(text):
        between.append(text[at : sentence.start])
        sentences.append(text[sentence.start : sentence.end])
        at = sentence.end
    return SentenceSlots(tuple(sentences), (*between, text[at:]))
