"""What decides: the same note gives the same decision, and no service is asked.

Nothing here opens a connection or runs on an event loop; import contracts hold that. Loaders read
the files of models, indexes and lists.
"""
