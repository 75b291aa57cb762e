"""Make training notes, and train the tagger on them."""
