"""Make a corpus, train a tagger, build an index."""
