"""Curves as SVG, for the documentation: panels beside each other with axes and one legend."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

#: Told apart by people who do not see all colours (Okabe and Ito).
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444")
_WIDTH, _HEIGHT = 420, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 34, 46
_LEGEND_ROW = 20
_FONT = "font-family='DejaVu Sans, Verdana, Arial, sans-serif'"


@dataclass(frozen=True, slots=True)
class Curve:
    """Points in the order in which they are joined."""

    label: str
    points: Sequence[tuple[float, float]]
    is_dashed: bool = False
    has_dots: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    x_title: str
    y_title: str
    curves: Sequence[Curve]
    #: Where the x axis has numbers; None: at round ones.
    x_ticks: Sequence[float] | None = None


def draw(panels: Sequence[Panel]) -> str:
    """An SVG file. Curves of one label have one colour and one place in the legend."""
    labels = list(dict.fromkeys(curve.label for panel in panels for curve in panel.curves))
    dashed = {curve.label for panel in panels for curve in panel.curves if curve.is_dashed}
    columns = math.ceil(len(panels) * 1.5)
    rows = math.ceil(len(labels) / columns)
    width, height = len(panels) * _WIDTH, _HEIGHT + rows * _LEGEND_ROW + 8
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' "
        f"width='{width}' height='{height}' {_FONT} font-size='11' fill='#222'>",
        f"<rect width='{width}' height='{height}' fill='#fff'/>",
    ]
    for number, panel in enumerate(panels):
        lines.append(f"<g transform='translate({number * _WIDTH} 0)'>")
        lines += _draw_panel(panel, labels)
        lines.append("</g>")
    for number, label in enumerate(labels):
        x = 16 + number % columns * (width - 16) / columns
        y = _HEIGHT + number // columns * _LEGEND_ROW + 8
        stroke = _stroke(labels, label, label in dashed)
        lines.append(f"<line x1='{x:.0f}' x2='{x + 24:.0f}' y1='{y}' y2='{y}' {stroke}/>")
        lines.append(f"<text x='{x + 30:.0f}' y='{y + 4}'>{escape(label)}</text>")
    return "\n".join([*lines, "</svg>", ""])


def find_ticks(most: float, wanted: int = 5) -> list[float]:
    """Round numbers from 0 up to the first that is not less than the most."""
    if most <= 0:
        return [0.0, 1.0]
    rough = most / wanted
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough)
    return [step * number for number in range(math.ceil(most / step - 1e-9) + 1)]


def _draw_panel(panel: Panel, labels: Sequence[str]) -> Iterator[str]:
    points = [point for curve in panel.curves for point in curve.points]
    y_ticks = find_ticks(max(y for _, y in points))
    x_ticks = panel.x_ticks or find_ticks(max(x for x, _ in points))
    x_most = max(x_ticks[-1], *(x for x, _ in points))
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            _LEFT + x / x_most * (right - _LEFT),
            bottom - y / y_ticks[-1] * (bottom - _TOP),
        )

    middle = (_LEFT + right) / 2
    yield f"<text x='{_LEFT}' y='18' font-size='13' font-weight='bold'>{escape(panel.title)}</text>"
    for tick in y_ticks:
        _, y = place(0, tick)
        yield f"<line x1='{_LEFT}' x2='{right}' y1='{y:.1f}' y2='{y:.1f}' stroke='#ddd'/>"
        yield f"<text x='{_LEFT - 6}' y='{y + 4:.1f}' text-anchor='end'>{_show(tick)}</text>"
    for tick in x_ticks:
        x, _ = place(tick, 0)
        yield f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{bottom}' y2='{bottom + 4}' stroke='#444'/>"
        yield f"<text x='{x:.1f}' y='{bottom + 16}' text-anchor='middle'>{_show(tick)}</text>"
    yield f"<line x1='{_LEFT}' x2='{right}' y1='{bottom}' y2='{bottom}' stroke='#444'/>"
    yield (
        f"<text x='{middle:.0f}' y='{bottom + 34}' text-anchor='middle'>"
        f"{escape(panel.x_title)}</text>"
    )
    yield (
        f"<text transform='translate(14 {(_TOP + bottom) / 2:.0f}) rotate(-90)' "
        f"text-anchor='middle'>{escape(panel.y_title)}</text>"
    )
    for curve in panel.curves:
        path = [place(x, y) for x, y in curve.points]
        shown = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
        stroke = _stroke(labels, curve.label, curve.is_dashed)
        yield f"<polyline points='{shown}' fill='none' stroke-linejoin='round' {stroke}/>"
        if curve.has_dots:
            for x, y in path:
                yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' fill='{_colour(labels, curve)}'/>"


def _colour(labels: Sequence[str], curve: Curve) -> str:
    return _COLOURS[labels.index(curve.label) % len(_COLOURS)]


def _stroke(labels: Sequence[str], label: str, is_dashed: bool) -> str:
    colour = _COLOURS[labels.index(label) % len(_COLOURS)]
    return f"stroke='{colour}' stroke-width='1.8'" + (
        " stroke-dasharray='6 4'" if is_dashed else ""
    )


def _show(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:g}"
