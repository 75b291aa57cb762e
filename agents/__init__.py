"""Who wires: settings, composition root, the Faust agent and the command line."""
