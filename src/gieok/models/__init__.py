"""Models behind the kernel's ports, one vendor per file."""
