"""Labelled notes as lines of tokens, each with the label of the span that touches it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from deidstream.schemas.span import Span
from deidstream.study.rivals.crf import TaggedTokens
from deidstream.study.rivals.tokens import OUTSIDE, Token, cut_tokens

_LONGEST: Final = 200
"""Tokens of a line; what is longer is cut."""


@dataclass(frozen=True, slots=True)
class NoteTokens:
    """The tokens of a note and its lines."""

    tokens: tuple[Token, ...] = field(repr=False)
    lines: tuple[tuple[int, int], ...]
    """``[first, last)`` of ``tokens``; none is empty."""

    @classmethod
    def cut(cls, text: str) -> "NoteTokens":
        """Cut a text into tokens and lines."""
        tokens = cut_tokens(text)
        lines: list[tuple[int, int]] = []
        first = 0
        for place in range(1, len(tokens) + 1):
            ended = place == len(tokens) or _is_broken(text, tokens[place - 1], tokens[place])
            if ended or place - first == _LONGEST:
                lines.append((first, place))
                first = place
        return cls(tuple(tokens), tuple(lines))

    def words(self) -> list[tuple[str, ...]]:
        """Return the words of each line."""
        return [tuple(one.text for one in self.tokens[first:last]) for first, last in self.lines]

    def label(self, spans: Sequence[Span]) -> list[str]:
        """Return the label of each token that a span touches, ``O`` for all others.

        Args:
            spans: In order; where two overlap, the first counts.
        """
        labels = [OUTSIDE] * len(self.tokens)
        at = 0
        for span in spans:
            while at < len(self.tokens) and self.tokens[at].end <= span.start:
                at += 1
            while at < len(self.tokens) and self.tokens[at].start < span.end:
                labels[at] = str(span.label)
                at += 1
        return labels

    def tag_lines(self, spans: Sequence[Span]) -> list[TaggedTokens]:
        """Return each line with the labels of its tokens.

        Labels have no B- and I-: figures are by token, and a field of half as many tags learns in a
        quarter of the time.
        """
        labels = self.label(spans)
        return [
            TaggedTokens(words, tuple(labels[first:last]))
            for words, (first, last) in zip(self.words(), self.lines, strict=True)
        ]


def _is_broken(text: str, one: Token, following: Token) -> bool:
    """Return whether a line ends between two tokens."""
    return "\n" in text[one.end : following.start]
