"""What is set for the process as a whole: when garbage is collected, and threads of BLAS."""
