"""The pages of the Properties panel, one for each kind of item."""
