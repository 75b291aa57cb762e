"""Documents beside a note: what it was cut out of, and attachments."""
