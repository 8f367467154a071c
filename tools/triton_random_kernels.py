# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Triton kernels as text, of loads, stores and what computes their addresses, masks and values.

A kernel reads the arrays `in_ptr`, `more_ptr` and, for numbers that it uses in addresses, `index_ptr`. It writes `out_ptr` and
`last_ptr`. Most of its accesses are inside of the arrays.
"""
import dataclasses
import math
import random

SIZES = {"in_ptr": 64, "more_ptr": 32, "index_ptr": 16, "out_ptr": 96, "last_ptr": 64}  # in elements
READ = ("in_ptr", "more_ptr")
WRITTEN = ("out_ptr", "last_ptr")
INDICES = (0, 6)  # least and first greater number in index_ptr
SHAPES = [(8,), (16,), (4, 4), (2, 8), (8, 1), (1, 4), (2, 2, 4), (4, 2), (32,), (4, 8)]


@dataclasses.dataclass
class Kernel:
    """A kernel with one launch of it."""
    name: str
    text: str
    grid: tuple
    numbers: dict  # values of n and m
    types: dict  # element types of the arrays, as Triton writes them: "i32"
    pattern: int  # number of the pattern that index_ptr holds


class Generator:
    """Writes one kernel."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.indent = "    "
        self.names = 0
        self.scalars = ["pid", "n", "m"]  # of 32 bits
        self.has_stored = False

    def line(self, text):
        self.lines.append(self.indent + text)

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def scalar(self):
        return self.random.choice(self.scalars)

    def ranges(self, shape):
        """Returns a sum of ranges along the dimensions, with factors."""
        terms = []
        for axis, size in enumerate(shape):
            if size == 1:
                continue
            subscript = "" if len(shape) == 1 else "[" + ", ".join(":" if k == axis else "None" for k in range(len(shape))) + "]"
            first = self.random.choice([0, 0, 0, 1, 3])
            terms.append(f"tl.arange({first}, {first + size}){subscript} * {self.random.choice([1, 2, 3, 4, 8])}")
        text = " + ".join(terms) or "0"
        # A tensor of the shape, whatever the terms are.
        return f"tl.broadcast_to({text}, {list(shape)})" if self.chance(30) or not terms or 1 in shape else f"({text})"

    def index(self, shape, depth):
        """Returns an expression of integers of a shape; of a scalar for ()."""
        if depth == 0 or self.chance(20):
            leaves = (lambda: self.ranges(shape), lambda: f"({self.ranges(shape)} + {self.scalar()})") if shape else (
                self.scalar, lambda: str(self.random.randrange(1, 9)))
            return self.random.choice(leaves)()
        left = self.index(shape, depth - 1)
        right = self.index(shape if self.chance(50) else (), depth - 1)
        number = self.random.choice([2, 3, 4, 5, 8, 16])
        bits = self.random.randrange(1, 4)
        types = ["int64", "int32", "uint32", "int16", "int8"]
        return self.random.choice([
            f"({left} + {right})",
            f"({left} - {right})",
            f"({left} * {self.random.choice([2, 3, 5, self.scalar()])})",
            f"({left} // {number})",
            f"({left} % {number})",
            f"({left} {self.random.choice('^&|')} {right})",
            f"({left} << {bits})",
            f"(({left} - {number}) >> {bits})",
            f"tl.where({self.condition(shape, depth - 1)}, {left}, {right})",
            f"tl.{self.random.choice(['minimum', 'maximum'])}({left}, {right})",
            f"tl.cdiv({left}, {number})",
            self.random.choice([f"(-{left})", f"tl.abs({left})", f"(~{left})"]),
            f"({left}).to(tl.{self.random.choice(types)})" if shape else left,
        ])

    def condition(self, shape, depth):
        # A name keeps the compiler from knowing the result, and from removing what is done under the condition.
        text = f"({self.index(shape, depth)} + {self.scalar()} {self.random.choice(['<', '<=', '>', '>=', '==', '!='])} " \
               f"{self.index((), 0)})"
        if depth > 0 and self.chance(30):
            text = f"({text} {self.random.choice('&|')} {self.condition(shape, depth - 1)})"
        return text

    def offset(self, array, shape):
        """Assigns an offset and returns its name and a mask for it, or nothing."""
        size = SIZES[array]
        name = self.name("at")
        text = self.index(shape, self.random.randrange(3))
        is_inside = self.chance(70)
        if is_inside:
            text = f"((({text}) % {size}) + {size}) % {size}"
        elif self.chance(50):
            text = f"({text}) * {self.random.choice([1, 2, 4])} + {self.random.choice([-4, size // 2, size - 8])}"
        if shape:
            text = f"tl.broadcast_to({text}, {list(shape)})"
        self.line(f"{name} = {text}")
        masks = []
        if not is_inside:
            right = f"({name} >= 0) & ({name} < {size})"
            wrong = self.random.choice([f"({name} < {size})", f"({name} >= 0) & ({name} <= {size})", f"({name} >= 0)"])
            masks.append(right if self.chance(75) else wrong)
        if self.chance(50):
            masks.append(self.condition(shape, 1))
        return name, " & ".join(masks)

    def load_index(self, shape):
        """Returns numbers of index_ptr, as a name."""
        at, mask = self.offset("index_ptr", shape)
        name = self.name("number")
        self.line(f"{name} = tl.load(index_ptr + {at}{f', mask={mask}, other={self.random.randrange(4)}' if mask else ''})")
        return name

    def load(self, shape):
        array = self.random.choice(READ if self.chance(85) else WRITTEN)
        if self.chance(20):
            at = self.load_index(shape)
            mask = ""
        else:
            at, mask = self.offset(array, shape)
        name = self.name("x")
        options = f", mask={mask}" + (f", other={self.random.randrange(9)}" if self.chance(60) else "") if mask else ""
        self.line(f"{name} = tl.load({array} + {at}{options}).to(tl.int32)")
        return name

    def moved(self, name, shape):
        """Moves the elements of a tensor, and returns the new name and shape."""
        new = self.name("y")
        pick = self.random.randrange(7)
        if pick == 0 and len(shape) == 2:
            self.line(f"{new} = tl.trans({name})")
            return new, shape[::-1]
        if pick == 1 and len(shape) == 3:
            order = self.random.sample(range(3), 3)
            self.line(f"{new} = tl.permute({name}, {order})")
            return new, tuple(shape[k] for k in order)
        if pick == 2:
            other = self.random.choice([other for other in SHAPES if math.prod(other) == math.prod(shape)])
            self.line(f"{new} = tl.reshape({name}, {list(other)})")
            return new, other
        if pick == 3 and 1 in shape:
            wide = tuple(4 if size == 1 else size for size in shape)
            self.line(f"{new} = tl.broadcast_to({name}, {list(wide)})")
            return new, wide
        if pick == 4 and math.prod(shape) <= 16:
            second = self.load(shape)
            self.line(f"{new} = tl.join({name}, {second})")
            return new, (*shape, 2)
        if pick == 5 and shape[-1] == 2 and len(shape) > 1:
            other = self.name("y")
            self.line(f"{new}, {other} = tl.split({name})")
            self.store(other, shape[:-1])
            return new, shape[:-1]
        if pick == 6:
            second = self.load(shape)
            self.line(f"{new} = tl.where({self.condition(shape, 1)}, {name}, {second})")
            return new, shape
        return name, shape

    def computed(self, name, shape):
        new = self.name("z")
        pick = self.random.randrange(4)
        if pick == 0 and len(shape) > 1:
            axis = self.random.randrange(len(shape))
            self.line(f"{new} = tl.sum({name}, axis={axis})")
            return new, shape[:axis] + shape[axis + 1:]
        if pick == 1:
            self.line(f"{new} = tl.cumsum({name}, axis={self.random.randrange(len(shape))})")
            return new, shape
        self.line(f"{new} = {name} * 3 + {self.index(shape, 1)}")
        return new, shape

    def store(self, name, shape):
        array = self.random.choice(WRITTEN)
        at, mask = self.offset(array, shape)
        options = f", mask={mask}" if mask else ""
        if self.chance(8):
            self.line(f"tl.atomic_add({array} + {at}, {name}{options})")
        else:
            self.line(f"tl.store({array} + {at}, {name}{options})")
        self.has_stored = True

    def transfer(self):
        """Loads, moves and stores a tensor."""
        shape = self.random.choice(SHAPES)
        name = self.load(shape)
        for _ in range(self.random.randrange(4)):
            name, shape = self.moved(name, shape)
            if math.prod(shape) > 64:
                break
        if self.chance(20):
            name, shape = self.computed(name, shape)
        self.store(name, shape)

    def block(self, write):
        """Writes the lines of a loop or a branch, whose names are not known behind it."""
        indent, scalars = self.indent, list(self.scalars)
        self.indent += "    "
        write()
        self.indent, self.scalars = indent, scalars

    def moving_pointers(self):
        """Writes a loop that moves a pointer and a tensor of offsets."""
        shape = self.random.choice(SHAPES)
        step = self.random.choice([1, 2, 4])
        pointer, at, total = self.name("p"), self.name("o"), self.name("t")
        self.line(f"{pointer} = in_ptr + tl.broadcast_to({self.ranges(shape)} % 32, {list(shape)})")
        self.line(f"{at} = tl.broadcast_to({self.ranges(shape)} % 16, {list(shape)})")
        self.line(f"{total} = tl.zeros({list(shape)}, tl.int32)")
        bounds = self.random.choice(["0, n", "0, 3", "m, n", "0, n, 2", "n, 0, -1", "1, 4"])
        self.line(f"for {self.name('k')} in range({bounds}):")

        def body():
            mask = f", mask={self.condition(shape, 1)}, other=0" if self.chance(50) else ""
            if self.chance(50):
                self.line(f"{total} += tl.load({pointer}{mask})")
            else:
                self.line(f"tl.store(out_ptr + {at}, tl.load({pointer}{mask}))")
            self.line(f"{pointer} += {step}")
            self.line(f"{at} += {self.random.choice([step, 'pid'])}")
        self.block(body)
        self.store(total, shape)

    def chosen(self):
        """Writes a branch, or a loop, that decides which loaded tensor is stored."""
        shape = self.random.choice(SHAPES)
        first, second = self.load(shape), self.load(shape)
        chosen = self.name("v")
        self.line(f"{chosen} = {first}")
        pick = self.random.randrange(3)
        if pick == 0:
            self.line(f"if {self.condition((), 1)}:")
            self.block(lambda: self.line(f"{chosen} = {second}"))
        elif pick == 1:
            self.line(f"for {self.name('k')} in range({self.random.choice(['n', '3', 'm, n'])}):")

            def swap():
                self.line(f"{chosen} = {second}")
                self.line(f"{second} = tl.where({self.condition(shape, 1)}, {first}, {second})")
            self.block(swap)
        else:
            self.line(f"for {self.name('k')} in tl.static_range({self.random.randrange(1, 4)}):")

            def permuted():
                self.line(f"{chosen} = tl.where({self.condition(shape, 1)}, {chosen}, {second})")
            self.block(permuted)
        self.store(chosen, shape)

    def descriptors(self):
        """Writes a copy through tensor descriptors. Rows have 16 elements, and blocks begin at multiples of 8."""
        rows = self.random.choice([1, 2, 4])
        array = self.random.choice(READ)
        first, second, value = self.name("d"), self.name("d"), self.name("x")
        wrong = 1 if self.chance(10) else 0
        for name, pointer, more in ((first, array, wrong), (second, "last_ptr", 0)):
            self.line(f"{name} = tl.make_tensor_descriptor({pointer}, shape=[{SIZES[pointer] // 16 + more}, "
                      f"{self.random.choice([16, 16, 11])}], strides=[16, 1], block_shape=[{rows}, 8])")
        offsets = [f"[{self.index((), 1)}, {self.random.choice(['0', '8', '-8', '16', 'pid * 8', 'pid * 8 - 8'])}]" for _ in range(2)]
        self.line(f"{value} = {first}.load({offsets[0]}).to(tl.int32)")
        self.line(f"{second}.store({offsets[1]}, {value})")
        self.has_stored = True

    def rows_of_descriptors(self):
        """Writes a copy of eight rows that descriptors gather and scatter."""
        first, second, value, rows = self.name("d"), self.name("d"), self.name("x"), self.name("r")
        for name, pointer in ((first, "in_ptr"), (second, "last_ptr")):
            self.line(f"{name} = tl.make_tensor_descriptor({pointer}, shape=[4, 16], strides=[16, 1], block_shape=[1, 8])")
        self.line(f"{rows} = tl.broadcast_to({self.index((8,), 1)}, [8]).to(tl.int32)")
        self.line(f"{value} = {first}.gather({rows}, {self.random.choice(['0', '8', 'pid * 8'])}).to(tl.int32)")
        self.line(f"{second}.scatter({value}, {rows}, {self.random.choice(['0', '8', 'pid * 8'])})")
        self.has_stored = True

    def scalars_only(self):
        name = self.load(()) if self.chance(70) else self.load_index(())
        self.store(name, ())
        if name.startswith("number"):
            self.scalars.append(name)

    def statement(self, depth):
        pick = self.random.randrange(15)
        if pick == 12:
            self.chosen()
        elif pick == 13:
            self.descriptors()
        elif pick == 14:
            self.rows_of_descriptors()
        elif pick < 5 or depth == 0:
            self.transfer()
        elif pick == 5:
            self.scalars_only()
        elif pick == 6:
            self.moving_pointers()
        elif pick < 9:
            self.line(f"if {self.condition((), 1)}:")
            self.block(lambda: self.statement(depth - 1))
            if self.chance(40):
                self.line("else:")
                self.block(lambda: self.statement(depth - 1))
        elif pick == 9 and self.indent == "    " and self.has_stored:
            self.line(f"if {self.condition((), 1)}:")
            self.block(lambda: self.line("return"))
        elif pick == 10:
            counter = self.name("c")
            self.line(f"{counter} = {self.index((), 0)}")
            self.line(f"while {counter} > 0:")

            def count_down():
                self.scalars.append(counter)
                self.statement(depth - 1)
                self.line(f"{counter} -= {self.random.choice([1, 2, 3])}")
            self.block(count_down)
        else:
            counter, number = self.name("k"), self.name("k")
            self.line(f"for {counter} in range({self.random.choice(['n', '2', '0, n, 3', 'm, n', 'n, m, -1'])}):")

            def repeat():
                # In interpreter mode the counter is an integer of Python, whose quotients are rounded down.
                self.line(f"{number} = {counter} + pid * 0")
                self.scalars.append(number)
                self.statement(depth - 1)
            self.block(repeat)


def draw(seed):
    """Returns the kernel of a seed."""
    generator = Generator(seed)
    choice = generator.random
    grid = choice.choice([(1,), (2,), (3,), (2, 2)])
    if len(grid) > 1:
        generator.line("pid_y = tl.program_id(1)")
        generator.scalars.append("pid_y")
    if generator.chance(20):
        generator.line("programs = tl.num_programs(0)")
        generator.scalars.append("programs")
    for _ in range(choice.randrange(1, 4)):
        generator.statement(2)
    name = f"kernel_{seed}"
    text = f"@triton.jit\ndef {name}({', '.join(SIZES)}, n, m):\n    pid = tl.program_id(0)\n" + "\n".join(generator.lines) + "\n"
    return Kernel(name=name, text=text, grid=grid, numbers={"n": choice.choice([0, 2, 3, 5, 7]), "m": choice.choice([-2, 0, 2, 4])},
                  types={array: choice.choice(["i32", "i32", "i32", "i16", "i64"]) if array in READ else "i32" for array in SIZES},
                  pattern=choice.randrange(4))
