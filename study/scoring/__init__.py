"""Score found spans against labelled ones."""
