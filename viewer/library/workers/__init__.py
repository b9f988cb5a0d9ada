"""Many files in processes: one task on each file, on this machine or on a Dask cluster."""
