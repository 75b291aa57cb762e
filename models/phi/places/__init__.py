"""Places, institutions, addresses and postcodes."""
