"""What goes over the wire, one file for each capability."""
