"""Fine-tune and calibrate the tagger."""
