"""The part of PyYAML that scenograph.scene.strict_yaml uses; the package carries no types."""

from collections.abc import Iterator

class Mark:
    line: int
    column: int

class YAMLError(Exception): ...

class MarkedYAMLError(YAMLError):
    problem: str | None
    problem_mark: Mark | None

class Event:
    start_mark: Mark

class NodeEvent(Event):
    anchor: str | None

class AliasEvent(NodeEvent): ...

class ScalarEvent(NodeEvent):
    tag: str | None
    implicit: tuple[bool, bool]
    value: str
    style: str | None

class CollectionStartEvent(NodeEvent):
    tag: str | None
    implicit: bool

class SequenceStartEvent(CollectionStartEvent): ...
class MappingStartEvent(CollectionStartEvent): ...
class SequenceEndEvent(Event): ...
class MappingEndEvent(Event): ...
class DocumentStartEvent(Event): ...
class DocumentEndEvent(Event): ...
class SafeLoader: ...

def parse(stream: str, Loader: type[SafeLoader] = ...) -> Iterator[Event]: ...  # noqa: N803
