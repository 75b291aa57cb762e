"""Build pools of KNEO sentences and their indexes."""
