"""What the failures of Spark mean, as a table: a pattern, the reason, the remedy.

The first pattern that occurs decides. The cause of a cause (a full disk) therefore stands before
what it brings about (a lost executor). Named groups of a pattern are words of the message.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from phenesthe.engines.spark.machine import list_local_dirs
from phenesthe.options import name_option


@dataclass(frozen=True, slots=True)
class Reason:
    """A failure that is known; `see_log` where Spark's log can tell more than the message."""

    pattern: str
    text: str
    hint: str
    see_log: bool = False


_MORE_HEAP = (
    "give it more: SPARK_DRIVER_MEMORY=8g for Spark on this machine, spark.executor.memory for the "
    "workers of a cluster"
)
_MORE_ROOM = (
    "cut the rows into more parts ({partitions}), or run fewer tasks at a time (`{one_core}`; "
    "on a cluster spark.executor.cores); `phenesthe compile` says what runs in one part"
)
_WORKER_PYTHON = (
    "every worker needs the driver's version of Python, with numpy and pyarrow; let PYSPARK_PYTHON "
    "name it"
)
_LOOK = "see that the server runs, that host and port are right and that no firewall is between"
_SAME = "let all files of a table have the same columns, of the same types"
_PACKAGES = (
    'PYSPARK_SUBMIT_ARGS="--packages {package}:VERSION pyspark-shell" brings it; the version is '
    "that of Spark's own hadoop-client-api"
)
_READING = r"while reading file (?P<path>\S+?)\.?\s"

_HEAP = Reason(r"OutOfMemoryError", "Spark's JVM ran out of memory", _MORE_HEAP, see_log=True)
_DISK = Reason(
    r"No space left on device|Disk quota exceeded",
    "there is no space left on the disk",
    "shuffled rows are kept in {local_dirs}: free some space there and where the results go, or "
    "let SPARK_LOCAL_DIRS name a folder on a larger disk (on a cluster, of every worker)",
)

_LOCAL_DIRS = Reason(
    r"Failed to create any local dir",
    "no folder for Spark's temporary files can be written: {local_dirs}",
    "let SPARK_LOCAL_DIRS name a folder that can be, or unset it",
    see_log=True,
)

REASONS: tuple[Reason, ...] = (
    _DISK,
    Reason(
        r"\b(?!OutOf)\w*MemoryError",
        "a partition does not fit in a worker's memory",
        _MORE_ROOM,
    ),
    Reason(
        r"No module named '(?P<module>[^']+)'",
        "a worker has no Python package `{module}`",
        _WORKER_PYTHON,
    ),
    Reason(
        r"Python in worker has different version:? (?P<worker>\S+) than that in driver:? "
        r"(?P<driver>[\d.]*\d)",
        "the workers have Python {worker}, and the driver has {driver}",
        _WORKER_PYTHON,
    ),
    Reason(
        r'Cannot run program "(?P<program>[^"]+)"',
        "a worker cannot start `{program}`",
        _WORKER_PYTHON,
    ),
    Reason(
        r"Python worker exited unexpectedly \(crashed\): *(?P<fatal>Fatal Python error: .+)",
        "a Python worker crashed ({fatal})",
        "numpy and pyarrow must be built for the machine they run on; " + _WORKER_PYTHON,
        see_log=True,
    ),
    Reason(
        r"Python worker exited unexpectedly",
        "a Python worker was killed, as happens when memory runs out",
        _MORE_ROOM,
        see_log=True,
    ),
    Reason(
        r"Python worker failed to connect back|Failed to open socket to Python daemon",
        "the Python of the workers does not start",
        _WORKER_PYTHON,
        see_log=True,
    ),
    Reason(
        r"bigger than (?:local maxResultSize|spark\.driver\.maxResultSize)",
        "too much is to be brought together on one machine",
        "write results to a folder, give less at a time to a {state}, or raise "
        "spark.driver.maxResultSize and SPARK_DRIVER_MEMORY",
    ),
    _HEAP,
    Reason(
        r"\[PATH_NOT_FOUND\] Path does not exist: (?P<path>\S+?)\.?\s",
        "there is no {path}",
        "see that the path is right",
    ),
    Reason(
        r"\[PATH_ALREADY_EXISTS\] Path (?P<path>\S+) already exists",
        "{path} exists",
        "{overwrite} replaces it",
    ),
    Reason(
        r"FAILED_READ_FILE\.FILE_NOT_EXIST\].*?file (?P<path>\S+?)\.?\s",
        "{path} was there and is no more",
        "run again, and leave the input alone meanwhile; on a cluster, put it where every worker "
        "sees it",
    ),
    Reason(
        _READING + r"[\s\S]*Parquet column \[(?P<column>.*?)\]\. Expected Spark type "
        r"(?P<expected>\S+), actual Parquet type (?P<actual>\w+)",
        "column `{column}` of {path} is {actual}, elsewhere {expected}",
        _SAME,
    ),
    Reason(
        r"Failed to merge incompatible data types|CANNOT_MERGE_SCHEMAS",
        "the files of a table have different types",
        _SAME,
    ),
    Reason(
        _READING + r"[\s\S]*is not a Parquet file",
        "{path} is not a Parquet file",
        "write it again, or take it away",
    ),
    Reason(
        r"(?:AccessControlException|AccessDeniedException|Permission denied)"
        r"[^\n]*?(?P<path>(?:\w+:)?/[^\s:,()\"]+)",
        "permission denied: {path}",
        "see who owns it, and as whom Spark runs",
    ),
    Reason(
        r"AccessControlException|AccessDeniedException|Permission denied",
        "permission denied",
        "see who owns the files, and as whom Spark runs",
        see_log=True,
    ),
    Reason(
        _READING,
        "{path} cannot be read ({cause})",
        "it may be damaged: write it again, or take it away",
    ),
    Reason(
        r"(?:Input path does not exist|FileNotFoundException: File):? (?P<path>\S+)",
        "there is no {path}",
        "see that the path is right",
    ),
    Reason(
        r"Mkdirs failed to create (?P<path>\S+?)(?:/_temporary\S*)?\s",
        "nothing can be written to {path}",
        "see who owns the folder, or write elsewhere",
    ),
    Reason(
        r"Parent path is not a directory: (?P<path>\S+)",
        "{path} is a file, not a folder",
        "write elsewhere",
    ),
    Reason(
        r'No FileSystem for scheme "s3n?"',
        "Spark does not know s3:// paths",
        "write s3a:// instead",
    ),
    Reason(
        r"(?P<scheme>s3a)\.S3AFileSystem not found",
        "Spark reads s3a:// paths only with the package hadoop-aws, which is not there",
        _PACKAGES.format(package="org.apache.hadoop:hadoop-aws"),
    ),
    Reason(
        r'azurebfs\.\w+ not found|No FileSystem for scheme "(?:abfss?|wasbs?)"',
        "Spark reads Azure's paths only with the package hadoop-azure, which is not there",
        _PACKAGES.format(package="org.apache.hadoop:hadoop-azure"),
    ),
    Reason(
        r'No FileSystem for scheme "(?P<scheme>[^"]*)"',
        "Spark does not know {scheme}:// paths",
        "see that the path is right; other file systems need their package on Spark's class path",
    ),
    Reason(
        r"ExecutorLostFailure|[Ee]xecutor heartbeat timed out|Remote RPC client disassociated"
        r"|MetadataFetchFailedException|FetchFailedException",
        "workers of the cluster were lost",
        "often for lack of memory: raise spark.executor.memory and spark.executor.memoryOverhead; "
        + _MORE_ROOM,
        see_log=True,
    ),
    Reason(
        r"(?i)All masters are unresponsive|application has been killed",
        "the master does not accept us, or has ended the job",
        "see the master's own page; it must be a Spark of the version that `phenesthe doctor` says",
        see_log=True,
    ),
    Reason(
        r"(?i)\bjob \S+ (?:was )?cancelled|OPERATION_CANCELED|has been cancel+ed"
        r"|SparkContext was shut down",
        "the job was cancelled",
        "run it again, if that was not meant",
    ),
    Reason(
        r"to (?P<place>[\w.-]+:\d+) failed on connection exception",
        "nobody answers at {place}",
        _LOOK,
    ),
    Reason(r"UnknownHostException: (?P<host>[\w.-]+)", "there is no host `{host}`", _LOOK),
    Reason(
        r"StatusCode\.UNAVAILABLE|RETRIES_EXCEEDED|ConnectException",
        "nobody answers",
        _LOOK,
        see_log=True,
    ),
    Reason(
        r"StatusCode\.UNAUTHENTICATED|StatusCode\.PERMISSION_DENIED",
        "the server does not let us in",
        "see the token in the URL of the master",
    ),
    Reason(
        r"'JavaPackage' object is not callable|NoSuchMethodError|Method .* does not exist",
        "PySpark and the Spark that it starts have different versions",
        "unset SPARK_HOME, or install the PySpark of that Spark",
        see_log=True,
    ),
)

#: For a JVM that no longer answers, or never did; the patterns are looked for in its log.
LOG_REASONS: tuple[Reason, ...] = (
    _DISK,
    _LOCAL_DIRS,
    _HEAP,
    Reason(
        r"UnsupportedClassVersionError",
        "this Java is too old for Spark",
        "`phenesthe doctor` says what to install",
    ),
    Reason(
        r"Could not reserve enough space|Cannot allocate memory|Invalid maximum heap size",
        "the machine does not have as much memory as the driver is to have",
        "set SPARK_DRIVER_MEMORY to less, such as 1g",
        see_log=True,
    ),
    Reason(
        r"(?m)^(?:Error|Exception in thread \"main\"|JAVA_HOME|Unrecognized)\b:? ?(?P<said>.+)",
        "Java says: {said}",
        "see PYSPARK_SUBMIT_ARGS (which ends with `pyspark-shell`), SPARK_HOME and "
        "spark-defaults.conf",
        see_log=True,
    ),
    Reason(
        r"",
        "Spark's JVM ended, as happens when it is killed for lack of memory",
        _MORE_HEAP,
        see_log=True,
    ),
)


def find_reason(text: str, reasons: Iterable[Reason] = REASONS) -> Reason | None:
    """The first reason that the text has, with its words filled in."""
    for reason in reasons:
        if match := re.search(reason.pattern, text):
            words = {name: shorten_path(word or "") for name, word in match.groupdict().items()}
            words |= _name_options()
            words["cause"] = summarise(text, innermost=True)
            words["local_dirs"] = ", ".join(map(str, list_local_dirs()))
            return Reason(
                pattern=reason.pattern,
                text=reason.text.format_map(words),
                hint=reason.hint.format_map(words),
                see_log=reason.see_log,
            )
    return None


def _name_options() -> dict[str, str]:
    return {
        "partitions": name_option("partitions", "N"),
        "one_core": name_option("master", "local[1]", python='.master("local[1]")'),
        "state": name_option("state"),
        "overwrite": name_option("overwrite", python="overwrite=True"),
    }


def shorten_path(text: str) -> str:
    """A local path as people write it."""
    return re.sub(r"^file:/+", "/", text.strip())


def summarise(text: str, *, innermost: bool = False) -> str:
    """The line that says most, for a failure that is not in the table.

    What Spark itself says is its outermost message with a condition in brackets. Everything else is
    wrapped again and again, and its reason is the innermost.
    """
    if "Traceback (most recent call last):" in text:
        after = text.rpartition("Traceback (most recent call last):")[2].splitlines()[1:]
        said = next((line for line in after if line and not line[0].isspace()), "it failed")
        return f"a worker said {_tidy(said)}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    conditions = [line for line in lines if re.search(r"\[[A-Z][A-Z_.]+\] ", line)]
    outer = r"(?:Caused by: )?[\w.$]+(?:Exception|Error): *\S"
    causes = [line.removeprefix("Caused by: ") for line in lines if re.match(outer, line)]
    if conditions and not innermost:
        return _tidy(conditions[0])
    return _tidy((causes or lines or ["for an unknown reason"])[-1])


def _tidy(line: str) -> str:
    """Without packages in front and codes around: what a person reads."""
    line = re.sub(r"^.*?\[[A-Z][A-Z_.]+\] ", "", line)
    line = re.sub(r"^(?:[\w$]+\.)+(\w+(?:Exception|Error): )", r"\1", line)
    line = re.sub(r"^(?:Spark|Analysis|Runtime|IO)Exception: ", "", line)
    return re.sub(r"\s*SQLSTATE: .*", "", line).rstrip(". ")
