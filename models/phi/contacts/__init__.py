"""E-mail addresses, user names, network addresses and phone numbers."""
