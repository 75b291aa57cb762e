"""The evidence pack: figures of what was read, attacks, checklists, pages and their signature."""
