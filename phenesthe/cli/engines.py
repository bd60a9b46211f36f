"""The options that say where something is run."""

import argparse


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
