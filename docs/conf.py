"""Settings of the documentation site; `make docs` builds it."""

import logging
import os
from pathlib import Path
import sys

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path[:0] = [str(ROOT), str(DOCS / '_ext')]
# The kernel of a notebook is a process of its own.
os.environ['PYTHONPATH'] = os.pathsep.join([str(ROOT), os.environ.get('PYTHONPATH', '')])

import symcontact_ros  # noqa: E402

project = 'symcontact_ros'
author = 'symcontact_ros maintainers'
copyright = author
version = release = symcontact_ros.__version__

extensions = [
    'myst_nb',
    'sphinx.ext.autodoc',
    'sphinx.ext.napoleon',
    'sphinx_copybutton',
    'command_line',
    'gallery',
    'maths',
    'messages',
    'model_keys',
    'model_schema',
    'page_links',
    'python_names',
    'source_pages',
]
root_doc = 'index'
exclude_patterns = ['_ext', '_static', '**.ipynb_checkpoints']
nitpicky = True

myst_enable_extensions = ['attrs_block', 'colon_fence', 'deflist', 'dollarmath']
myst_heading_anchors = 4
myst_update_mathjax = False

# `-D nb_execution_mode=off` for a quick look.
nb_execution_mode = 'cache'
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
logging.getLogger('traitlets').setLevel(logging.WARNING)

html_theme = 'furo'
html_title = f'symcontact_ros {version}'
html_static_path = ['_static']
html_css_files = ['site.css']
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # they would be fetched, which a browser refuses from disk
html_theme_options = {
    'light_css_variables': {'color-brand-primary': '#0b5394', 'color-brand-content': '#0b5394'},
    'dark_css_variables': {'color-brand-primary': '#7fb8ee', 'color-brand-content': '#7fb8ee'},
}
autodoc_member_order = 'bysource'
autodoc_typehints_format = 'short'
autodoc_type_aliases = {name: name for name in ('ArrayLike', 'Reading', 'Scalar', 'Vector')}
default_role = 'py:obj'
napoleon_google_docstring = False
napoleon_attr_annotations = False
napoleon_use_ivar = True
python_maximum_signature_line_length = 88
napoleon_use_rtype = False
napoleon_preprocess_types = False

copybutton_prompt_text = r'\$ |>>> |\.\.\. '
copybutton_prompt_is_regexp = True
