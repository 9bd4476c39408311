"""What stands at first in the places of a template: what the workspace has, or nothing where a list will open."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from atl.ide.completing.request import Request
from atl.ide.snippets import Pieces, Stop

__all__ = ["begun", "entity_label", "filled", "job_label", "opened"]

_MOST = 30
"""How many names one place offers: a longer list is better searched by typing."""


def filled(request: Request, pieces: Pieces) -> Pieces:
    """A template with the workspace's own names in its places, as choices where there are several."""
    return tuple(_filled(request, piece) if isinstance(piece, Stop) else piece for piece in pieces)


def _filled(request: Request, stop: Stop) -> Stop:
    find = _FOUND.get(stop.text)
    names = tuple(dict.fromkeys(find(request)))[:_MOST] if find is not None else ()
    if not names:
        return stop
    return stop._replace(text=names[0], choices=names if len(names) > 1 else ())


def opened(pieces: Pieces) -> Pieces:
    """A template whose places are empty where completion knows what belongs there: a word that stands there already
    hides the list, and an opening quote would be put around it."""
    return tuple(
        piece._replace(text="") if isinstance(piece, Stop) and piece.text in _LISTED else piece for piece in pieces
    )


def begun(pieces: Pieces) -> Pieces:
    """A template up to where completion offers a whole call, step or path, which brings the rest with it."""
    first = [piece.text if isinstance(piece, Stop) else piece for piece in pieces[:2]]
    return (pieces[0], Stop(0)) if first in _BROUGHT else pieces


_BROUGHT = (["enqueue ", "Job"], ["job ", "Job"], ["compensate ", "step"], ["references ", "namespace"])
_LISTED = frozenset(("Job", "field", "value", "condition", "predicate", "default", "*", "0 * * * *"))


def entity_label(request: Request, namespace: str, name: str) -> str:
    """As short as it can be written here."""
    bare = namespace == request.scope.namespace or request.entity_counts[name] == 1
    return name if bare else f"{namespace}.{name}"


def job_label(request: Request, namespace: str, name: str) -> str:
    return name if namespace == request.scope.namespace else f"{namespace}.{name}"


def _entities(request: Request) -> Iterator[str]:
    """The owner first, then those of the namespaces that are near."""
    owner = request.owner
    if owner is not None:
        yield entity_label(request, owner.namespace, owner.name)
    rank = {namespace: at for at, namespace in enumerate(request.namespaces)}
    for namespace, name in sorted(request.names("entity"), key=lambda each: rank.get(each[0], len(rank))):
        yield entity_label(request, namespace, name)


def _key(request: Request) -> Iterator[str]:
    """The owner's row that an input names."""
    key = request.owner.key if request.owner is not None else ()
    if len(key) == 1 and any(field.name == key[0] for field in request.inputs):
        yield f"{key[0]} = ${key[0]}"


_FOUND: dict[str, Callable[[Request], Iterator[str]]] = {
    "namespace": lambda request: iter(request.namespaces),
    "Entity": _entities,
    "condition": _key,
}
