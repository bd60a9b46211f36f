"""Names for `_` where its values tell rows apart: no variable can be called like that."""


def name_anonymous(number: int) -> str:
    return f"_ {number}"


def is_anonymous(name: str) -> bool:
    return name.startswith("_ ")
