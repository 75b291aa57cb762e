"""Which originals have several surrogates where one was free to be used."""

from collections import defaultdict
from dataclasses import dataclass, field

from deidstream.models.keyring import canonical
from deidstream.models.text.folding import words_of


@dataclass(slots=True)
class SurrogateUses:
    """The surrogates of each original, and the notes that they stand in."""

    by_original: defaultdict[tuple[str, ...], set[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict(set)
    )

    def add(self, original: tuple[str, ...], surrogate: str, note: str) -> None:
        """Add a surrogate; ``note`` is the text of the input."""
        self.by_original[original].add((canonical(surrogate), note))

    def count_split(self) -> int:
        """Count originals with several surrogates.

        A note that holds one of them as an original of its own cannot use it: that surrogate is
        displaced there, and what stands in its place does not count.
        """
        return sum(map(_is_split, self.by_original.values()))


def _is_split(uses: set[tuple[str, str]]) -> bool:
    made = {surrogate for surrogate, _ in uses}
    if len(made) == 1:
        return False
    free = {
        surrogate
        for surrogate, note in uses
        if not any(_holds(note, other) for other in made - {surrogate})
    }
    return len(free) > 1


def _holds(note: str, surrogate: str) -> bool:
    return not set(words_of(note)).isdisjoint(words_of(surrogate))
