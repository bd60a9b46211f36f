"""A command line that says what is wrong with what was typed, and what to type instead."""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from phenesthe.cli.terminal import complain

_REQUIRED = re.compile(r"the following arguments are required: (?P<names>.*)")
_CHOICE = re.compile(r"argument (?P<name>[^:]*): invalid choice: '(?P<word>.*)' \(choose from .*\)")
_VALUE = re.compile(r"argument (?P<name>[^:]*): expected (?:one|at least one) argument.*")
_TYPE = re.compile(r"argument (?P<name>[^:]*): invalid \w+ value: '(?P<word>.*)'")
_UNKNOWN = re.compile(r"unrecognized arguments: (?P<words>.*)")
#: What people try before they have found `--help`.
_MEANT = {"help": "--help", "version": "--version", "-v": "--version", "-V": "--version"}


class Parser(argparse.ArgumentParser):
    """What argparse finds, in our words: one line about it, one with the remedy.

    `fill` adds the arguments once somebody needs them: of ten commands one is asked for.
    """

    def __init__(
        self, *, fill: Callable[[argparse.ArgumentParser], None] | None = None, **given: Any
    ) -> None:
        super().__init__(**given)
        self._fill = fill
        self._typed: Sequence[str] = ()

    def complete(self) -> None:
        fill, self._fill = self._fill, None
        if fill is not None:
            fill(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.complete()
        self._typed = sys.argv[1:] if args is None else list(args)
        known, rest = super().parse_known_args(args, namespace)
        if rest:
            # Here, and not by the parser of all commands, which does not know the flags.
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return known, rest

    def _print_message(self, message: str, file: Any = None) -> None:
        """Unlike that of argparse it tells when nothing can be written there."""
        file = file or sys.stderr
        file.write(message)
        file.flush()

    def error(self, message: str) -> NoReturn:
        reason, remedy = self._explain(message)
        lines = (reason, *([f"  help: {remedy}"] if remedy else ()), f"  usage: {self._example()}")
        self.exit(complain("\n".join(lines), code=2))

    def _explain(self, message: str) -> tuple[str, str]:
        if (strange := self._find_strange_flag()) is not None:
            return self._explain_flag(strange)
        if (loose := self._explain_loose_value(message)) is not None:
            return loose
        if found := _CHOICE.fullmatch(message):
            return self._explain_choice(found["name"], found["word"])
        if found := _REQUIRED.fullmatch(message):
            names = found["names"].split(", ")
            verb = "is" if len(names) == 1 else "are"
            reason = " and ".join(f"`{one}`" for one in names) + f" {verb} missing"
            if (extra := self._find_extra()) is not None and names == [names[0]]:
                return reason, f"write {names[0]} {extra}"
            return reason, "; ".join(filter(None, map(self._describe, names)))
        if found := _VALUE.fullmatch(message):
            return f"nothing is given after {found['name']}", self._describe(found["name"])
        if found := _TYPE.fullmatch(message):
            reason = f"{found['name']} takes a whole number, not `{found['word']}`"
            return reason, f"for example {found['name']} 4"
        if found := _UNKNOWN.fullmatch(message):
            remedy = "options begin with --, and a text with spaces needs quotes around it"
            return f"unexpected argument `{found['words']}`", remedy
        return message, ""

    def _find_strange_flag(self) -> str | None:
        flags = self._list_flags()
        has_commands = any(one.nargs == argparse.PARSER for one in self._actions)
        for word in self._typed:
            if word == "--" or (has_commands and not word.startswith("-")):
                return None
            name = word.partition("=")[0]
            is_flag = name.startswith("--") or name in ("-v", "-V")
            if is_flag and not any(flag.startswith(name) for flag in flags):
                return name
        return None

    def _explain_flag(self, word: str) -> tuple[str, str]:
        from phenesthe.diagnostics.suggest import closest

        flags = self._list_flags()
        if owner := self._find_owner(word):
            return (
                f"the command is missing before `{word}`",
                f"`{word}` is an option of `{owner}`: {self.prog} {owner} …",
            )
        meant = _MEANT.get(word) if _MEANT.get(word) in flags else closest(word, flags)
        remedy = f"did you mean `{meant}`?" if meant else f"`{self.prog} --help` lists them all"
        return f"there is no option `{word}`", remedy

    def _find_owner(self, flag: str) -> str | None:
        """The command that has a flag, where no command was given."""
        for action in self._actions:
            if isinstance(action.choices, dict):
                for name in ("run", *action.choices):
                    command = action.choices.get(name)
                    if isinstance(command, Parser) and flag in command._list_flags():
                        return str(name)
        return None

    def _explain_loose_value(self, message: str) -> tuple[str, str] | None:
        """`--param limit 2` for `--param limit=2`."""
        found = _UNKNOWN.fullmatch(message)
        if found is None or "--param" not in self._typed:
            return None
        at = len(self._typed) - 1 - self._typed[::-1].index("--param")
        pair = self._typed[at + 1 : at + 3]
        if len(pair) != 2 or "=" in pair[0] or pair[1] != found["words"].split()[0]:
            return None
        name, value = pair
        return (
            f"--param takes NAME=VALUE, not `{name}` and `{value}`",
            f"write --param {name}={value}",
        )

    def _find_extra(self) -> str | None:
        """A word that belongs to no option and to nothing else: `run ships.phe data`."""
        places = [one for one in self._actions if not one.option_strings]
        if any(one.nargs is not None for one in places):
            return None
        takes = {flag for one in self._actions if one.nargs is None for flag in one.option_strings}
        many = {
            flag for one in self._actions if one.nargs in ("+", "*") for flag in one.option_strings
        }
        if not many.isdisjoint(self._typed):
            return None
        words = zip(("", *self._typed), self._typed, strict=False)
        loose = [word for before, word in words if word[:1] != "-" and before not in takes]
        return loose[-1] if len(loose) == len(places) + 1 else None

    def _explain_choice(self, name: str, word: str) -> tuple[str, str]:
        from phenesthe.diagnostics.suggest import closest

        action = next(one for one in self._actions if _name(one) == name)
        choices = [str(one) for one in action.choices or ()]
        if name == "COMMAND" and word in _MEANT:
            return f"there is no command `{word}`", f"did you mean `{self.prog} {_MEANT[word]}`?"
        meant = closest(word, choices)
        remedy = f"choose one of {', '.join(choices)}"
        if len(choices) == 2:
            remedy = f"choose {' or '.join(choices)}; {self._describe(name)}"
        if meant:
            remedy = f"did you mean `{meant}`?"
        if not action.option_strings:
            return f"there is no {name.lower()} `{word}`", remedy
        return f"{name} cannot be `{word}`", remedy

    def _describe(self, name: str) -> str:
        """What belongs there."""
        action = next((one for one in self._actions if _name(one) == name), None)
        if action is None:
            return ""
        if action.help:
            return f"{name}: {action.help}"
        return f"there is {', '.join(map(str, action.choices or ()))}"

    def _list_flags(self) -> list[str]:
        self.complete()
        return [flag for one in self._actions for flag in one.option_strings]

    def _example(self) -> str:
        """Only what must be given; the rest is in the help."""
        parts = [self.prog, *self._list_required()]
        if self._list_flags() != ["-h", "--help"]:
            parts.append("[OPTIONS]")
        return f"{' '.join(parts)}   (see {self.prog} --help)"

    def _list_required(self) -> Iterator[str]:
        for one in self._actions:
            if not one.option_strings:
                yield str(one.metavar)
        for one in self._actions:
            if one.option_strings and one.required:
                yield f"{one.option_strings[-1]} {one.metavar}"


def _name(action: argparse.Action) -> str:
    return "/".join(action.option_strings) or str(action.metavar)
