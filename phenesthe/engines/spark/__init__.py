"""The stages run inside Spark: DataFrames in and out, from a laptop to a cluster."""
