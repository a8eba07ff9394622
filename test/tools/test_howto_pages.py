"""The pages of docs/howto tell the truth: their blocks run, and what they quote exists."""

from helpers.page_blocks import blocks_of, Reader
from helpers.places import page, ROOT
import pytest

HOWTO = sorted(path.name for path in (ROOT / 'docs' / 'howto').glob('*.md'))
ROS_COMMANDS = 'console'  # of a distribution, which is not there: names in them are checked


@pytest.mark.parametrize('name', HOWTO)
def test_what_a_page_says_is_what_happens(name, tmp_path, monkeypatch, ros_environment):
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path, ros_environment)
    for block in blocks_of(page(f'howto/{name}')):
        if block.language != ROS_COMMANDS:
            reader.follow(block)
