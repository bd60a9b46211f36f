"""Every threshold of `phenesthe ais prepare`, with its unit and the source of its default.

Sources: [Brest] what work on the AIS data of Brest takes; [Phe] the Phenesthe paper; [ITU] ITU-R
M.1371-5, the standard of AIS; "ours" is a choice made here, for the reason given. Which critical
points there are is after Patroumpas et al., "Online event recognition from moving vessel
trajectories", GeoInformatica 2017, as work on RTEC tells it; how each is found here is ours.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Speeds in knots, angles in degrees, distances in metres, durations in seconds."""

    # --- cleaning ---------------------------------------------------------------------------

    #: Fastest that a vessel can have gone between two reports. Fast ferries reach about 50 kn; ours
    #: leaves room for positions and clocks that are a little off.
    max_speed: float = 60.0
    #: Two reports closer than this are no jump, however little time is between them: receivers
    #: stamp whole seconds, and positions of one ship differ by its length. Ours.
    jump_slack: float = 1000.0
    #: A second track under one MMSI is another ship when it has at least this many reports; less
    #: is noise. Ours.
    second_track_reports: int = 3
    #: A missing speed lies between those told at most this long before and after. Ours: as long as
    #: `recent`, and longer than a vessel at rest takes to report, 3 minutes [ITU].
    fill_within: int = 300
    #: Speed and course are derived from neighbours at most this far away in time. Ours: as long
    #: as no communication gap is between.
    derive_within: int = 1800
    #: And over this long before and after, if there are so many reports. Ours: what 10 m of scatter
    #: at either end do to a speed is then about half a knot.
    derive_over: int = 30
    #: Below this a vessel's course says nothing, because its positions scatter. Ours: a GPS
    #: position is good to about 10 m, which in 30 s is 0.6 kn.
    course_from: float = 0.5

    # --- critical points --------------------------------------------------------------------

    #: No report for this long is a communication gap [Brest].
    gap: int = 1800
    #: Who is not heard again is in a gap if this part of the vessels is heard for so long after it.
    #: Ours: archives that were cut off have a few reports of much later, which say nothing of the
    #: others.
    still_heard: float = 0.1
    #: Up to this speed a vessel is stopped [Phe].
    stop_speed: float = 0.5
    #: Between `stop_speed` and this a vessel is in slow motion. Ours: 5 kn is the limit near the
    #: coast [Brest], and to begin where a stop ends leaves no speed in neither.
    slow_speed: float = 5.0
    #: A speed that differs from its recent mean by more than this part of it is a change. Ours.
    speed_change: float = 0.25
    #: A course that differs from its recent mean by more than this is a turn, in the same way.
    #: Ours: noise reaches 10° in slow vessels.
    turn: float = 15.0
    #: Recent means are over the reports of this long before. Ours: a time and no number of reports,
    #: because class A reports every few seconds and class B every 30 s [ITU], and a large ship
    #: turns and slows down over minutes.
    recent: int = 300
    #: Reports in a row that end or begin a stop, slow motion, change or turn: a single noisy report
    #: must not. Ours.
    confirm_reports: int = 2
    #: A vessel leaves a range of speeds when it is this much above its limit, and a change of less
    #: is none. Ours: a trawler at about `slow_speed` must not begin and end slow motion all the
    #: time.
    speed_margin: float = 0.5
    #: A stop outlives a communication gap when the vessel has moved less than this. Ours: room
    #: to swing around an anchor.
    stop_radius: float = 250.0

    # --- areas ------------------------------------------------------------------------------

    #: An absence from an area of fewer reports than this, between two reports inside, is jitter of
    #: positions at its border. Ours.
    border_reports: int = 2
    #: An absence between two reports inside that are further apart than this is no jitter, however
    #: few reports it has. Ours: three reports of a vessel at rest, one each 3 minutes [ITU], fit.
    border_time: int = 600
    #: Radius of an area that is given as a point without one. Ours: the berths of a port lie
    #: within about a nautical mile of its position.
    point_radius: float = 2000.0

    # --- proximity --------------------------------------------------------------------------

    #: Two vessels this close are in proximity. Ours: large ships at anchor keep further apart, and
    #: a transfer, a tug or a pilot is far within it.
    near: float = 500.0
    #: Positions are compared at instants this far apart. Ours: class B reports this often under way
    #: [ITU], and what is to last 4 minutes can be measured.
    slot: int = 30
    #: A vessel's position is interpolated over silences up to this. Ours: three reports of a vessel
    #: at rest, one each 3 minutes [ITU], and some seconds.
    silence: int = 600
    #: And up to this if it has got no further in that time than `slow_speed` would take it, so that
    #: who meets in the dark is still found when both are heard before and after. Ours.
    bridge: int = 7200
    #: Two stretches of proximity this close in time are one. Ours.
    rejoin: int = 300
