"""What happens to a text while somebody types: keys, lines that move, names that change."""

import re
from random import Random

_KEYS = 'abvVX_01.;:,(){}~><="/*\\⊔∧ \n\r\t'
_WORDS = re.compile(r"\w+")
_TOKENS = (
    "int", "float", "str", "bool", "event", "state", "dynamic", "input", "fact", "param", "V", "W",
    "S", "_", "0", "-1", "2.5", "10m", "0s", "1ms", "and", "or", "not", "union", "before", "after",
    "patience", "ais", "slow", "sailing", "in_port", "millisecond", "second", "where", "fishing",
)  # fmt: skip
_SNIPPETS = (
    "import harbour;\n", "import missing;\n", "unit millisecond;\n", "/*", "*/", '"', "///", "};",
    "/// doc\n", "event extra(V) : slow(V);\n", "param patience: int = 0;\n", "\n\n\n", " // n\n",
    "input event late(vessel: int);\n", "event own(V) : own(V);\n", " where S > 3", " within 5m",
    "event (V) : ;\n", "state ab(V) : slow(V) then fast(V);", "param waiting: str = x;\n",
)  # fmt: skip


def edit(text: str, random: Random) -> str:
    """One small change, most of the time one that leaves the rest of the text as it was."""
    change = random.choice(
        (_type_key, _type_key, _delete, _change_word, _change_word, _rename, _insert, _move_line,
         _drop_line, _repeat_line)
    )  # fmt: skip
    return change(text, random)


def _type_key(text: str, random: Random) -> str:
    at = random.randint(0, len(text))
    return text[:at] + random.choice(_KEYS) + text[at + random.choice((0, 0, 1)) :]


def _delete(text: str, random: Random) -> str:
    at = random.randint(0, len(text))
    return text[:at] + text[at + random.choice((1, 1, 2, 5, 30)) :]


def _change_word(text: str, random: Random) -> str:
    words = list(_WORDS.finditer(text))
    if not words:
        return text
    word = random.choice(words)
    return text[: word.start()] + random.choice(_TOKENS) + text[word.end() :]


def _rename(text: str, random: Random) -> str:
    words = sorted(set(_WORDS.findall(text)))
    if not words:
        return text
    return re.sub(rf"\b{random.choice(words)}\b", random.choice((*words, "renamed")), text)


def _insert(text: str, random: Random) -> str:
    snippet = random.choice(_SNIPPETS)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    at = random.choice(starts) if "\n" in snippet else random.randint(0, len(text))
    return text[:at] + snippet + text[at:]


def _move_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    line = lines.pop(random.randrange(len(lines)))
    lines.insert(random.randint(0, len(lines)), line)
    return "".join(lines)


def _drop_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        lines.pop(random.randrange(len(lines)))
    return "".join(lines)


def _repeat_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        lines.insert(random.randint(0, len(lines)), random.choice(lines))
    return "".join(lines)
