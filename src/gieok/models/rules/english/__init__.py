"""What is read and worded in English."""
