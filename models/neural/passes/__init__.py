"""How rows of word pieces are laid into forward passes, and how these are computed."""
