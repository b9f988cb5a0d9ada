"""The pages of the properties panel, one for each kind of item."""
