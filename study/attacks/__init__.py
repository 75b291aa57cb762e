"""Match outputs with the originals they came from, as an attacker who holds the originals would.

Source: Larbi, Burchardt and Roller, "Which anonymization technique is best for which NLP task? - It
depends", section 4.4 and table 3.
"""
