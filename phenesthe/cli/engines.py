"""The options that say where something is run."""

import argparse


def add_time_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--time-format",
        metavar="F",
        help='how times are written that are neither numbers nor ISO 8601 ("%%d/%%m/%%Y %%H:%%M")',
    )


def add_engine_arguments(parser: argparse.ArgumentParser, parts: str) -> None:
    """`parts` says what the number of partitions is the number of."""
    parser.add_argument(
        "--engine",
        choices=("spark", "local"),
        default="spark",
        help="where to run: on Spark (default), or in this process, without Java",
    )
    parser.add_argument(
        "--master", metavar="URL", help="the Spark cluster (default: Spark on this machine)"
    )
    parser.add_argument("--partitions", metavar="N", type=int, help=parts)
