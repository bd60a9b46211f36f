"""Programs of any size out of definitions as people write them."""

_INPUTS = """\
param stop_speed{tag}: float = 0.5;
param min_stay{tag}: duration = 30m;
input event ais{tag}(vessel: int, speed: float, course: float, heading: float);
input event enters_port{tag}(vessel: int, port: str);
input event leaves_port{tag}(vessel: int, port: str);
input event enters_area{tag}(vessel: int, area: str);
input event leaves_area{tag}(vessel: int, area: str);
fact vessel_type{tag}(vessel: int, type: str);
"""

_DEFINITIONS = (
    "/// A report of a vessel that does not move.\n"
    "event stop_start{n}(V) : ais{tag}(V, S, _, _) and S <= stop_speed{tag};",
    "event stop_end{n}(V) : ais{tag}(V, S, _, _) and S > stop_speed{tag};",
    "state in_range{n}(V) : repeat ais{tag}(V, _, _, _) while gap < 600;",
    "state steady{n}(V) :\n"
    "    repeat ais{tag}(V, S, _, _) while gap < 10m and abs(S - prev(S)) < 6;",
    "state in_port{n}(V, P) : enters_port{tag}(V, P) ~> leaves_port{tag}(V, P);",
    "state in_area{n}(V, A) : enters_area{tag}(V, A) ~> leaves_area{tag}(V, A) expires 12h;",
    "state stopped{n}(V) : stop_start{n}(V) ~> stop_end{n}(V);",
    "// Silence ends it too.\n"
    "state underway{n}(V) :\n"
    "    ais{tag}(V, S1, _, _) and S1 >= 2.7 and not end(in_range{n}(V))\n"
    "      ~> (ais{tag}(V, S2, _, _) and S2 < 2.7) or end(in_range{n}(V));",
    "state moored{n}(V, P) :\n"
    "    (stopped{n}(V) intersection in_port{n}(V, P)) lasting >= min_stay{tag};",
    "dynamic trip{n}(V, PA, PB) :\n"
    "    end(moored{n}(V, PA)) before (underway{n}(V) before start(moored{n}(V, PB)));",
    "dynamic fishing_trip{n}(V, PA, A, PB) :\n"
    "    (end(moored{n}(V, PA)) and vessel_type{tag}(V, fishing))\n"
    "      before ((underway{n}(V) contains in_area{n}(V, A)) before start(moored{n}(V, PB)));",
    "exclusive state activity{n}(V, Mode) {{\n"
    "    sailing : start(underway{n}(V)) ~> end(underway{n}(V));\n"
    "    waiting : stop_start{n}(V) not in in_port{n}(V, _) ~> stop_end{n}(V);\n"
    "}}",
)


def make_program(definitions: int, tag: str) -> str:
    """A program of so many definitions; every declaration has the tag in its text.

    Programs with different tags share no text, so that none gains from what another left in the
    parser's memory.
    """
    blocks = [_INPUTS.format(tag=tag)]
    for number in range(definitions):
        block, at = divmod(number, len(_DEFINITIONS))
        blocks.append(_DEFINITIONS[at].format(n=f"{tag}_{block}", tag=tag))
    return "\n".join(blocks) + "\n"
