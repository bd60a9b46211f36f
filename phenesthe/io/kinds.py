"""The kind of a table of results, which cannot be seen from its columns, is told beside them."""

import json
from typing import Any

#: In the description of a Parquet file, and where Spark writes it, in that of a column.
KIND = "kind"
_SPARK = b"org.apache.spark.sql.parquet.row.metadata"


def find_kind(schema: Any) -> str | None:
    """The kind of phenomenon, if the table tells."""
    metadata = schema.metadata or {}
    kind = metadata.get(KIND.encode())
    if kind is not None:
        return str(kind.decode(errors="replace"))
    try:
        fields = json.loads(metadata.get(_SPARK, b"{}")).get("fields", [])
        kinds = [field.get("metadata", {}).get(KIND) for field in fields]
    except (ValueError, AttributeError, RecursionError):
        return None
    return next((one for one in kinds if isinstance(one, str)), None)
