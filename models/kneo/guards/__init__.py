"""Guards of sentence KNEO: a neighbour must not contradict the sentence that it replaces."""
