"""The techniques that a study compares, one a module; ``registry`` lists them."""
