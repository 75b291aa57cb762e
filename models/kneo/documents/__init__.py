"""Embed texts by Doc2Vec."""
