"""What a conversation was about and how it felt, summed up."""
