"""The Problems panel: findings of the check, and messages."""
