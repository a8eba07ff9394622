"""How-to and explanation pages tell the truth: their blocks run, and what they quote exists."""

import ast
import re

from helpers.page_blocks import blocks_of, Reader
from helpers.places import page, ROOT
from helpers.sources import modules, SOURCES
import pytest

from symcontact_ros.contact import custom
from symcontact_ros.expressions import FUNCTIONS, MAXIMUM_DEPTH, MAXIMUM_LENGTH
from symcontact_ros.model import input_limits
from symcontact_ros.model.building.reader import LARGEST
from symcontact_ros.model.urdf.mesh_reading import MAXIMUM_VERTICES
from symcontact_ros.ros.parameters import SimulationParameters
from symcontact_ros.ros.stepping.step_scheduler import LATEST
from symcontact_ros.simulation import options
from symcontact_ros.simulation.step.guards import PERIOD
from symcontact_ros.symbolic.expansion import LARGEST_EXPANSION
from symcontact_ros.symbolic.mathml import MOST_SPEEDS

HOWTO = sorted(path.name for path in (ROOT / 'docs' / 'howto').glob('*.md'))
PAGES = sorted(
    path.relative_to(ROOT / 'docs').as_posix()
    for pattern in ('howto/*.md', 'explanation/*.md', 'limits.md')
    for path in (ROOT / 'docs').glob(pattern)
)
SILENT = ('bench', 'collision', 'joints', 'kernels', 'recording', 'shapes', 'symbolic', 'web')
WITH_ROS = 'console'  # commands of a distribution, which is not there: their names are checked


@pytest.mark.parametrize('name', [name for name in PAGES if blocks_of(page(name))])
def test_what_a_page_says_is_what_happens(name, tmp_path, monkeypatch, ros_environment):
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path, ros_environment)
    for block in blocks_of(page(name)):
        if block.language != WITH_ROS:
            reader.follow(block)


# Messages ---------------------------------------------------------------------------------------


def texts_of_the_package():
    """Return all texts of the sources, joined as Python joins them."""
    texts = []
    for path in modules():
        if path.relative_to(SOURCES).parts[0] in SILENT:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, ast.JoinedStr):
                parts = [part.value for part in node.values if isinstance(part, ast.Constant)]
                texts.append('<...>'.join(parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(re.sub(r'%(s|d|g|\.\d+f)', '<...>', node.value))
    return texts


def quoted_messages():
    """Return what stands as code in columns headed `message` of the how-to pages."""
    for name in HOWTO:
        in_table = False
        for line in page(f'howto/{name}').splitlines():
            cells = [cell.strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]]
            in_table = bool(cells) and (in_table or 'message' in cells[0] + cells[-1])
            if in_table and 'message' not in cells[0]:
                place = 1 if name == 'custom_laws.md' else 0
                for _, text in re.findall(r'(`+) ?(.+?) ?\1', cells[place]):
                    yield name, text


def test_messages_that_pages_quote_are_those_of_the_package():
    texts = texts_of_the_package()
    quoted = list(quoted_messages())
    assert len(quoted) > 40
    missing = []
    for name, message in quoted:
        reason = re.fullmatch(r'\((\w+)\)', message)  # why a command was rejected
        pieces = re.split(r'<[^>]*>', reason[1] if reason else message)
        near = [text for text in texts if max(pieces, key=len) in text]
        if not any(re.search('.*?'.join(map(re.escape, pieces)), text, re.S) for text in near):
            missing.append(f'{name}: {message}')
    assert not missing, '\n'.join(missing)


# Tables -----------------------------------------------------------------------------------------


def rows(text, heading):
    """Return the cells of the table below a heading."""
    section = text.partition(f'\n## {heading}\n')[2].partition('\n## ')[0]
    lines = re.findall(r'^\|(.+)\|$', section, re.M)[2:]
    return [[cell.strip() for cell in line.split('|')] for line in lines]


def test_the_table_of_names_in_laws_is_that_of_the_parser():
    table = {row[0].strip('`'): row for row in rows(page('howto/custom_laws.md'), 'Names')}
    listed = table.keys() - {'pi', 'any entry of `parameters'}
    assert listed == custom.TRIAL.keys()
    of_normal = {name for name in listed if table[name][3] == 'yes'}
    assert of_normal == custom.TRIAL.keys() - set(custom.OF_FRICTION)
    assert all(table[name][4] == 'yes' for name in listed)
    for name, key in custom.CONSTANTS.items():
        assert f'`{key}`' in table[name][2]


def test_the_syntax_of_formulas_is_that_of_the_parser():
    table = dict(rows(page('howto/custom_laws.md'), 'Syntax'))
    assert tuple(re.search('`(.+)`', table['functions'])[1].split()) == FUNCTIONS
    assert f'{MAXIMUM_LENGTH} characters' in table['length']
    assert f'{MAXIMUM_DEPTH} operations' in table['length']


def test_the_limits_of_substeps_and_guards_are_those_of_the_options():
    text = page('explanation/guards_and_substeps.md')
    limits = {row[0]: [float(cell) for cell in row[1:]] for row in rows(text, 'Substeps')}
    others = [options.OTHER_SPRING_LIMIT, options.OTHER_RATE_LIMIT, options.OTHER_STABILITY]
    rk4 = [table['rk4'] for table in (options.SPRING_LIMITS, options.RATE_LIMITS)]
    assert limits == {
        '`rk4`': [*rk4, options.STABILITY['rk4']],
        '`verlet`, `semi_implicit`': others,
    }
    guards = {row[0].strip('`'): row[2] for row in rows(text, 'Guards')}
    assert float(guards['max_depth_ratio']) == options.MAX_DEPTH_RATIO
    assert float(guards['max_exceeded_steps']) == options.MAX_EXCEEDED_STEPS
    assert float(guards['max_residual']) == options.MAX_RESIDUAL
    assert f'every {PERIOD} steps' in text
    assert f'(`max_substeps` ({options.MAX_SUBSTEPS})' in text.replace('never more than ', '(')


def test_sizes_on_the_page_of_limits_are_those_of_the_code():
    numbers = [row[1].removesuffix(' s') for row in rows(page('limits.md'), 'Sizes')]
    assert [float(number) for number in numbers] == [
        input_limits.BODIES,
        input_limits.FREEDOMS,
        input_limits.PAIRS,
        MAXIMUM_VERTICES,
        LARGEST_EXPANSION,
        MOST_SPEEDS,
        LARGEST,
        MAXIMUM_LENGTH,
        LATEST,
    ]


# Commands of a distribution, and links ----------------------------------------------------------


def ros_commands():
    """Return the commands of blocks that need a distribution."""
    for name in PAGES:
        for block in blocks_of(page(name)):
            if block.language == WITH_ROS:
                yield from re.findall(r'^\$ (.+)$', block.text, re.M)


def test_commands_of_a_distribution_name_what_exists():
    known = {field.replace('_', '.', 1) for field in SimulationParameters.__dataclass_fields__}
    known |= SimulationParameters.__dataclass_fields__.keys()
    topics = page('ros.md')
    commands = list(ros_commands())
    assert len(commands) >= 5
    for command in commands:
        words = command.split()
        if words[1:3] == ['launch', 'symcontact_ros']:
            assert (ROOT / 'launch' / words[3]).is_file(), command
        for parameter in re.findall(r'(?:-p | )(\w+):=', command):
            others = {'rviz', 'view', 'joint_states', 'robot', 'description'}
            others |= {'uri', 'names', 'poses'}  # of spawn_robots
            assert parameter in known | others, command
        if words[1:4] == ['param', 'set', '/symcontact']:
            assert words[4] in known or words[4].startswith('symbols.'), command
        if words[1] == 'topic':
            end = words[3].rpartition('/')[2]
            stem = re.sub(r'/(bodies|sensors)/\w+', r'/\1/', words[3])
            assert stem.split('/')[2] in topics or end in topics, command


def anchors(text):
    """Return the anchors of the headings of a page, as code hosts make them."""
    titles = re.findall(r'^#+ (.+)$', text, re.M)
    plain = [re.sub(r'\[(.+?)\]\(.*?\)', r'\1', title).lower() for title in titles]
    return {re.sub(r'[^\w\- ]', '', title).replace(' ', '-') for title in plain}


@pytest.mark.parametrize('name', PAGES)
def test_links_lead_somewhere(name):
    path = ROOT / 'docs' / name
    text = re.sub(r'^```.*?^```$', '', path.read_text(encoding='utf-8'), flags=re.M | re.S)
    links = re.findall(r'\]\(([^)\s]+)\)', text)
    assert links
    for link in links:
        if link.startswith('http'):
            continue
        file, _, anchor = link.partition('#')
        target = (path.parent / file).resolve() if file else path
        assert target.is_file(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding='utf-8')), link
