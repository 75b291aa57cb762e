"""The folder of a validation: its plan, its sample, what readers marked, and what that says."""
