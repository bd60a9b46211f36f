"""Modules of Python, which programs of its users import out of habit."""

import sys

_OFTEN_USED = (
    "dask geopandas matplotlib networkx numpy pandas polars pyarrow pyspark requests scipy seaborn "
    "shapely sklearn torch"
)
PYTHON_MODULES = frozenset((*sys.stdlib_module_names, *_OFTEN_USED.split()))
NOT_OF_PYTHON = "`import` reads modules of this language, not of Python"
WITHOUT_IT = "leave this line out: data is given to a run, and needs no import"
