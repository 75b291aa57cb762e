"""Sample sizes, exact intervals, sequential plans, recapture, agreement and differences."""
