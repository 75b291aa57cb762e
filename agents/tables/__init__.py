"""Analytics out: the output topics as tables, one row for each note."""
