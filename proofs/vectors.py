#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a Coq file that computes every known answer of corpus/vectors about an index with the definitions of this folder.

    proofs/vectors.py CORPUS/vectors >Vectors.v

Coq accepts the file if each answer is the stated one, and if no answer is still accepted when a number in it is changed by one.
"""
import itertools
import json
import re
import sys

SHAPE = re.compile(r'\w+\[([\d,]*)\](?:\{([\d,]*)(?::([^}]*))?\})')


def coq_list(items):
    return '[' + '; '.join(str(item) for item in items) + ']'


def numbers(text):
    return [int(part) for part in text.split(',')] if text else []


def tiled_layout(text):
    """Returns sizes and the Coq term of a layout such as f32[3,5]{1,0:T(2,2)}."""
    sizes, order, attributes = SHAPE.fullmatch(text).groups()
    tiles, alignment = [], 1
    for name, argument in re.findall(r'([A-Z]*)\(([^)]*)\)', attributes or ''):
        if name in ('T', ''):
            tiles.append(coq_list('None' if entry == '*' else f'Some {entry}' for entry in argument.split(',')))
        elif name == 'L':
            alignment = int(argument)
        elif name not in ('S', 'E'):
            raise ValueError(text)
    order = coq_list(f'{d}%nat' for d in numbers(order))
    return numbers(sizes), (f'{{| minor_to_major := {order}; tiles := {coq_list(tiles)}; '
                            f'alignment := {alignment} |}}')


def nested(text):
    """Parses a nested tuple such as ((4,2),(4,3)) to lists of lists."""
    return json.loads(text.replace('(', '[').replace(')', ']'))


def shape_stride(text):
    def build(size, stride):
        if isinstance(size, int):
            return f'Mode {size} ({stride})'
        return f'Tuple {coq_list(map(build, size, stride))}'
    return build(*map(nested, text.split(':')))


def swizzled(text, offset):
    """Returns the term of an offset after a swizzle such as Sw<3,0,-3>."""
    return f'swizzle {" ".join(f"({n})" for n in re.findall("-?[0-9]+", text))} ({offset})'


def coordinate(value):
    return f'Number {value}' if isinstance(value, int) else f'Coordinates {coq_list(map(coordinate, value))}'


def flat(value):
    return [value] if isinstance(value, int) else list(itertools.chain.from_iterable(map(flat, value)))


def change(value):
    """Returns the answer with its last number increased by one."""
    if isinstance(value, int):
        return value + 1
    return value[:-1] + [change(value[-1])]


def tiled_questions(row):
    """Returns questions to Coq with their answers."""
    sizes, layout = tiled_layout(row['layout'])
    expect = row['expect']
    if 'offset' in expect:
        index = coq_list(row['coordinate'])
        yield f'linear_index ({layout}) {coq_list(sizes)} {index}', expect['offset']
        yield f'chain_linear_index ({layout}) {coq_list(sizes)} {index}', expect['offset']
        row = dict(row, offset=expect['offset'])
        expect = dict(expect, coordinate=row['coordinate'])
    if 'coordinate' in expect:
        array = f'{{| sizes_of := {coq_list(sizes)}; at_index := Some |}}'
        yield f'memory (list Z) ({layout}) {array} {row["offset"]}', expect['coordinate']
        yield f'MixedRadix.coordinate ({layout}) {coq_list(sizes)} {row["offset"]}', expect['coordinate']
    if 'offsets' in expect:
        indices = coq_list(map(coq_list, itertools.product(*map(range, sizes))))
        for function in ('linear_index', 'chain_linear_index'):
            yield f'map ({function} ({layout}) {coq_list(sizes)}) {indices}', expect['offsets']
    padded = expect.get('padded_elements', row.get('padded_elements'))
    if padded is not None:
        yield f'allocated_elements ({layout}) {coq_list(sizes)}', padded


def strided_questions(row):
    arguments = row['args']
    if row['op'] == 'crd2idx':
        *before, layout = arguments[1].split('o')
        offset = f'offset ({shape_stride(layout)}) ({coordinate(nested(arguments[0]))})'
        yield swizzled(before[0], f'{before[1]} + {offset}') if before else offset, row['expect']
    elif row['op'] == 'swizzle_apply':
        yield swizzled(*arguments), row['expect']
    elif row['op'] == 'idx2crd':
        sizes = coq_list(flat(nested(arguments[1])))
        yield f'digits {sizes} {arguments[0]}', flat(nested(row['expect']))
    elif row['op'] in ('cosize', 'size'):
        yield f'{row["op"]} ({shape_stride(arguments[0])})', row['expect']


def answer_text(question, answer):
    text = coq_list(answer) if isinstance(answer, list) else 'None' if answer is None else str(answer)
    is_option = question.startswith(('MixedRadix.coordinate', 'memory'))
    return f'Some {text}' if is_option and answer is not None else text


def main():
    folder = sys.argv[1]
    print('(* Written by proofs/vectors.py. *)\nFrom Coq Require Import ZArith List.\n'
          'From Layoutcheck Require Import Box Layout Arrays MixedRadix ShapeStride Swizzles.\nImport ListNotations.\nOpen Scope Z_scope.')
    rows = 0
    for name, wanted, questions in (
            ('xla.jsonl', {'offset', 'coordinate', 'table', 'size'}, tiled_questions),
            ('shape_stride.jsonl', {'crd2idx', 'idx2crd', 'cosize', 'size', 'swizzle_apply'}, strided_questions)):
        with open(f'{folder}/{name}', encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                row = json.loads(line)
                if row.get('op') not in wanted:
                    continue
                rows += 1
                print(f'\n(* {name}:{number} *)')
                for question, answer in questions(row):
                    print(f'Goal {question} = {answer_text(question, answer)}.\nProof. vm_compute. reflexivity. Qed.')
                    if answer != []:
                        wrong = answer_text(question, [] if answer is None else change(answer))
                        print(f'Goal {question} = {wrong}.\nProof. vm_compute. Fail reflexivity. Abort.')
    print(f'corpus/vectors: {rows} rows about an index, computed by Coq; each answer is refused if a number in it is '
          'changed', file=sys.stderr)


if __name__ == '__main__':
    main()
