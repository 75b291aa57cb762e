"""Evidence about a site's own outputs: how many notes to read, what was read, what it proves."""
