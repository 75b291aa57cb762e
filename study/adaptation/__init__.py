"""Adapt a policy and the tagger to one site (docs/adaptation.md)."""
