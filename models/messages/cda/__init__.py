"""Clinical documents (CDA R2, C-CDA): read as notes, and written again without what identifies."""
