"""Write PHI into real prose."""
