"""The world around a virtual board: scripted instants, in real and in virtual time."""

from firmware_protocol.board.pins import default_pins
from firmware_protocol.virtual.machine import VirtualMachine
from firmware_protocol.virtual.world import World


def watched(world: World, name: str = "trigger") -> list[tuple[int, int]]:
    seen: list[tuple[int, int]] = []
    world.watch(
        lambda changed, t_us: seen.append((t_us, world.level(name))) if changed == name else None
    )
    return seen


def test_edges_arrive_in_the_order_of_their_times() -> None:
    world = World()
    seen = watched(world)
    world.schedule([(5000, "trigger", 0), (1000, "trigger", 1)])
    world.advance(10_000)
    assert seen == [(1000, 1), (5000, 0)]


def test_edges_of_one_instant_keep_their_order() -> None:
    world = World()
    seen = watched(world)
    world.schedule([(10, "trigger", 1), (10, "trigger", 0), (10, "trigger", 1)])
    world.advance(10)
    assert [level for _, level in seen] == [1, 0, 1]


def test_a_level_that_does_not_change_is_no_edge() -> None:
    world = World()
    seen = watched(world)
    world.schedule([(10, "trigger", 0), (20, "trigger", 1), (30, "trigger", 1)])
    world.advance(50)
    assert seen == [(20, 1)]


def test_a_poll_that_comes_late_in_real_time_still_delivers_the_scripted_instant() -> None:
    outside = [1_000_000]
    world = World(lambda: outside[0])
    seen = watched(world)
    assert world.schedule([(300, "trigger", 1)]) == 0
    assert world.until_next_us() == 300
    outside[0] += 70_000
    assert world.until_next_us() == 0
    assert world.ticks_us() == 70_000
    assert seen == [(300, 1)]
    assert world.until_next_us() == -1


def test_ticks_wrap_as_on_the_chip() -> None:
    world = World(start_us=2**30 - 5)
    world.advance(10)
    assert world.ticks_us() < 100


def test_a_pin_shows_the_electrical_level_of_its_channel() -> None:
    pins = default_pins()
    world = World()
    machine = VirtualMachine(world, pins, 1)
    trigger, hit = machine.Pin(pins.pin("trigger"), 0), machine.Pin(pins.pin("hit"), 0)
    assert (trigger.value(), hit.value()) == (1, 0)
    world.set_level("trigger", 1)
    world.set_level("hit", 1)
    assert (trigger.value(), hit.value()) == (0, 1)


def test_the_machine_knows_its_number_and_its_reset() -> None:
    machine = VirtualMachine(World(), default_pins(), 0xE66011, cause=3)
    assert machine.unique_id() == bytes.fromhex("0000000000e66011")
    assert machine.reset_cause() == machine.WDT_RESET


def test_a_world_is_still_since_the_last_change_of_a_pin() -> None:
    world = World()
    world.advance(50)
    assert world.still_for_us() == 50
    world.schedule([(10, "trigger", 1), (30, "trigger", 1)])
    world.advance(40)
    assert world.still_for_us() == 30
