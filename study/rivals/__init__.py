"""Train the models that other systems find PHI with, and compare them with what ships."""
