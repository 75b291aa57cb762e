"""HL7 version 2: messages read into notes, of which only listed fields pass."""
