"""The probe: one known note through the whole path, again and again."""
