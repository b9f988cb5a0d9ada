"""A static page with pictures and facts of many files, which works without a server."""
