"""Which column of a table is what: the public archives by their heads, others by synonyms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from phenesthe.files.csv_form import Count, count_among
from phenesthe.io.errors import DataError
from phenesthe.io.names import list_choices
from phenesthe.io.spelling import fold, has_values, refuse_unclear
from phenesthe.io.time_format import TimeFormat
from phenesthe.options import name_mapping

#: What is read of a report, and the names that a plain table may give it, as they are compared.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "vessel": ("vessel", "mmsi", "sourcemmsi", "vesselid", "shipid", "userid"),
    "t": ("t", "time", "timestamp", "datetime", "basedatetime", "date", "epoch", "ts", "utc"),
    "lon": ("lon", "longitude", "long", "lng", "x"),
    "lat": ("lat", "latitude", "y"),
    "speed": ("speed", "sog", "speedoverground", "knots"),
    "course": ("course", "cog", "courseoverground"),
    "heading": ("heading", "trueheading", "hdg"),
    "type": ("type", "shiptype", "vesseltype", "shipandcargotype", "shiptypecode"),
}
REQUIRED = ("vessel", "t", "lon", "lat")


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A kind of table, and the column of each field that it has.

    `days_first` is for times such as 31/12/2015; `time_format` is how the user says they are.
    `checks_ids` says that vessels are known by their MMSI, so that a number that no ship can have
    is a mistake; a plain table may count its vessels as it likes. `mobile` is the column that tells
    ships from base stations and buoys.
    """

    name: str
    columns: Mapping[str, str]
    days_first: bool = False
    time_format: TimeFormat | None = None
    checks_ids: bool = True
    mobile: str | None = None

    @property
    def wanted(self) -> tuple[str, ...]:
        """The columns to read."""
        extra = () if self.mobile is None else (self.mobile,)
        return tuple(dict.fromkeys((*self.columns.values(), *extra)))


DANISH = Format(
    name="Danish Maritime Authority",
    columns={
        "vessel": "MMSI",
        "t": "# Timestamp",
        "lon": "Longitude",
        "lat": "Latitude",
        "speed": "SOG",
        "course": "COG",
        "heading": "Heading",
        "type": "Ship type",
    },
    days_first=True,
    mobile="Type of mobile",
)
MARINE_CADASTRE = Format(
    name="MarineCadastre",
    columns={
        "vessel": "MMSI",
        "t": "BaseDateTime",
        "lon": "LON",
        "lat": "LAT",
        "speed": "SOG",
        "course": "COG",
        "heading": "Heading",
        "type": "VesselType",
    },
)
BREST = Format(
    name="Brest",
    columns={
        "vessel": "sourcemmsi",
        "t": "t",
        "lon": "lon",
        "lat": "lat",
        "speed": "speedoverground",
        "course": "courseoverground",
        "heading": "trueheading",
    },
)
ARCHIVES = (DANISH, MARINE_CADASTRE, BREST)


def recognise(columns: Sequence[str], mapping: Mapping[str, str], label: str) -> Format:
    """The format of a table by its columns; `mapping` is what `--map FIELD=COLUMN` says.

    Raises `DataError` that lists what is there and what is missing.
    """
    _check_columns(columns, mapping, label)
    for archive in ARCHIVES:
        spelt = _spell(archive, columns)
        if spelt is not None:
            return _adapt(spelt, mapping) if mapping else spelt
    chosen = _choose_columns(columns, mapping, label)
    missing = [field for field in REQUIRED if field not in chosen]
    if missing:
        names, wanted = (", ".join(f"`{one}`" for one in some) for some in (columns, missing))
        if has_values(columns):
            raise DataError(
                f"`{label}` does not name its columns: its first line is a row, {names}",
                "write a line with the names of the columns above it, with "
                f"{', '.join(f'`{one}`' for one in REQUIRED)} where these are",
            )
        raise DataError(
            f"`{label}` has no column for {wanted}; its columns are {names}",
            "if they are there under other names, say so: "
            f"{name_mapping(dict.fromkeys(missing, 'COLUMN'))}; "
            "reports without them cannot be used",
        )
    return Format(
        name="plain table", columns=chosen, checks_ids=False, days_first=_has_danish_time(chosen)
    )


def check_mapping(mapping: Mapping[str, str]) -> None:
    """Refuse a `--map` of something that is not read."""
    for field, column in mapping.items():
        if field not in SYNONYMS:
            raise DataError(
                f"`{name_mapping({field: column})}`: reports have no `{field}`",
                list_choices(field, SYNONYMS),
            )


def _check_columns(columns: Sequence[str], mapping: Mapping[str, str], label: str) -> None:
    """Refuse a `--map` to a column that is not there."""
    for field, column in mapping.items():
        if column not in columns:
            raise DataError(
                f"`{name_mapping({field: column})}`: `{label}` has no column `{column}`",
                list_choices(column, columns),
            )


def _spell(archive: Format, columns: Sequence[str]) -> Format | None:
    """The archive as a table spells its columns, if it has them all."""
    if set(archive.wanted) <= set(columns):
        return archive
    alike = _fold_all(columns)
    found = {one: alike.get(fold(one), []) for one in archive.wanted}
    if any(len(spellings) != 1 for spellings in found.values()):
        return None
    return replace(
        archive,
        columns={field: found[column][0] for field, column in archive.columns.items()},
        mobile=None if archive.mobile is None else found[archive.mobile][0],
    )


def _fold_all(columns: Sequence[str]) -> dict[str, list[str]]:
    """Different columns, by what they have in common with others."""
    folded: dict[str, list[str]] = {}
    for column in dict.fromkeys(columns):
        folded.setdefault(fold(column), []).append(column)
    return folded


def _adapt(archive: Format, mapping: Mapping[str, str]) -> Format:
    """The archive with some fields from other columns. What is known of a column of the archive is
    not known of the one that takes its place."""
    moved = {field for field, column in mapping.items() if archive.columns.get(field) != column}
    return replace(
        archive,
        columns={**archive.columns, **mapping},
        days_first=archive.days_first and "t" not in moved,
        checks_ids=archive.checks_ids and "vessel" not in moved,
    )


def _choose_columns(
    columns: Sequence[str], mapping: Mapping[str, str], label: str
) -> dict[str, str]:
    folded = _fold_all(columns)
    chosen: dict[str, str] = {}
    for field, synonyms in SYNONYMS.items():
        if field in mapping:
            chosen[field] = mapping[field]
            continue
        word = next((one for one in synonyms if one in folded), None)
        if word is None:
            continue
        found = folded[word]
        exact = field if field in found else word
        if len(found) > 1 and exact not in found:
            raise refuse_unclear(label, exact, found, name_mapping({field: min(found)}))
        chosen[field] = exact if exact in found else found[0]
    return chosen


def count_known(mapping: Mapping[str, str]) -> Count:
    """Counts the columns of a header that reports may have."""
    words = [one for synonyms in SYNONYMS.values() for one in synonyms]
    heads = [column for archive in ARCHIVES for column in archive.wanted]
    return count_among([*words, *heads, *mapping.values()], fold)


def _has_danish_time(chosen: Mapping[str, str]) -> bool:
    return chosen["t"].casefold() == DANISH.columns["t"].casefold()
