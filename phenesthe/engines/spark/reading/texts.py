"""CSV files: what one at an address is, and whether workers may share one among them."""

from pathlib import Path

from pyspark.sql import SparkSession

from phenesthe.engines.spark.reading import scans
from phenesthe.engines.spark.reading.lines import is_plain
from phenesthe.files.csv_form import Count, CsvForm, NoHeader, read_form
from phenesthe.files.long_lines import has_long_line
from phenesthe.files.text import is_plain_text, is_wide
from phenesthe.io.read_csv import refuse_header


def look_at_remote(spark: SparkSession, address: str, label: str, count: Count) -> CsvForm:
    """What a file is of which only Spark sees the lines."""
    beginning = b"\n".join(scans.read_first_lines(scans.read_lines(spark, address)))
    try:
        if not is_wide(beginning):
            return read_form(beginning, None, count)
        return read_form(beginning.decode("utf-16", errors="ignore").encode(), "utf-16", count)
    except NoHeader as problem:
        raise refuse_header(label, problem) from None


def can_be_cut(form: CsvForm, here: Path | None) -> bool:
    """Whether every line may be read by itself. `here` is the file if it is on this machine.

    A file of this machine that Spark cannot cut, because it is packed, is cut by a worker.
    """
    if not is_plain(form.line, form.separator) or form.lines > 1:
        return False
    if here is None:
        return form.encoding != "utf-16"
    return not is_plain_text(here) or not has_long_line(here)
