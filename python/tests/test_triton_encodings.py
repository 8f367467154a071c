# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of Triton, as it prints them, against its own to_linear_layout.

Triton checks much of an attribute by ending the process, so that the attributes drawn here are those that it takes.
amd_rotating_shared and padded_shared are left out: Triton's Python makes no attribute of the one and no layout of the other.
"""

import itertools
import random
import re

import layoutcheck as lc
import pytest
from layoutcheck import _core

libtriton = pytest.importorskip("triton._C.libtriton", reason="Triton is not installed")
triton = pytest.importorskip("triton")
# The builder that has to_linear_layout, and the meaning of attributes that is compared, are those of 3.9.
if tuple(map(int, triton.__version__.split(".")[:2])) < (3, 9):
    pytest.skip(f"expected Triton 3.9 or later, found {triton.__version__}", allow_module_level=True)

DRAWS = 1000  # per encoding


@pytest.fixture(scope="module")
def context():
    context = libtriton.ir.context()
    libtriton.ir.load_dialects(context)
    for backend in (libtriton.nvidia, libtriton.amd):
        backend.load_dialects(context)
    return context


@pytest.fixture(scope="module")
def builder(context):
    return libtriton.gluon_ir.GluonOpBuilder(context)


def printed(builder, attribute):
    """Returns the text of an attribute as Triton prints it, without aliases."""
    module = builder.create_module()
    module.set_attr("test.layout", attribute)
    text = module.str_nodebug()
    aliases = dict(re.findall(r"^(#\w+) = (.*)$", text, re.MULTILINE))
    text = re.search(r"test\.layout = (.*)\} \{", text)[1]
    while re.search(r"#\w+(?![\w.<])", text):
        text = re.sub(r"#\w+(?![\w.<])", lambda alias: aliases[alias[0]], text)
    return text


def images_of(layout):
    """Returns the images per input of what to_linear_layout answers, as far as Triton's Python shows them."""
    fields = {
        "DistributedLinearLayout": ("reg_bases", "lane_bases", "warp_bases", "block_bases"),
        "SharedLinearLayout": ("offset_bases", "block_bases"),
        "_TensorMemoryLinearLayout": ("rows", "cols"),
    }[type(layout).__name__]
    return [[tuple(image) for image in getattr(layout, field)] for field in fields]


class Draw:
    """Draws attributes. Each function of an encoding returns one and the shape of an array."""

    def __init__(self, builder, seed):
        self.builder = builder
        self.random = random.Random(seed)

    def power(self, low, high):
        return 1 << self.random.randint(low, high)

    def powers(self, rank, low, high):
        return [self.power(low, high) for _ in range(rank)]

    def flag(self):
        return self.random.random() < 0.5

    def order(self, rank):
        return self.random.sample(range(rank), rank)

    def steps(self, rank, most):
        """Returns images of one bit each, which number the parts of an array in some order."""
        parts = [0] * rank
        images = []
        for _ in range(self.random.randint(0, most)):
            d = self.random.randrange(rank)
            images.append([1 << parts[d] if k == d else 0 for k in range(rank)])
            parts[d] += 1
        self.random.shuffle(images)
        return images

    def cluster(self, rank):
        images = self.steps(rank, 2) if self.random.random() < 0.4 else []
        if images and self.random.random() < 0.3:
            images.append([0] * rank)  # blocks with copies
        return images

    def rank(self):
        return self.random.choice([2, 2, 3])

    def blocked_of(self, rank):
        sizes = [self.powers(rank, 0, most) for most in (3, 3, 2)]
        return self.builder.get_blocked_layout(*sizes, self.order(rank), self.cluster(rank))

    def mma_of(self, rank, version=None):
        if rank == 2 and (version or self.random.choice([2, 3])) == 3:
            instruction = [16, self.power(3, 8), 16]
            return self.builder.get_mma_layout([3, 0], self.powers(2, 0, 2), self.cluster(2), instruction)
        instruction = self.random.choice([[16, 8], [16, 8], [8, 8]])
        warps = self.powers(rank, 0, 2)
        return self.builder.get_mma_layout([2, 0], warps, self.cluster(rank), [1] * (rank - 2) + instruction)

    def mfma_of(self, rank):
        instruction = self.random.choice([[32, 32, 8], [16, 16, 16], [64, 4, 4], [4, 64, 4]])
        is_transposed = self.flag() or instruction[0] == 64
        bits = 64 if instruction[0] == 16 and self.flag() else 32
        return self.builder.get_amd_mfma_layout(
            3, self.powers(rank, 0, 2), instruction, is_transposed, self.cluster(rank), self.powers(rank, 0, 1), bits
        )

    def wmma_of(self, rank, version):
        inner = {1: [16], 2: [16, 32], 3: [4, 32, 64, 128]}[version]
        images = self.steps(rank, 4)
        cut = self.random.randint(0, len(images))
        instruction = [16, 16, self.random.choice(inner)]
        if version == 3 and instruction[2] > 32 and self.flag():
            instruction[0] = 32
        arguments = (images[:cut], images[cut:], self.cluster(rank), instruction, rank)
        return self.builder.get_amd_wmma_layout(version, self.flag(), *arguments)

    def blocked(self):
        rank = self.random.choice([1, 2, 3])
        return self.blocked_of(rank), self.powers(rank, 0, 6)

    def nvidia_mma(self):
        rank = self.rank()
        return self.mma_of(rank), self.powers(rank, 0, 7)

    def amd_mfma(self):
        rank = self.rank()
        return self.mfma_of(rank), self.powers(rank, 0, 7)

    def amd_wmma(self):
        rank = self.rank()
        return self.wmma_of(rank, self.random.choice([1, 2, 3])), self.powers(rank, 0, 7)

    def dot_op_of(self, rank):
        index = self.random.choice([0, 1])
        kind = self.random.choice(["blocked", "mma", "wgmma", "mfma", "wmma"])
        if kind == "blocked":
            return self.builder.get_dot_operand_layout(index, self.blocked_of(rank), 0)
        if kind == "wgmma" and rank == 2:
            return self.builder.get_dot_operand_layout(0, self.mma_of(2, 3), self.power(0, 3))
        if kind == "mfma":
            return self.builder.get_dot_operand_layout(index, self.mfma_of(rank), self.power(0, 5))
        if kind == "wmma":
            version = self.random.choice([1, 2, 3])
            width = self.random.choice({1: [8, 16], 2: [4, 8, 16], 3: [1, 2, 8, 32]}[version])
            return self.builder.get_dot_operand_layout(index, self.wmma_of(rank, version), width)
        return self.builder.get_dot_operand_layout(index, self.mma_of(rank, 2), self.power(0, 3))

    def dot_op(self):
        rank = self.rank()
        return self.dot_op_of(rank), self.powers(rank, 0, 7)

    def slice(self):
        rank = self.rank()
        parent = self.random.choice([self.blocked_of, self.mma_of, self.mfma_of, self.dot_op_of])(rank)
        attribute = self.builder.get_slice_layout(self.random.randrange(rank), parent)
        if rank == 3 and self.flag():
            attribute, rank = self.builder.get_slice_layout(self.random.randrange(2), attribute), 2
        return attribute, self.powers(rank - 1, 0, 7)

    def linear(self):
        rank = self.random.choice([1, 2, 3])
        images = self.steps(rank, 8) or [[1] + [0] * (rank - 1)]
        cuts = sorted(self.random.randint(0, len(images)) for _ in range(3))
        parts = [images[low:high] for low, high in zip([0, *cuts], [*cuts, len(images)])]
        shape = [1 << sum(image[d] != 0 for image in images) for d in range(rank)]
        return self.builder.get_distributed_linear_layout(*parts, shape), self.powers(rank, 0, 5)

    def swizzled_of(self, rank):
        numbers = [self.power(0, most) for most in (3, 3, 4)]
        return self.builder.get_swizzled_shared_layout(*numbers, self.order(rank), self.cluster(rank))

    def swizzled_shared(self):
        rank = self.random.choice([1, 2, 3])
        return self.swizzled_of(rank), self.powers(rank, 3, 6)

    def nvmma_shared(self):
        rank = self.rank()
        swizzle, bits = self.random.choice([0, 32, 64, 128]), self.power(3, 5)
        is_padded = swizzle == 128 and bits == 8 and self.flag()
        attribute = self.builder.get_nvmma_shared_layout(swizzle, bits, self.flag(), is_padded, self.cluster(rank), rank)
        return attribute, [1024 if d == 0 else self.power(9, 10) for d in range(rank)] if rank == 2 else [512, 32, 512]

    def shared_linear(self):
        rank = self.random.choice([1, 2, 3])
        images = self.steps(rank, 8) or [[1] + [0] * (rank - 1)]
        shape = [1 << sum(image[d] != 0 for image in images) for d in range(rank)]
        # The exclusive or with an earlier image keeps the images independent.
        swizzled = [images[0]]
        for image in images[1:]:
            other = self.random.choice(swizzled) if self.flag() else [0] * rank
            swizzled.append([a ^ b for a, b in zip(image, other)])
        return self.builder.get_shared_linear_layout(swizzled, [], 16), shape

    def partitioned_shared(self):
        rank = self.rank()
        within = self.swizzled_of(rank)
        numbers = (self.power(1, 2), self.power(0, 1), self.random.randrange(rank))
        return self.builder.get_partitioned_shared_layout(*numbers, within), self.powers(rank, 3, 6)

    def tensor_memory_encoding(self):
        is_pair, is_padded = self.flag(), self.random.random() < 0.2
        block = [self.random.choice([64, 128]), self.power(1, 8)]
        stride = 1 if is_padded else self.power(0, 2)
        cluster = [[1, 0]] if is_pair else self.cluster(2)
        attribute = self.builder.get_tensor_memory_layout(block, stride, cluster, is_pair, is_padded)
        return attribute, [self.power(9, 10), self.power(3, 8)]

    def tensor_memory_scales_encoding(self):
        order = self.random.choice(["mnThenK", "kThenMn"])
        return self.builder.get_tensor_memory_scales_layout(self.cluster(2), order), [self.power(2, 9), self.power(2, 6)]


ENCODINGS = [
    "blocked", "nvidia_mma", "dot_op", "slice", "amd_mfma", "amd_wmma", "linear", "swizzled_shared", "nvmma_shared",
    "shared_linear", "partitioned_shared", "tensor_memory_encoding", "tensor_memory_scales_encoding",
]  # fmt: skip


def check(builder, attribute, shape):
    text = f"{printed(builder, attribute)} {shape}"
    expected = images_of(builder.to_linear_layout(attribute, shape))
    # Triton's Python shows neither the partition nor the blocks of tensor memory.
    assert _core.linear_bases(lc.Layout(text))[: len(expected)] == expected, text
    return text


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_each_encoding_is_the_layout_that_triton_makes_of_it(builder, encoding):
    draw = Draw(builder, 5)
    for _ in range(DRAWS):
        attribute, shape = getattr(draw, encoding)()
        text = check(builder, attribute, shape)
        assert re.match(rf"#ttn?g\.{encoding}<", text)


def test_all_small_results_and_operands_of_mma(builder):
    warps = list(itertools.product([1, 2, 4], repeat=2))
    shapes = list(itertools.product([4, 8, 16, 32], repeat=2))
    for of_warps, shape, instruction in itertools.product(warps, shapes, [[16, 8], [8, 8]]):
        mma = builder.get_mma_layout([2, 0], list(of_warps), [], instruction)
        check(builder, mma, list(shape))
        for index, width in itertools.product([0, 1], [1, 2, 4]):
            check(builder, builder.get_dot_operand_layout(index, mma, width), list(shape))


MATRIX, VECTOR = "[256,64]", "[4]"
WGMMA = "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>"
PARENT = "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>"
REFUSED = [
    ("#ttg.nvidia_mma<{versionMajor = 5, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>", MATRIX),
    ("#ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [4, 1], CGALayout = [[0, 2]], instrShape = [16, 8]}>", MATRIX),
    (f"#ttg.dot_op<{{opIdx = 1, parent = {WGMMA}, kWidth = 2}}>", MATRIX),
    (f"#ttg.slice<{{dim = 2, parent = {PARENT}}}>", VECTOR),
    ("#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [4, 4, 4], isTransposed = true}>", MATRIX),
    ("#ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = [[0, 1]]}}>", MATRIX),
    ("#ttg.nvmma_shared<{swizzlingByteWidth = 16, transposed = false, elementBitWidth = 16}>", MATRIX),
    ("#ttg.shared_linear<{offset = [[1], [1]], block = []}, alignment = 16>", VECTOR),
    ("#ttg.linear<{register = [[3]], lane = [[1]], warp = [], block = []}>", VECTOR),
    ("#ttng.tensor_memory_encoding<blockM = 32, blockN = 64, colStride = 1>", MATRIX),
    ("#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, twoCTAs = true>", MATRIX),
]


def parsed(context, path, text):
    path.write_text(f"module attributes {{test.layout = {text}}} {{}}")
    return libtriton.ir.parse_mlir_module(str(path), context)


@pytest.mark.parametrize("text, shape", REFUSED)
def test_what_triton_refuses_is_an_error(context, tmp_path, text, shape):
    assert parsed(context, tmp_path / "taken.mlir", PARENT)
    with pytest.raises(RuntimeError):
        parsed(context, tmp_path / "refused.mlir", text)
    with pytest.raises(lc.LayoutError) as error:
        lc.Layout(f"{text} {shape}")
    assert error.value.column
