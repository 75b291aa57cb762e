"""Measure: scores, attacks, benchmarks, and the making of taggers, corpora, vectors and pools."""
