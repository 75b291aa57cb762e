"""Make word lists from the data of other packages."""
