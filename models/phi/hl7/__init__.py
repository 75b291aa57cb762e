"""HL7 version 2: the grammar of its messages, and the values that it names."""
