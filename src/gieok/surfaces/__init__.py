"""Ways in: each translates between the outside and the facade, none decides."""
