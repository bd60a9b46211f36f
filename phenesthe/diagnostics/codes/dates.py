"""Codes about calendar states: times of day, dates, time zones."""

from phenesthe.diagnostics.codes.model import Code

DATES = (
    Code(
        "D001",
        "a moment that cannot be read",
        '`daily` takes times of day, `"22:00"` or `"22:00:30"`; `weekly` a day of the week before '
        'the time, `"Sat 00:00"`; `yearly` month and day, `"03-01"`; `dates` year, month and day, '
        '`"2026-03-01"`. Midnight is `"00:00"`. This text is none of these, or names a date that '
        "no year has.",
    ),
    Code(
        "D002",
        "an unknown time zone",
        "The last argument of a calendar state is the time zone in which its moments are meant, by "
        'its name in the time zone database: `"Europe/Copenhagen"`. Without it they are in UTC. '
        "Names are told apart by upper and lower case. Shorthands that several zones share, such "
        "as `CEST`, are none.",
    ),
    Code(
        "D003",
        "dates in the wrong order",
        "`dates` holds from the first date to the end of the second one, so the second cannot be "
        "earlier. What comes again every year, and may go over new year, is `yearly`.",
    ),
    Code(
        "D004",
        "an argument of a calendar state that is not written out",
        "When a calendar state holds must be known before any data is. So its arguments are texts "
        "in the program, between quotes: no variables, no numbers and no parameters.",
    ),
)
