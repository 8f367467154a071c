#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that docs/architecture.svg is what architecture_picture.py draws, and that the steps of docs/architecture.md name
functions that are in their files."""
import re
import unittest
import xml.etree.ElementTree

import architecture_picture
from architecture_picture import ROOT, House, badge_text, picture
from cpp_functions import functions
from house import Room, Step, heights, layer_uses, read_purposes, read_rooms, read_ways, room_of, rooms_in_short

SVG = "{http://www.w3.org/2000/svg}"
LAYERS = """# A comment: none of these are rooms.
ground/stone:
ground/sand:      ground/stone
ground/testing:
wall:             ground/stone
cellar/wine:      ground
roof/tiles:       ground cellar/wine wall
roof/chimney:     roof/tiles wall
"""


def missing(ways, root=ROOT):
    """Returns the steps whose file has no function of that name with a body."""
    bad = []
    for step in (step for way in ways for step in way):
        path = root / step.path
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        parts = step.function.split("::")
        defined = any(function.name.split("::")[-1] == parts[-1] for function in functions(text))
        if not defined or not all(re.search(rf"\b{part}\b", text) for part in parts):
            bad.append(step)
    return bad


class Picture(unittest.TestCase):
    def test_is_up_to_date(self):
        drawn = (ROOT / "docs/architecture.svg").read_text(encoding="utf-8")
        self.assertTrue(drawn == picture(), "docs/architecture.svg is out of date: run tools/architecture_picture.py")

    def test_shows_every_room_once_inside_of_the_picture(self):
        tree = xml.etree.ElementTree.fromstring(picture())
        width, height = float(tree.get("width")), float(tree.get("height"))
        shown = [text.text for text in tree.iter(SVG + "text") if text.get("class") == "room"]
        rooms = read_rooms((ROOT / "cmake/layers.txt").read_text(encoding="utf-8"))
        self.assertEqual(sorted(shown), sorted(room.name.split("/")[-1] for room in rooms))
        self.assertGreater(len(shown), 40)
        boxes = []
        for box in tree.iter(SVG + "rect"):
            left, top, wide, high = (float(box.get(name)) for name in ("x", "y", "width", "height"))
            self.assertTrue(0 <= left and 0 <= top and left + wide <= width and top + high <= height)
            if "brick" in box.get("class").split():
                boxes.append((left, top, left + wide, top + high))
        self.assertEqual(len(boxes), len(shown))
        for k, (left, top, right, bottom) in enumerate(boxes):
            for other in boxes[:k]:
                self.assertTrue(right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top)

    def test_names_trusted_rooms_that_exist(self):
        rooms = read_rooms((ROOT / "cmake/layers.txt").read_text(encoding="utf-8"))
        for name in architecture_picture.TRUSTED:
            self.assertTrue(any(name in (room.name, room.layer) for room in rooms), name)

    def test_arrows_that_pass_a_row_miss_its_layers(self):
        house = House(read_rooms(LAYERS), {"roof": "keeps rain & snow out"}, [])
        boxes = [box for row in house.rows for box in row]
        self.assertEqual(sorted(box.layer for box in boxes if box.layer), ["cellar", "ground", "roof", "wall"])
        for row in house.rows:
            for left, right in zip(row, row[1:]):
                self.assertLess(left.right, right.left)
        self.assertIn("rain &amp; snow", house.draw())

    def test_badges_are_short(self):
        self.assertEqual(badge_text([1, 3, 4, 5, 9, 10]), "1,3-5,9-10")


class Rooms(unittest.TestCase):
    def test_a_layer_of_which_others_use_only_a_part_has_an_arrow_of_its_own(self):
        rooms = read_rooms("low/a:\nlow/b:\nmiddle: low/a\nhigh: low middle\n")
        self.assertEqual(layer_uses(rooms)["high"], {"low": {"low/a", "low/b"}, "middle": {"middle"}})

    def test_are_read(self):
        rooms = read_rooms(LAYERS)
        self.assertEqual(rooms[0], Room("ground/stone", "ground", []))
        self.assertEqual([room.name for room in rooms],
                         ["ground/stone", "ground/sand", "wall", "cellar/wine", "roof/tiles", "roof/chimney"])
        uses = layer_uses(rooms)
        self.assertEqual(uses, {"ground": {}, "wall": {"ground": {"ground/stone"}},
                                "cellar": {"ground": {"ground/stone", "ground/sand"}},
                                "roof": {"cellar": {"cellar/wine"}, "wall": {"wall"}}})
        self.assertEqual(heights(uses), {"ground": 0, "wall": 1, "cellar": 1, "roof": 2})
        self.assertEqual(rooms_in_short(rooms, "ground", {"ground/stone"}), "stone")
        self.assertEqual(rooms_in_short(rooms, "ground", {"ground/stone", "ground/sand"}), "")
        self.assertEqual(room_of("ground/sand/grain.cc", rooms), "ground/sand")
        self.assertEqual(room_of("wall/brick.cc", rooms), "wall")
        self.assertIsNone(room_of("garden/tree.cc", rooms))


class Page(unittest.TestCase):
    def setUp(self):
        self.page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")

    def test_every_layer_has_a_purpose(self):
        purposes = read_purposes(self.page)
        for room in read_rooms((ROOT / "cmake/layers.txt").read_text(encoding="utf-8")):
            self.assertIn(room.layer, purposes)

    def test_steps_name_functions_that_are_in_their_files(self):
        ways = read_ways(self.page)
        self.assertEqual(len(ways), 2)
        rooms = read_rooms((ROOT / "cmake/layers.txt").read_text(encoding="utf-8"))
        for way in ways:
            self.assertGreaterEqual(len(way), 10)
            self.assertEqual([step.number for step in way], list(range(1, len(way) + 1)))
            for step in way:
                self.assertIsNotNone(room_of(step.path, rooms), step)
        self.assertEqual(missing(ways), [], "docs/architecture.md: these steps name a file or a function that is not there")

    def test_a_wrong_step_is_noticed(self):
        wrong = [Step(1, "PlanChecks", "cli/run/check_plan.cc"), Step(2, "PlanCheck", "cli/run/no_plan.cc"),
                 Step(3, "NoClass::Compile", "core/tiling/tiled_index_program.h")]
        self.assertEqual(missing([wrong]), wrong)


if __name__ == "__main__":
    unittest.main()
