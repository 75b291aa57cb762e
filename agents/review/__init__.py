"""The review page: originals beside their outputs, marks of reviewers, and what they become."""
