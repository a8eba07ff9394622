"""Links of a built site: those that lead nowhere, and those that would need the network."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {'script': 'src', 'link': 'href', 'img': 'src', 'source': 'src', 'iframe': 'src'}


@dataclass
class Page(HTMLParser):
    """Anchors and links of a page."""

    path: Path
    anchors: set[str] = field(default_factory=set)
    links: list[tuple[str, str]] = field(default_factory=list)  # tag and target

    def __post_init__(self):
        super().__init__()
        self.feed(self.path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attrs):
        """Remember what a tag has of both."""
        values = dict(attrs)
        self.anchors |= {values[key] for key in ('id', 'name') if values.get(key)}
        self.links += [(tag, values[key]) for key in ('href', 'src') if values.get(key)]


def site_pages(folder):
    """Return the pages of a site by their paths."""
    return {path.resolve(): Page(path) for path in sorted(Path(folder).rglob('*.html'))}


def faults(folder, left_out=()):
    """
    Return one line for each link that leads nowhere, or loads something from the network.

    ``left_out`` are folders of the site that were not made this time.
    """
    pages = site_pages(folder)
    found = []
    for path, page in pages.items():
        place = path.relative_to(Path(folder).resolve())
        for tag, target in page.links:
            skipped = set(left_out).intersection(target.split('/'))
            if not skipped and (reason := _fault(pages, path, tag, target)):
                found.append(f'{place}: <{tag}> {target}: {reason}')
    return found


def _fault(pages, path, tag, target):
    """Return what is wrong with a link, or nothing."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        is_remote = parts.scheme not in ('data', 'mailto')
        return 'would be loaded from the network' if is_remote and tag in LOADED else ''
    file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not file.is_file():
        return 'there is no such file'
    anchor = unquote(parts.fragment)
    if anchor and file in pages and anchor not in pages[file].anchors:
        return 'there is no such anchor'
    return ''
