"""The kind of a table of results, which cannot be seen from its columns, is told beside them."""

import json
from typing import Any

#: In the description of a Parquet file, and where Spark writes it, in that of a column.
KIND = "kind"
_SPARK = b"org.apache.spark.sql.parquet.row.metadata"


def find_kind(schema: Any) -> str | None:
    """The kind of phenomenon, if the table tells."""
    return find_told(schema, KIND)


def find_told(schema: Any, key: str) -> str | None:
    """What a table tells of itself under a name."""
    metadata = schema.metadata or {}
    told = metadata.get(key.encode())
    if told is not None:
        return str(told.decode(errors="replace"))
    try:
        fields = json.loads(metadata.get(_SPARK, b"{}")).get("fields", [])
        found = [field.get("metadata", {}).get(key) for field in fields]
    except (ValueError, AttributeError, RecursionError):
        return None
    return next((one for one in found if isinstance(one, str)), None)
