"""De-identify a hospital's notes of many years in shards, beside the feed and under its key."""
