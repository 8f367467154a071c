# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what the picture of the house shows: the rooms of cmake/layers.txt, and from docs/architecture.md what each layer is for
and the steps of the questions that go through it."""
import collections
import re

# `uses` are the rooms and layers that the room may include, as cmake/layers.txt lists them.
Room = collections.namedtuple("Room", "name layer uses")
Step = collections.namedtuple("Step", "number function path")


def layer_of(name):
    return name.split("/")[0]


def read_rooms(text):
    """Returns the rooms of a file of layers in their order. Rooms of test support, which are not shipped, are left out."""
    rooms = []
    for line in text.splitlines():
        name, colon, uses = line.split("#")[0].partition(":")
        if colon and not name.endswith("/testing"):
            rooms.append(Room(name.strip(), layer_of(name.strip()), uses.split()))
    return rooms


def read_purposes(page):
    """Returns what each layer is for, from headings of the form `### core: what a layout means`."""
    return dict(re.findall(r"^### (\w+): (.*)$", page, re.MULTILINE))


def read_ways(page):
    """Returns the steps per question, from tables whose rows are of the form | 1 | `Function` | `path` | ... |."""
    ways = []
    for number, function, path in re.findall(r"^\| (\d+) \| `([\w:]+)` \| `([\w/.]+)` \|", page, re.MULTILINE):
        if number == "1":
            ways.append([])
        ways[-1].append(Step(int(number), function, path))
    return ways


def room_of(path, rooms):
    """Returns the name of the room in which a file lies, or None."""
    folder = "/".join(path.split("/")[:2]) if path.count("/") > 1 else layer_of(path)
    return folder if any(room.name == folder for room in rooms) else None


def heights(uses):
    """Returns the height of each key of `uses`: 0 if it uses no other key, otherwise one more than the highest that it uses."""
    found = {}

    def height(name):
        if name not in found:
            found[name] = 1 + max((height(used) for used in uses[name]), default=-1)
        return found[name]

    for name in uses:
        height(name)
    return found


def layer_uses(rooms):
    """Returns per layer the layers that it uses, each with the names of the rooms that it may include there. Leaves out a layer
    of which it uses nothing that the other layers which it uses do not use themselves, directly or by others."""
    own = {room.layer: {} for room in rooms}
    for room in rooms:
        for used in room.uses:
            if layer_of(used) != room.layer:
                names = {other.name for other in rooms if used in (other.name, other.layer)}
                own[room.layer].setdefault(layer_of(used), set()).update(names)
    closures = {}

    def closure(layer):
        """Returns the rooms that the layer uses, directly or by others."""
        if layer not in closures:
            closures[layer] = set().union(*own[layer].values(), *(closure(used) for used in own[layer]))
        return closures[layer]

    return {layer: {used: names for used, names in uses.items()
                    if not names <= set().union(*(closure(other) for other in uses if other != used))}
            for layer, uses in own.items()}


def rooms_in_short(rooms, layer, names):
    """Returns the names of rooms of a layer without that of the layer, or an empty text for all of its rooms."""
    if {room.name for room in rooms if room.layer == layer} <= names:
        return ""
    return ", ".join(sorted(name.split("/")[-1] for name in names))
