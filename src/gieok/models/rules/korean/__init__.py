"""What is read and worded in Korean."""
