#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws docs/architecture.svg, the picture of the house: the layers and rooms of cmake/layers.txt, and the ways of the questions
of docs/architecture.md through them.

  tools/architecture_picture.py            writes docs/architecture.svg
  tools/architecture_picture.py --stdout   prints it
"""
import html
import itertools
import pathlib
import sys

from house import heights, layer_uses, read_purposes, read_rooms, read_ways, room_of, rooms_in_short

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRUSTED = ["solver/certificate", "solver/terms", "verify"]  # rooms, and layers with all their rooms, that check proofs

# Sizes in pixels.
WIDTH, MARGIN = 1000, 24
BRICK, GAP = 28, 7  # height of a room; space between rooms
PADDING, TITLE = 14, 30  # of a layer: space around its rooms; height of its title
CHANNEL, BETWEEN = 44, 22  # space for arrows between rows of layers; space between layers of a row
LANE = 18  # width of an arrow that passes a row
BADGE = 17  # height of a badge, and its width with one digit
CHARACTER, SMALL = 7.3, 6.4  # width of a character of a room's name; of other text

STYLE = """
text{font:13px system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:#1f2328}
.room{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}
.layer{font-size:16px;font-weight:bold}.faint{fill:#59636e}.note{font-size:11.5px;fill:#59636e}
.page{fill:#fff;stroke:#d1d9e0}.wall{fill:#f3f6fa;stroke:#b6c2cf}.brick{fill:#fff;stroke:#b6c2cf}
.trusted{fill:#dcf3e3;stroke:#2f8f4e}.arrow{fill:none;stroke:#59636e;stroke-width:1.6}.head{fill:#59636e}
.way0{fill:#0b63ce}.way1{fill:#b4461e}.badge{font-size:10.5px;font-weight:bold;fill:#fff;text-anchor:middle}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.faint,.note{fill:#9aa7b5}.page{fill:#10151b;stroke:#30363d}.wall{fill:#18202a;stroke:#3b4754}
.brick{fill:#252f3b;stroke:#4b5866}.trusted{fill:#173d26;stroke:#3fa163}.arrow{stroke:#9aa7b5}.head{fill:#9aa7b5}
.way0{fill:#2f81f7}.way1{fill:#d2632f}.badge{fill:#fff}}
"""


class Box:
    """A layer, or the place at which an arrow passes a row (a lane); `left` and `width` are set by the layout."""

    def __init__(self, layer=None, natural=LANE, height=0):
        self.layer, self.natural, self.height = layer, natural, height
        self.left, self.width, self.top = 0.0, natural, 0.0

    @property
    def center(self):
        return self.left + self.width / 2

    @property
    def right(self):
        return self.left + self.width


def is_trusted(name):
    return name in TRUSTED or name.split("/")[0] in TRUSTED


def label_of(name):
    return name.split("/")[-1]


def badge_text(numbers):
    """Returns the numbers of steps in short: 8-10 for 8, 9 and 10."""
    runs = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def badge_width(text):
    return BADGE + SMALL * (len(text) - 1)


class House:
    """The picture: its layers as boxes in rows, each with its rooms as rows of bricks."""

    def __init__(self, rooms, purposes, ways):
        self.purposes = purposes
        self.badges = {room.name: [] for room in rooms}  # (number of the way, text) per room
        for way, steps in enumerate(ways):
            for name in self.badges:
                numbers = [step.number for step in steps if room_of(step.path, rooms) == name]
                if numbers:
                    self.badges[name].append((way, badge_text(numbers)))
        self.uses = layer_uses(rooms)
        self.labels = {(layer, used): rooms_in_short(rooms, used, names)
                       for layer, uses in self.uses.items() for used, names in uses.items()}
        self.bricks = {layer: self.rows_of_bricks(rooms, layer) for layer in self.uses}
        self.place_layers()

    def rows_of_bricks(self, rooms, layer):
        """Returns the rooms of a layer in rows from the top down: each stands above those of the layer that it may include."""
        names = [room.name for room in rooms if room.layer == layer]
        height = heights({room.name: [used for used in room.uses if used in names] for room in rooms if room.layer == layer})
        rows = [[name for name in names if height[name] == level] for level in range(max(height.values()), -1, -1)]
        return [row[begin:begin + 6] for row in rows for begin in range(0, len(row), 6)]

    def brick_width(self, name):
        """Returns the least width of a room."""
        return len(label_of(name)) * CHARACTER + 18 + sum(badge_width(text) + 4 for _, text in self.badges[name])

    def place_layers(self):
        height = heights(self.uses)
        self.rows = [[] for _ in range(max(height.values()) + 1)]  # from the top down
        top_row = len(self.rows) - 1
        boxes = {}
        for layer, bricks in self.bricks.items():
            widest = max(sum(self.brick_width(name) + GAP for name in row) - GAP for row in bricks)
            title = 9.5 * len(layer) + SMALL * len(self.purposes.get(layer, "")) + 20
            boxes[layer] = Box(layer, max(widest, title) + 2 * PADDING, TITLE + len(bricks) * (BRICK + GAP) - GAP + PADDING)
            self.rows[top_row - height[layer]].append(boxes[layer])
        self.links = []  # (upper box, lower box, label) between neighboring rows
        for layer in self.uses:
            for used in sorted(self.uses[layer]):
                above = boxes[layer]
                for level in range(top_row - height[layer] + 1, top_row - height[used]):
                    lane = Box()
                    self.rows[level].append(lane)
                    self.links.append((above, lane, ""))
                    above = lane
                self.links.append((above, boxes[used], self.labels[layer, used]))
        self.order_rows()
        top = MARGIN + 70.0
        for row in self.rows:
            tallest = max(box.height for box in row)
            for box in row:
                box.top, box.height = top, tallest if box.layer is None else box.height
            for box in row:  # boxes of a row stand on the same ground
                box.top = top + tallest - box.height
            top += tallest + CHANNEL
        self.height = top - CHANNEL + MARGIN

    def order_rows(self):
        """Chooses the order in each row with the fewest crossings of arrows and, among these, with the straightest ones."""
        best = [((0, 0.0), [])]  # the cheapest orders of the rows so far for each order of the last one
        for row in self.rows:
            links = [(a, b) for a, b, _ in self.links if any(b is box for box in row)]
            best = [min((((cost[0] + step[0], cost[1] + step[1]), orders + [order]) for cost, orders in best
                         for step in [self.cost(orders[-1] if orders else [], order, links)]), key=lambda found: found[0])
                    for order in itertools.permutations(row)]
        self.rows = [list(order) for order in min(best, key=lambda found: found[0])[1]]
        self.place_columns(self.rows)
        for upper, lower, _ in reversed(self.links):  # an arrow that is nearly straight becomes straight
            if not upper.layer and not lower.layer and abs(upper.left - lower.left) < BETWEEN / 2:
                upper.left = lower.left

    @staticmethod
    def cost(upper, lower, links):
        """Returns the number of crossings between two rows, and how far the arrows are from straight."""
        place = {id(box): (k + .5) / len(row) for row in (upper, lower) for k, box in enumerate(row)}
        ends = [(place[id(a)], place[id(b)]) for a, b in links]
        crossings = sum((a - c) * (b - d) < 0 for (a, b), (c, d) in itertools.combinations(ends, 2))
        return crossings, sum(abs(a - b) for a, b in ends)

    def place_columns(self, rows):
        """Sets the left edges and the widths: each box stands above what it uses, and is as wide as the space allows."""
        for row in reversed(rows):
            for box in row:
                box.width = box.natural
            wanted = [[b.center for a, b, _ in self.links if a is box] for box in row]
            self.place_side_by_side(row, [sum(each) / len(each) - box.width / 2 if each else MARGIN
                                          for each, box in zip(wanted, row)])
            if all(box.layer for box in row):
                extra = (WIDTH - 2 * MARGIN - sum(box.width for box in row) - BETWEEN * (len(row) - 1)) / len(row)
                for box in row:
                    box.width += extra
                self.place_side_by_side(row, [0] * len(row))
            for k, box in enumerate(row):
                if box.layer:
                    right = row[k + 1].left - BETWEEN if k + 1 < len(row) else WIDTH - MARGIN
                    left = row[k - 1].right + BETWEEN if k > 0 else MARGIN
                    box.left, box.width = left, right - left

    @staticmethod
    def place_side_by_side(row, wanted):
        """Moves the boxes of a row as near to the wanted left edges as the space between them allows (least squares)."""
        before = [sum(box.width + BETWEEN for box in row[:k]) for k in range(len(row))]
        groups = []  # boxes that touch: the sum of their wanted edges, without what stands before them, and their number
        for want, space in zip(wanted, before):
            groups.append((want - space, 1))
            while len(groups) > 1 and groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]:
                last = groups.pop()
                groups[-1] = (groups[-1][0] + last[0], groups[-1][1] + last[1])
        lefts = [total / count for total, count in groups for _ in range(count)]
        last_left = WIDTH - MARGIN - before[-1] - row[-1].width
        for box, left, space in zip(row, lefts, before):
            box.left = min(max(left, MARGIN), last_left) + space

    def draw(self):
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{self.height:.0f}" '
               f'viewBox="0 0 {WIDTH} {self.height:.0f}" aria-labelledby="title">',
               '<title id="title">The layers and rooms of layoutcheck, and which layer uses which</title>',
               f"<style>{STYLE}</style>",
               f'<rect class="page" x=".5" y=".5" width="{WIDTH - 1}" height="{self.height - 1:.0f}" rx="10"/>']
        self.draw_legend(out)
        for box in (box for row in self.rows for box in row if box.layer):
            self.draw_layer(out, box)
        taken = {}
        for upper, lower, label in self.links:
            self.draw_arrow(out, upper, lower, label, taken)
        out.append("</svg>")
        return "\n".join(out) + "\n"

    def draw_legend(self, out):
        y = MARGIN + 12
        out.append(f'<text class="faint" x="{MARGIN}" y="{y}">An arrow: files of this layer may include files of that one. '
                   "A room stands above the rooms of its layer that it may include.</text>")
        x = MARGIN
        for way, words in enumerate(["the steps of a question that is tested", "the steps of a proof"]):
            out.append(self.badge(x, y + 13, way, "1"))
            out.append(f'<text x="{x + BADGE + 7}" y="{y + 26}">{words}</text>')
            x += BADGE + 34 + len(words) * SMALL
        out.append(f'<rect class="trusted" x="{x:.1f}" y="{y + 13}" width="26" height="{BADGE}" rx="3"/>')
        out.append(f'<text x="{x + 33:.1f}" y="{y + 26}">rooms that check proofs, and are trusted</text>')

    @staticmethod
    def badge(x, y, way, text):
        width, radius = badge_width(text), 3 if way else BADGE / 2  # told apart without their color, too
        return (f'<rect class="way{way}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BADGE}" rx="{radius}"/>'
                f'<text class="badge" x="{x + width / 2:.1f}" y="{y + 12.3:.1f}">{text}</text>')

    def draw_layer(self, out, box):
        out.append(f'<rect class="wall" x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height}" '
                   'rx="7"/>')
        purpose = html.escape(self.purposes.get(box.layer, ""))
        out.append(f'<text x="{box.left + PADDING:.1f}" y="{box.top + 20:.1f}"><tspan class="layer">{box.layer}</tspan>'
                   f'<tspan class="faint" dx="9">{purpose}</tspan></text>')
        y = box.top + TITLE
        for row in self.bricks[box.layer]:
            extra = (box.width - 2 * PADDING - sum(self.brick_width(name) + GAP for name in row) + GAP) / len(row)
            x = box.left + PADDING
            for name in row:
                width = self.brick_width(name) + extra
                kind = "brick trusted" if is_trusted(name) else "brick"
                out.append(f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BRICK}" rx="3"/>')
                used = len(label_of(name)) * CHARACTER + sum(badge_width(text) + 4 for _, text in self.badges[name])
                begin = x + (width - used) / 2
                out.append(f'<text class="room" x="{begin:.1f}" y="{y + 18:.1f}">{label_of(name)}</text>')
                begin += len(label_of(name)) * CHARACTER + 4
                for way, text in self.badges[name]:
                    out.append(self.badge(begin, y + (BRICK - BADGE) / 2, way, text))
                    begin += badge_width(text) + 4
                x += width + GAP
            y += BRICK + GAP

    def draw_arrow(self, out, upper, lower, label, taken):
        """Draws an arrow from the ground of one box to the top of another: straight, if they overlap far enough."""
        low, high = max(upper.left, lower.left), min(upper.right, lower.right)
        if high - low >= LANE:
            begin = end = (low + high) / 2
        else:
            begin = upper.center if upper.layer is None else min(max(lower.center, upper.left + 20), upper.right - 20)
            end = lower.center if lower.layer is None else min(max(begin, lower.left + 20), lower.right - 20)
        while any(abs(begin - other) < 12 for other in taken.get(id(upper), [])) and upper.layer:
            begin += 24
            end += 24 if lower.layer else 0
        taken.setdefault(id(upper), []).append(begin)
        top = upper.top + upper.height
        bottom, channel = lower.top, upper.top + upper.height + CHANNEL / 2
        if lower.layer is None:
            bottom += lower.height
        line = f"M{begin:.1f} {top:.1f}"
        if begin != end:
            line += f"V{channel:.1f}H{end:.1f}"
        out.append(f'<path class="arrow" d="{line}V{bottom - (6 if lower.layer else 0):.1f}"/>')
        if lower.layer:
            out.append(f'<path class="head" d="M{end - 5:.1f} {bottom - 8:.1f}h10l-5 8z"/>')
        if label:
            out.append(f'<text class="note" x="{end + 9:.1f}" y="{bottom - 14:.1f}">only {html.escape(label)}</text>')


def picture(root=ROOT):
    """Returns the picture as SVG."""
    page = (root / "docs/architecture.md").read_text(encoding="utf-8")
    layers = (root / "cmake/layers.txt").read_text(encoding="utf-8")
    return House(read_rooms(layers), read_purposes(page), read_ways(page)).draw()


if __name__ == "__main__":
    if sys.argv[1:] == ["--stdout"]:
        sys.stdout.write(picture())
    else:
        (ROOT / "docs/architecture.svg").write_text(picture(), encoding="utf-8")
