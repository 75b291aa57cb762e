"""Turn texts into templates: their PHI becomes slots, doubtful sentences are left out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Self

from deidstream.models.text.sentences import Sentence, split_sentences
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.corpus.frames import Template, TemplateSlot
from deidstream.study.corpus.prose.doubts import Vocabulary, hides_work, is_clear
from deidstream.study.corpus.prose.layout import PlacedSlot
from deidstream.study.corpus.prose.spans import Finder

_FAMILY = "FAM"


@dataclass(frozen=True, slots=True)
class ProseLine:
    """A line of a note: its heading, which may be empty, and its sentences."""

    heading: str = field(repr=False)
    sentences: tuple[Template, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Passage:
    """A note of real prose."""

    source: str
    """Name of its source."""
    lines: tuple[ProseLine, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ProseReader:
    """Reads texts as passages."""

    finder: Finder = field(repr=False)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Learn which words are no names from ``texts``."""
        return cls(Finder(Vocabulary.of(texts)))

    def passage(
        self,
        source: str,
        text: str,
        known: tuple[PlacedSlot, ...] = (),
        doubts: tuple[Span, ...] = (),
    ) -> Passage:
        """Return the usable sentences of ``text``, in lines.

        Args:
            source: Name of its source.
            text: A note.
            known: Slots that are certain beforehand, sorted and disjoint.
            doubts: Places whose sentences are to be left out.
        """
        slots, found = self.finder.find_slots(text, known)
        view = _View(text, slots, (*found, *doubts))
        lines = (self._line(view, pieces) for pieces in _by_line(text))
        return Passage(source, tuple(line for line in lines if line.sentences))

    def _line(self, view: "_View", pieces: list[Sentence]) -> ProseLine:
        heading = ""
        if pieces[0].heading:
            heading = self._heading(view, pieces.pop(0))
        family = _FAMILY in heading.upper() or heading.upper().startswith("FH")
        written = (self._sentence(view, piece, family=family) for piece in pieces)
        return ProseLine(heading, tuple(sentence for sentence in written if sentence))

    def _heading(self, view: "_View", piece: Sentence) -> str:
        words = view.text[piece.start : piece.end].rstrip(": ")
        clear = self._sentence(view, piece, family=False) == (view.text[piece.start : piece.end],)
        return words if clear else ""

    def _sentence(self, view: "_View", piece: Sentence, *, family: bool) -> Template:
        """Return a sentence with its slots; an empty one if anything in it is doubtful."""
        if view.is_cut(piece):
            return ()
        template = tuple(view.pieces(piece))
        words = "".join(each if isinstance(each, str) else "." for each in template)
        labels = {each.label for each in template if isinstance(each, TemplateSlot)}
        hidden = hides_work(words, labelled=PhiLabel.PROFESSION in labels)
        clear = is_clear(words, self.finder.vocabulary, family=family)
        return template if clear and not hidden else ()


@dataclass(frozen=True, slots=True)
class _View:
    """A text with its slots and doubts."""

    text: str = field(repr=False)
    slots: tuple[PlacedSlot, ...]
    doubts: tuple[Span, ...]

    def is_cut(self, piece: Sentence) -> bool:
        """Return whether a doubt overlaps ``piece`` or a slot crosses its edge."""
        touched = any(d.start < piece.end and piece.start < d.end for d in self.doubts)
        crossing = (s for s in self.slots if s.start < piece.end and piece.start < s.end)
        return touched or any(s.start < piece.start or piece.end < s.end for s in crossing)

    def pieces(self, piece: Sentence) -> Iterator[str | TemplateSlot]:
        done = piece.start
        for held in self.slots:
            if piece.start <= held.start and held.end <= piece.end:
                if done < held.start:
                    yield self.text[done : held.start]
                yield held.slot
                done = held.end
        if done < piece.end:
            yield self.text[done : piece.end]


def _by_line(text: str) -> Iterator[list[Sentence]]:
    line: list[Sentence] = []
    for piece in split_sentences(text):
        if line and "\n" in text[line[-1].end : piece.start]:
            yield line
            line = []
        line.append(piece)
    if line:
        yield line
