"""Worker processes: one task on many files, on this machine or on a Dask cluster."""
