"""The layout of WoW models: records, header, chunks, and the tables that they are read into."""
