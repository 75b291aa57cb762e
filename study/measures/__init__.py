"""The measures of a study, one a module; ``registry`` lists them."""
