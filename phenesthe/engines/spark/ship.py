"""The package itself, sent to workers that do not have it."""

import atexit
import hashlib
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

import phenesthe
from phenesthe.engines.spark.scratch import Scratch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Contexts and remote sessions that have it.
_SHIPPED: "WeakSet[object]" = WeakSet()

#: Fixed, so that the same code makes the same file.
_DATE = (2020, 1, 1, 0, 0, 0)


def is_connect(spark: "SparkSession") -> bool:
    """Whether the session talks to a Spark Connect server: no SparkContext, no JVM here."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def ship_package(spark: "SparkSession") -> None:
    """Make `phenesthe` importable on the workers of a session; at most once for each.

    Only the package travels: NumPy, PyArrow and PySpark have compiled parts and must be there.
    """
    session: object = spark if is_connect(spark) else spark.sparkContext
    if session in _SHIPPED:
        return
    scratch = Scratch("phenesthe-package-")
    # Executors that join later fetch the file later, so it stays until the process ends.
    atexit.register(scratch.remove)
    package = zip_package(scratch.folder)
    if is_connect(spark):
        spark.addArtifacts(str(package), pyfile=True)
    else:
        spark.sparkContext.addPyFile(str(package))
    _SHIPPED.add(session)


def zip_package(folder: Path) -> Path:
    """The Python files of the package in a zip that is named after its content.

    Spark refuses a second file of the same name with another content.
    """
    root = Path(phenesthe.__file__).resolve().parent
    building = folder / "building.zip"
    digest = hashlib.sha256()
    with zipfile.ZipFile(building, "w", zipfile.ZIP_DEFLATED) as target:
        for file in sorted(root.rglob("*.py")):
            name = file.relative_to(root.parent).as_posix()
            content = file.read_bytes()
            digest.update(name.encode() + b"\0" + content)
            target.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    package = folder / f"phenesthe-{phenesthe.__version__}-{digest.hexdigest()[:12]}.zip"
    os.replace(building, package)
    return package
