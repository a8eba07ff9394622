"""Style of all figures, and writing them to files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
import io
from pathlib import Path
from typing import Any, TYPE_CHECKING

from symcontact_ros.optional_packages import missing
from symcontact_ros.simulation.saving.atomic_file import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = ('.png', '.pdf', '.svg')
MOST_LINES = 10  # in one panel: colours that can be distinguished
GREY = '#7F7F7F'
# Okabe and Ito's colours, then darker ones: distinct for any colour vision.
COLOURS = (
    *('#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00'),
    *('#56B4E9', '#332288', '#882255', GREY, '#000000'),
)
LEFT_ROOM, RIGHT_ROOM = 95, 80  # characters above a panel
KEY_ROOM, BOLD = 5, 1.3  # of them: the key of a name, a letter of the title


@dataclass(frozen=True)
class Format:
    """Size of a figure and of what is written on it."""

    width: float  # [in]
    columns: int
    font: float  # [pt] of labels
    line: float  # [pt]
    panel: float  # [in] height of a panel over time
    dpi: int = 150

    @property
    def room(self) -> int:
        """Characters above a panel."""
        return round(118.0 * (self.width / self.columns - 0.7) / self.font)

    @property
    def style(self) -> dict[Any, Any]:
        """Settings of matplotlib."""
        return STYLE | {
            'font.size': self.font,
            'axes.titlesize': self.font + (1.0 if self.font > 8.0 else 0.0),
            'legend.fontsize': self.font - 1.0,
            'lines.linewidth': self.line,
            'axes.linewidth': 0.5 * self.line,
        }


# The widths are those of journals: one column of two, and a page.
FORMATS = {
    'screen': Format(12.5, 2, 9.0, 1.4, 1.27),
    'page': Format(7.16, 2, 7.0, 1.0, 0.95, dpi=300),
    'column': Format(3.5, 1, 7.0, 1.0, 0.95, dpi=300),
}
STYLE: dict[Any, Any] = {
    'font.size': 9.0,
    'axes.spines.top': False,
    'axes.spines.right': False,
    'axes.grid': True,
    'axes.titlelocation': 'left',
    'axes.titlesize': 10.0,
    'axes.titleweight': 'bold',
    'axes.axisbelow': True,
    'grid.color': '#E6E6E6',
    'grid.linewidth': 0.6,
    'lines.linewidth': 1.4,
    'legend.frameon': False,
    'legend.fontsize': 8.0,
    'pdf.fonttype': 42,  # letters that can be searched and edited
    'svg.hashsalt': 'symcontact',  # the same run gives the same file
}


def require_matplotlib(option: str = '--plot') -> None:
    """Raise MissingPackageError where there is no matplotlib."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise missing(option, 'matplotlib') from error


def write_figure(
    path: Path,
    size: tuple[float, float],
    draw: Callable[[Figure], None],
    format_: Format | None = None,
) -> None:
    """Write a figure, width and height in inches, to a .png, .pdf or .svg file, or nothing."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    buffer = io.BytesIO()
    with rc_context(STYLE if format_ is None else format_.style):
        figure = Figure(figsize=size, layout='constrained')
        draw(figure)
        dpi = 150 if format_ is None else format_.dpi
        # No date in it: the same run gives the same file.
        dates = {'.svg': {'Date': None}, '.pdf': {'CreationDate': None}}
        metadata: Any = dates.get(path.suffix)
        figure.savefig(buffer, format=path.suffix[1:], dpi=dpi, metadata=metadata)
    write_file(path, buffer.getvalue())


def headline(figure: Any, text: str) -> None:
    """Put a title above all panels."""
    figure.suptitle(text, x=0.01, ha='left', fontsize=12, fontweight='bold')


def legend(axes: Axes, room: float = RIGHT_ROOM, *, below: bool = False) -> None:
    """Place the legend beside the title or, where it is long, beside the panel or below it."""
    _, labels = axes.get_legend_handles_labels()
    if not labels:
        return
    needed = BOLD * len(axes.get_title(loc='left')) + sum(len(text) + KEY_ROOM for text in labels)
    settings: dict[str, Any] = {'loc': 'upper left', 'bbox_to_anchor': (1.0, 1.04)}
    if needed <= room:
        settings = {'loc': 'lower right', 'bbox_to_anchor': (1.01, 0.96), 'ncols': len(labels)}
    elif below:  # between title and panel, in as many rows as it takes
        wide = max(map(len, labels)) + KEY_ROOM
        rows = -(-len(labels) // max(1, int(room // wide)))
        columns = -(-len(labels) // rows)
        size = float(axes.title.get_fontsize())
        axes.set_title(axes.get_title(loc='left'), pad=(1.45 * rows + 0.3) * size)
        settings = {'loc': 'lower left', 'bbox_to_anchor': (-0.01, 0.97), 'ncols': columns}
        settings['borderpad'] = 0.2
    axes.legend(handlelength=1.2, columnspacing=1.0, handletextpad=0.5, **settings)


def steady(axes: Axes) -> None:
    """Limit the zoom, so that rounding errors of a constant do not fill the panel."""
    low, high = axes.get_ylim()
    middle, least = 0.5 * (low + high), 1e-6
    if high - low < least:
        axes.set_ylim(middle - 0.5, middle + 0.5)
