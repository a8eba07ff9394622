"""
Links of the pages as they are in the repository, which must work in the site, too.

Pages name each other in code style, such as `docs/ros.md`, and link to files beside the folder
`docs`, such as `../SECURITY.md` or `../config/models/cart_pole.yaml`. Where the site has the
page, all lead there.
"""

from pathlib import PurePosixPath
import re

from docutils import nodes
from source_pages import page_of_file, ROOT
from sphinx.addnodes import download_reference, pending_xref
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

# Files of the repository that are pages of the site.
OUTSIDE = {
    'README.md': 'index',
    'CHANGELOG.rst': 'project/changelog',
    'CONTRIBUTING.md': 'project/contributing',
    'QUALITY_DECLARATION.md': 'project/quality',
    'SECURITY.md': 'project/reporting',
    'benchmarks/README.md': 'benchmarks',
}
NAME = re.compile(r'[\w./-]+\.(ipynb|md|py|rst|urdf|xacro|yaml)')


def page_of(name, pages):
    """Return the page of a file of the repository, `docs/ros.md`, or None."""
    if name in OUTSIDE:
        return OUTSIDE[name]
    if file := page_of_file(name):
        return file
    path = PurePosixPath(name)
    page = str(path.relative_to('docs').with_suffix('')) if path.parts[:1] == ('docs',) else ''
    return page if page in pages else None


class OutsideLinks(SphinxTransform):
    """Links to files beside the folder `docs` that are pages of the site."""

    default_priority = 500

    def apply(self, **settings):
        """Let them lead to the pages; those that have none are words."""
        for node in [
            *self.document.findall(pending_xref),
            *self.document.findall(download_reference),
        ]:
            name = self._name(node)
            if name is None:
                continue
            if page := page_of(name, self.env.found_docs):
                uri = self.app.builder.get_relative_uri(self.env.docname, page)
                link = nodes.reference('', '', internal=True, refuri=uri)
                link += node.children
                node.replace_self(link)
            elif isinstance(node, pending_xref):
                node.replace_self(node.children)

    def _name(self, node):
        """Return the file of the repository, outside of `docs`, that a link names, or None."""
        target = node.get('reftarget') or ''
        if node.get('refdomain') == 'doc':
            target += '.md'  # a page, which Sphinx names without its ending
        # Links of a page are relative to it, those of an included file to the repository.
        for folder in (ROOT / 'docs' / PurePosixPath(self.env.docname).parent, ROOT):
            path = (folder / target).resolve()
            if path.is_file() and path.is_relative_to(ROOT):
                name = path.relative_to(ROOT).as_posix()
                return None if name.startswith('docs/') else name
        return None


class NamedPages(SphinxPostTransform):
    """Names of pages in code style."""

    default_priority = 20

    def run(self, **settings):
        """Make links of them."""
        here = self.env.docname
        for node in list(self.document.findall(nodes.literal)):
            name = node.astext()
            if not NAME.fullmatch(name) or isinstance(node.parent, nodes.reference):
                continue
            page = page_of(name, self.env.found_docs)
            if page is not None and page != here:
                uri = self.app.builder.get_relative_uri(here, page)
                link = nodes.reference('', '', internal=True, refuri=uri)
                node.replace_self(link)
                link += node


def setup(app):
    """Add both."""
    app.add_transform(OutsideLinks)
    app.add_post_transform(NamedPages)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
