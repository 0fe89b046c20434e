"""Words every other part shares: ids, clock, scope, errors and the model ports."""
