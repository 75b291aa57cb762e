"""FHIR resources (R4 and R5): read as notes, and written again without what identifies."""
