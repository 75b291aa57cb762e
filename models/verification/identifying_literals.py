"""Find identifiers of a note among the codes and numbers that its resource keeps."""

from bisect import bisect_right

from deidstream.models.messages.render_form import find_kept_values
from deidstream.models.phi.known_terms import known_terms
from deidstream.models.records import Planned
from deidstream.models.text.search import SeenWords, find_occurrences


def find_identifying_literals(planned: Planned) -> frozenset[str]:
    """Return the kept strings and numbers that hold an identifier of the note.

    Args:
        planned: The note; what it states and what was found in it is looked for.
    """
    form = planned.note.form
    if form is None:
        return frozenset()
    literals = list(dict.fromkeys(find_kept_values(form)))
    text = "\n".join(literals)
    starts, place = list[int](), 0
    for literal in literals:
        starts.append(place)
        place += len(literal) + 1
    terms = {*planned.leak_terms, *known_terms(planned.note, SeenWords.of_text(text))}
    found = find_occurrences(text, terms)
    return frozenset(literals[bisect_right(starts, one.start) - 1] for one in found)
