import pytest

from phenesthe.ais.facts import list_usual_speeds, name_vessel_type


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("30", "fishing"),
        ("31", "tug"),
        ("32", "tug"),
        ("52", "tug"),
        ("50", "pilot"),
        ("51", "sar"),
        ("60", "passenger"),
        ("69", "passenger"),
        ("70", "cargo"),
        ("79.0", "cargo"),
        (" 80 ", "tanker"),
        ("89", "tanker"),
        ("35", "military"),
        ("36", "pleasure"),
        ("37", "pleasure"),
        ("1025", "tug"),
        ("0", "unknown"),
        ("90", "other"),
        ("99", "other"),
        ("", "unknown"),
        ("Undefined", "unknown"),
        ("Fishing", "fishing"),
        ("Towing long/wide", "tug"),
        ("Port tender", "other"),
        ("Pilot", "pilot"),
        ("SAR", "sar"),
        ("HSC", "passenger"),
        ("Sailing", "pleasure"),
        ("Military", "military"),
        ("Dredging", "other"),
        ("Oil/Chemical Tanker", "tanker"),
    ],
)
def test_types_are_named_by_number_and_by_word(text: str, name: str) -> None:
    assert name_vessel_type(text) == name


def test_every_type_has_a_usual_speed() -> None:
    rows = list_usual_speeds().to_pylist()
    types = {name_vessel_type(str(number)) for number in range(1100)}
    assert {row["type"] for row in rows} == types
    assert all(0 < row["low"] < row["high"] for row in rows)
