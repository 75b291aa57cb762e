"""Reference notes: what an attacker compares an output with, and what donors are chosen from."""
