"""Directive `command-line`: a subcommand of `symcontact` as its parser has it."""

import argparse

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from symcontact_ros.cli.command_options import parser_of

WIDTH = 88  # of the usage


def subcommands(parser):
    """Return the parsers of the subcommands by name."""
    (group,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return group.choices


def usage(parser):
    """Return how a command is called, on lines that fit."""
    parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=WIDTH)
    return parser.format_usage().removeprefix('usage: ').strip()


def option_rows(parser):
    """Yield the name of every option and what it does."""
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
            continue
        value = action.metavar or ''
        value = ' '.join(value) if isinstance(value, tuple) else value
        if action.choices:
            value = '{' + ','.join(map(str, action.choices)) + '}'
        if action.nargs == '+':
            value = f'{value} ...'
        if action.nargs == 0:
            value = ''
        names = [f'{name} {value}'.strip() for name in action.option_strings] or [value]
        text = (action.help or '') % vars(action)
        yield (
            ', '.join(f'`{name}`' for name in names),
            text.replace('|', r'\|').replace('*', r'\*'),
        )


class CommandLine(SphinxDirective):
    """A subcommand; without an argument the command itself."""

    optional_arguments = 1

    def run(self):
        """Return usage, options and examples."""
        parser = parser_of()
        if self.arguments:
            parser = subcommands(parser)[self.arguments[0]]
        rows = [f'| {names} | {text} |' for names, text in option_rows(parser)]
        parts = [parser.description or '', '']
        parts += ['| option | meaning |', '|---|---|', *rows] if rows else []
        words = usage(parser)
        shown = nodes.literal_block(words, words, language='text')
        found = [shown, *self.parse_text_to_nodes('\n'.join(parts))]
        if parser.epilog:
            found.append(nodes.literal_block(parser.epilog, parser.epilog, language='text'))
        return found


def setup(app):
    """Add the directive."""
    app.add_directive('command-line', CommandLine)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
