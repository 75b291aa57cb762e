"""Neighbour substitution at word level: Algorithm 1 of Abdalla et al. (JAMIA 27(6), 2020)."""
