"""The last look at a note before it leaves; each check is a module of its own."""
