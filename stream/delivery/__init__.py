"""Delivery: outcomes go to Kafka, and the positions of the group with them."""
