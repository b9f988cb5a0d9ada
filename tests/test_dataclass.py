"""Frozen dataclasses of our own against those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import pkgutil
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, field, fields, replace
from importlib import import_module
from typing import Any, ClassVar

import pytest

import viewer
from viewer import dataclass as ours

MAKERS: list[Any] = [dataclasses.dataclass, ours.dataclass]


def point(maker: Callable[..., Any], **options: Any) -> Any:
    """A class with a field of every kind."""

    @maker(frozen=True, slots=True, **options)
    class Point:
        """Where."""

        KINDS: ClassVar[int] = 2
        x: float
        y: float = 2.0
        tags: list[str] = field(default_factory=list, compare=False)
        hidden: int = field(default=7, repr=False)
        made: str = field(default="here", init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "hidden", self.hidden + 1)

        @property
        def sum(self) -> float:
            return self.x + self.y

    return Point


def plain(maker: Callable[..., Any]) -> Any:
    """A class whose fields are set by arguments, defaults and factories."""

    @maker(frozen=True, slots=True)
    class Plain:
        name: str
        size: int = 1
        tags: list[str] = field(default_factory=list)

        def __post_init__(self) -> None:
            self.tags.append(self.name)

    return Plain


@pytest.fixture(params=MAKERS, ids=["standard", "ours"])
def cls(request: pytest.FixtureRequest) -> Any:
    return point(request.param)


def test_made_by_place_and_by_name_with_defaults(cls: Any) -> None:
    one = cls(1.0, tags=["a"])
    assert (one.x, one.y, one.tags, one.hidden, one.made, one.sum) == (1.0, 2.0, ["a"], 8, "here", 3.0)
    assert cls(1.0).tags is not cls(1.0).tags
    assert [each.name for each in fields(cls)] == ["x", "y", "tags", "hidden", "made"]
    with pytest.raises(TypeError):
        cls()
    with pytest.raises(TypeError):
        cls(1.0, made="there")


def test_nothing_can_be_set_or_deleted(cls: Any) -> None:
    one = cls(1.0)
    with pytest.raises(FrozenInstanceError, match="'x'"):
        one.x = 2.0
    with pytest.raises(FrozenInstanceError, match="'y'"):
        del one.y
    assert not hasattr(one, "__dict__")


def test_equal_and_hashed_by_what_is_compared(cls: Any) -> None:
    assert cls(1.0, tags=["a"]) == cls(1.0) and cls(1.0) != cls(2.0) and cls(1.0) != (1.0, 2.0)
    assert len({cls(1.0), cls(1.0), cls(3.0)}) == 2


def test_written_out_alike() -> None:
    texts = [repr(point(maker)(1.0, 3.0)).rpartition("<locals>.")[2] for maker in MAKERS]
    assert texts[0] == texts[1] == "Point(x=1.0, y=3.0, tags=[], made='here')"


@pytest.mark.parametrize("replace", [replace, ours.replace], ids=["standard", "ours"])
@pytest.mark.parametrize("maker", MAKERS)
def test_replaced_values_stand_in_a_copy(maker: Any, replace: Any) -> None:
    one = plain(maker)("a", 3, ["b"])
    other = replace(one, size=4)
    assert (other.name, other.size, other.tags) == ("a", 4, ["b", "a", "a"]) and one.size == 3
    assert other.tags is one.tags and type(other) is type(one)
    with pytest.raises(TypeError):
        replace(one, wrong=1)
    special = point(maker)(1.0)
    assert replace(special, y=5.0).y == 5.0
    with pytest.raises(ValueError, match="init=False"):
        replace(special, made="there")


def test_plain_fields_are_told_with_their_defaults() -> None:
    found = ours.plain_fields(plain(ours.dataclass))
    assert list(found) == ["name", "size", "tags"]
    assert found["name"] is dataclasses.MISSING and found["size"] == 1
    assert found["tags"].default_factory is list


def test_a_special_field_of_a_class_below_is_not_lost_when_values_are_replaced() -> None:
    @ours.dataclass(frozen=True, slots=True)
    class Below(plain(ours.dataclass)):  # type: ignore[misc]
        made: str = field(default="here", init=False)

    assert ours.replace(Below("a"), size=2).made == "here"


def test_copied_and_taken_apart(cls: Any) -> None:
    assert replace(cls(1.0), y=5.0).y == 5.0
    one = cls(1.0, tags=["a"])
    other = copy.deepcopy(one)
    assert other == one and other.tags == ["a"] and other.tags is not one.tags
    assert copy.copy(one) == one
    match one:
        case cls(x, y):
            assert (x, y) == (1.0, 2.0)
        case _:
            raise AssertionError


@pytest.mark.parametrize("maker", MAKERS)
def test_without_eq_each_is_itself(maker: Any) -> None:
    made = point(maker, eq=False)
    one = made(1.0)
    assert one != made(1.0) and hash(one) == hash(one) and len({one, made(1.0)}) == 2


@pytest.mark.parametrize("maker", MAKERS)
def test_methods_of_the_class_s_own_stay(maker: Any) -> None:
    @maker(frozen=True)
    class Loud:
        name: str

        def __repr__(self) -> str:
            return self.name.upper()

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

    assert repr(Loud("a")) == "A" and Loud("a") == Loud("b") and hash(Loud("a")) == 5


@pytest.mark.parametrize("slots", [True, False])
@pytest.mark.parametrize("maker", MAKERS)
def test_inherited_fields_come_first(maker: Any, slots: bool) -> None:
    @maker(slots=slots)
    class Place:
        x: float
        y: float = 1.0

    @maker(slots=True)
    class Mark(Place):
        y: float = 2.0
        name: str = "?"

    assert repr(Mark(0.0)).endswith("Mark(x=0.0, y=2.0, name='?')")
    assert Mark(0.0, 3.0, "a") == Mark(0.0, name="a", y=3.0)


@pytest.mark.parametrize("maker", MAKERS)
def test_one_that_can_be_set_is_compared_but_not_hashed(maker: Any) -> None:
    @maker(slots=True)
    class Counter:
        count: int = 0
        later: int = field(init=False)

        def __post_init__(self) -> None:
            self.later = self.count + 1

    one = Counter()
    one.count = 5
    assert one != Counter() and one.later == 1 and replace(one) == Counter(5)
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_fields_are_known_before_there_is_an_object(cls: Any) -> None:
    assert [each.name for each in fields(cls)] == ["x", "y", "tags", "hidden", "made"]
    assert cls.__match_args__ == ("x", "y", "tags", "hidden")


@pytest.mark.parametrize("maker", MAKERS)
def test_an_empty_one_and_one_of_a_single_field(maker: Any) -> None:
    @maker(frozen=True, slots=True)
    class Nothing:
        pass

    @maker(frozen=True, slots=True)
    class One:
        items: tuple[int, ...]

    assert Nothing() == Nothing() and len({Nothing(), Nothing()}) == 1
    assert One((1,)) == One((1,)) != One((2,)) and len({One((1,)), One((1,))}) == 1


@ours.dataclass(frozen=True, slots=True)
class Sample:
    """Pickled by its module."""

    name: str
    sizes: tuple[int, ...] = ()


def test_pickled_and_back() -> None:
    assert pickle.loads(pickle.dumps(Sample("a", (1, 2)))) == Sample("a", (1, 2))


def test_a_standard_one_may_inherit() -> None:
    @dataclasses.dataclass(frozen=True)
    class More(Sample):
        more: int = 0

    assert (More("a").name, More("a", more=3).more) == ("a", 3)


@pytest.mark.parametrize("maker", MAKERS)
def test_weak_references_only_with_their_slot(maker: Any) -> None:
    seen = point(maker, weakref_slot=True)(1.0)
    assert weakref.ref(seen)() is seen
    with pytest.raises(TypeError, match="weak reference"):
        weakref.ref(point(maker)(1.0))


@pytest.mark.parametrize("maker", MAKERS)
def test_a_frozen_class_is_inherited_by_frozen_ones_alone(maker: Any) -> None:
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):

        @maker(slots=True)
        class Loose(point(maker)):  # type: ignore[misc]
            z: float = 0.0

        Loose(1.0)


@pytest.mark.parametrize("maker", MAKERS)
def test_an_inherited_init_and_one_of_the_class_s_own(maker: Any) -> None:
    @maker(slots=True)
    class Base:
        x: float

    class Plain(Base):
        pass

    @maker(slots=True)
    class Own(Base):
        y: float = 0.0

        def __init__(self, both: float) -> None:
            Base.__init__(self, both)
            self.y = both

    assert Plain(1.0).x == 1.0 and (Own(3.0).x, Own(3.0).y) == (3.0, 3.0)


def test_nothing_is_compiled_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    standard = dataclasses.dataclass

    def counting(**options: Any) -> Any:
        asked.append(options.get("repr", True))
        return standard(**options)

    monkeypatch.setattr(dataclasses, "dataclass", counting)
    cls = point(ours.dataclass)
    assert asked == []
    first = cls(1.0)
    assert asked == [False], "`__init__` alone"
    assert first == cls(1.0) and hash(first) == hash(cls(1.0)) and repr(first)
    assert asked == [False, True], "all the rest at once"


def test_the_first_objects_of_a_plain_class_compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cls = plain(ours.dataclass)
    monkeypatch.setattr(dataclasses, "dataclass", lambda **_: pytest.fail("it compiles"))
    made = [cls("a", size=number) for number in range(ours.FEW)]
    assert [(each.name, each.size, each.tags) for each in made] == [("a", n, ["a"]) for n in range(ours.FEW)]
    monkeypatch.undo()
    assert cls("b") == replace(made[1], name="b", tags=[]), "the next object is of the same class"


def test_plain_objects_are_compared_hashed_and_protected_without_compiling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @ours.dataclass(frozen=True, slots=True)
    class Named:
        name: str

    @ours.dataclass(frozen=True, slots=True)
    class Sized(Named):
        size: int = 1

    monkeypatch.setattr(dataclasses, "dataclass", lambda **_: pytest.fail("it compiles"))
    one = Sized("a", 2)
    assert one == Sized("a", size=2) and one != Sized("a") and one != Named("a")
    assert {one: 1}[Sized("a", 2)] == 1 and hash(Named("a")) == hash(("a",))
    assert Sized.__match_args__ == ("name", "size")
    with pytest.raises(FrozenInstanceError, match="'size'"):
        one.size = 3
    with pytest.raises(FrozenInstanceError, match="'name'"):
        del one.name


@pytest.mark.parametrize("number", [0, 2 * ours.FEW])
@pytest.mark.parametrize("frozen", [True, False])
def test_many_objects_are_as_those_of_the_standard_library(frozen: bool, number: int) -> None:
    texts = []
    for maker in MAKERS:

        @maker(slots=True, frozen=frozen)
        class Base:
            x: int
            tags: list[int] = field(default_factory=list)

        @maker(slots=True, frozen=frozen)
        class Derived(Base):
            y: int = 3

            def __post_init__(self) -> None:
                self.tags.append(self.y)

        for _ in range(number):
            Derived(0)
        made = [Derived(1), Derived(1, [7]), Derived(y=5, x=1), copy.deepcopy(Derived(1, [7], 2))]
        assert made[0] == Derived(1, [], 3) != made[1] and made[0].tags is not Derived(1).tags
        with pytest.raises(TypeError, match=r"__init__\(\) missing"):
            Derived()
        texts.append([repr(each).rpartition("<locals>.")[2] for each in made])
    assert texts[0] == texts[1]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(
    ("values", "named"), [((), {}), (("a", 1, [], 4), {}), (("a",), {"name": "b"}), (("a",), {"depth": 1})]
)
def test_the_first_objects_refuse_wrong_arguments(
    maker: Any, values: tuple[Any, ...], named: dict[str, Any]
) -> None:
    with pytest.raises(TypeError, match="__init__"):
        plain(maker)(*values, **named)


def test_threads_may_use_a_class_for_the_first_time_at_once() -> None:
    for _ in range(20):
        cls, made = point(ours.dataclass), []
        ready = threading.Barrier(4)

        def use(cls: Any = cls, made: list[Any] = made, ready: threading.Barrier = ready) -> None:
            ready.wait()
            made.append((cls(1.0), fields(cls)[0].name, cls.__match_args__[1]))

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [(cls(1.0), "x", "y")] * 4


def lazy_classes() -> Iterator[type]:
    """All classes of the program that have slots, but for `viewer.window`, whose import needs a display."""
    for module in pkgutil.walk_packages(viewer.__path__, "viewer."):
        if not module.name.startswith(("viewer.window", "viewer.__main__")):
            for each in vars(import_module(module.name)).values():
                own = vars(each) if isinstance(each, type) and each.__module__ == module.name else {}
                if {"__slots__", "__dataclass_fields__"} <= own.keys():
                    yield each


def test_every_class_of_the_program_is_one_for_the_standard_library() -> None:
    found = list(lazy_classes())
    assert len(found) > 150
    for each in found:
        compiled = set(each.__match_args__)  # type: ignore[attr-defined]
        with pytest.raises(TypeError):
            each(*range(99))  # the loop of the first objects gives way to what is compiled
        taken = list(inspect.signature(each).parameters)
        assert taken == [known.name for known in fields(each) if known.init], each
        assert compiled == set(taken), each
