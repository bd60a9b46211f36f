"""A project of several files as people write them: imports, comments, warnings, all constructs."""

MAIN = """\
import parts.core;
import harbour;

param patience: duration = 30m; // how long is long
param limit: float = 2.7;

/// Slow, as sailors say.
event slow(V) : ais(V, S, _) and S <= stop_speed;
event fast(V) : ais(V, S, _) and S > limit and S != 0.0;
state stopped(V) : slow(V) ~> fast(V) expires 2h;
state moored(V, P) :
    (stopped(V) ⊓ in_port(V, P)) // both at once
      lasting >= patience lasting <= 90d;
state sailing(V) :
    ais(V, S1, _) and S1 ≥ 2.7 and not end(in_range(V))
      ~> (ais(V, S2, _) and S2 < 2.7) or end(in_range(V));
dynamic trip(V, PA, PB) :
    end(moored(V, PA)) before (sailing(V) before start(moored(V, PB)));
dynamic fishing_trip(V, A) :
    (start(sailing(V)) and vessel_type(V, fishing)) before (sailing(V) contains in_area(V, A));
exclusive state activity(V, Mode) {
    sailing : start(sailing(V)) ~> end(sailing(V));
    /* not in port */
    waiting : slow(V) not in in_port(V, _) ~> fast(V);
}
event odd(V) : ais(V, Speed, _) and Heading > 5 and Heading < 2 and fix(V, Heading);
state turning(V) :
    repeat ais(V, _, H) while gap < 10m and angle_diff(H, prev(H)) > 15;
state ends(V) : port_call(V, P) ~> port_call(V, P);
state late(V) : stopped(V) complement sailing(V);
event first(V) : start(late(V)) or start(turning(V)) and not slow(V);
"""
CORE = """\
unit second;
import inputs;
/// From the first report to the last.
state in_range(V) : repeat ais(V, _, _) while gap < 600;
state in_area(V, A) : enters_area(V, A) ~> leaves_area(V, A) expires 12h;
event fix(V, H) : ais(V, _, H) and H >= 0;
event label(V) : ais(V, _, _) and vessel_type(V, "cargo ship");
event fishing(V) : label(V) and vessel_type(V, fishing);
"""
INPUTS = """\
param stop_speed: float = 0.5;
input event ais(vessel: int, speed: float, heading: float);
input event enters_area(vessel: int, area: str);
input event leaves_area(vessel: int, area: str);
fact vessel_type(vessel: int, type: str);
"""
HARBOUR = """\
import inputs;
input event port_call(vessel: int, port: str);
input event leaves_port(vessel: int, port: str);
state in_port(V, P) : port_call(V, P) ~> leaves_port(V, P);
state crowded(P) : in_port(V, P) intersection in_port(W, P);
"""
#: By their places below the project's folder; the first is the root.
PROJECT = {
    "main.phe": MAIN,
    "parts/core.phe": CORE,
    "parts/inputs.phe": INPUTS,
    "harbour.phe": HARBOUR,
    "inputs.phe": "import parts.inputs;\n",
}
