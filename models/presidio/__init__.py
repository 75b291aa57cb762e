"""The vocabulary and the operators of Presidio's servers, for clients that were written for them.

Source: the interface of presidio-analyzer and presidio-anonymizer 2.2 (docs/api-docs/api-docs.yml).
"""
