(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines where a tiled layout puts each element of an array: the closed formula, called definition A in
   docs/certificates.md. This file has definitions only, for a reader to compare with their source, XLA's document
   "Tiled layout" (https://openxla.org/xla/tiled_layout).

   A layout such as {1,0:T(8,128)(2,1)} is an order of the dimensions and a list of tiles. The dimensions are brought into
   memory order, the most major one first. Each tile then works on the sizes that the one before left:
     1. Where the tile has more entries than there are sizes, sizes of 1 are put in front.
     2. The tile is about the most minor sizes, one per entry. An entry `*` combines its size with the next more minor one.
     3. Each other entry t cuts its size d into ceil(d / t) tiles, of which the last may be padded, and t places within
        a tile. All counts of tiles come first, then all places within a tile.
   What is left is laid out in row-major order.

   Sizes and indices are lists of the same length, the most major dimension first. *)
Require Import ZArith List Permutation.
Require Import Layoutcheck.Box.
Import ListNotations.
Open Scope Z_scope.

(* The quotient, rounded up. *)
Definition ceil_div (a b : Z) : Z := (a + b - 1) / b.

(* A tile is a list of entries: a size, or `*`, written None. *)
Definition tile := list (option Z).

(* A tile is valid if its sizes are positive and its last entry is not `*`. *)
Inductive ValidTile : tile -> Prop :=
| ValidLast : forall t, 0 < t -> ValidTile [Some t]
| ValidSize : forall t entries, 0 < t -> ValidTile entries -> ValidTile (Some t :: entries)
| ValidCombine : forall entries, ValidTile entries -> ValidTile (None :: entries).

(** ** One tile on as many sizes as it has entries *)

(* Returns the sizes of a tile without its `*`. *)
Fixpoint tile_sizes (t : tile) : list Z :=
  match t with
  | [] => []
  | Some size :: entries => size :: tile_sizes entries
  | None :: entries => tile_sizes entries
  end.

(* Returns the sizes after combining. `major` is the product of the sizes that the entries before combine with the next
   one, 1 at the beginning. *)
Fixpoint combine_sizes (t : tile) (major : Z) (sizes : list Z) : list Z :=
  match t, sizes with
  | None :: entries, d :: rest => combine_sizes entries (major * d) rest
  | Some _ :: entries, d :: rest => major * d :: combine_sizes entries 1 rest
  | _, _ => []
  end.

(* Returns the index after combining. `major` is the index in the combined sizes before, 0 at the beginning. *)
Fixpoint combine_index (t : tile) (major : Z) (sizes index : list Z) : list Z :=
  match t, sizes, index with
  | None :: entries, d :: rest, i :: tail => combine_index entries (major * d + i) rest tail
  | Some _ :: entries, d :: rest, i :: tail => major * d + i :: combine_index entries 0 rest tail
  | _, _, _ => []
  end.

Fixpoint map2 {A B C} (f : A -> B -> C) (a : list A) (b : list B) : list C :=
  match a, b with
  | x :: a', y :: b' => f x y :: map2 f a' b'
  | _, _ => []
  end.

(* Returns the counts of tiles, then the sizes of the tile. *)
Definition tiled_sizes (t : tile) (sizes : list Z) : list Z :=
  map2 ceil_div (combine_sizes t 1 sizes) (tile_sizes t) ++ tile_sizes t.
(* Returns which tile an index is in, then where in that tile. *)
Definition tiled_index (t : tile) (sizes index : list Z) : list Z :=
  let combined := combine_index t 0 sizes index in
  map2 Z.div combined (tile_sizes t) ++ map2 Z.modulo combined (tile_sizes t).

(** ** One tile on any sizes *)

(* Returns how many sizes of 1 are put in front, so that there is one size per entry. *)
Definition leading_count (t : tile) (rank : nat) : nat := length t - rank.
Definition extend_sizes (t : tile) (sizes : list Z) := repeat 1 (leading_count t (length sizes)) ++ sizes.
Definition extend_index (t : tile) (sizes index : list Z) := repeat 0 (leading_count t (length sizes)) ++ index.

(* Returns how many major sizes the tile leaves as they are. *)
Definition untiled_count (t : tile) (sizes : list Z) : nat := length sizes - length t.

Definition level_sizes (t : tile) (sizes : list Z) : list Z :=
  let extended := extend_sizes t sizes in
  let k := untiled_count t extended in
  firstn k extended ++ tiled_sizes t (skipn k extended).
Definition level_index (t : tile) (sizes index : list Z) : list Z :=
  let extended := extend_sizes t sizes in
  let k := untiled_count t extended in
  let i := extend_index t sizes index in
  firstn k i ++ tiled_index t (skipn k extended) (skipn k i).

(** ** All tiles, each on what the one before left *)

Fixpoint physical_sizes (ts : list tile) (sizes : list Z) : list Z :=
  match ts with
  | [] => sizes
  | t :: rest => physical_sizes rest (level_sizes t sizes)
  end.
Fixpoint physical_index (ts : list tile) (sizes index : list Z) : list Z :=
  match ts with
  | [] => index
  | t :: rest => physical_index rest (level_sizes t sizes) (level_index t sizes index)
  end.

(** ** Layouts *)

(* {minor_to_major:tiles L(alignment)}: `minor_to_major` names the dimensions from the most minor one on; the padded
   elements are rounded up to a multiple of `alignment`, 1 where there is no L. *)
Record layout := { minor_to_major : list nat; tiles : list tile; alignment : Z }.

Definition Valid (l : layout) : Prop :=
  Permutation (minor_to_major l) (seq 0 (length (minor_to_major l))) /\ Forall ValidTile (tiles l) /\ 0 < alignment l.

(* Returns the dimensions in memory order, the most major one first. *)
Definition order (l : layout) : list nat := rev (minor_to_major l).
Definition permute (order : list nat) (values : list Z) : list Z := map (fun d => nth d values 0) order.

(* Takes values in memory order back to the order of the dimensions. *)
Fixpoint place_of (d : nat) (order : list nat) : nat :=
  match order with
  | [] => 0%nat
  | x :: rest => if Nat.eqb x d then 0%nat else S (place_of d rest)
  end.
Definition unpermute (order : list nat) (values : list Z) : list Z :=
  map (fun d => nth (place_of d order) values 0) (seq 0 (length order)).

(* Returns the place of an element, counted in elements from the beginning of the allocation. *)
Definition linear_index (l : layout) (sizes index : list Z) : Z :=
  let s := permute (order l) sizes in
  linearize (physical_sizes (tiles l) s) (physical_index (tiles l) s (permute (order l) index)).
(* Returns the number of places that the tiles need. *)
Definition padded_elements (l : layout) (sizes : list Z) : Z :=
  volume (physical_sizes (tiles l) (permute (order l) sizes)).
(* Returns the number of places of the allocation, with the padding at its end. *)
Definition allocated_elements (l : layout) (sizes : list Z) : Z :=
  ceil_div (padded_elements l sizes) (alignment l) * alignment l.
