"""The vocabulary: records, labels, policies, errors, ports and the wire codec."""
