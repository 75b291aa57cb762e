"""The files and official scores of i2b2/UTHealth 2014."""
