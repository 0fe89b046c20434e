"""What changes, ends, contradicts or corrects what is known."""
