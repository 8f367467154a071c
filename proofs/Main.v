(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* States the theorems, over the definitions in Box.v, Layout.v, Arrays.v, MixedRadix.v, Onto.v, PaddedBox.v,
   Fractal.v, ShapeStride.v, StrideLaws.v, Swizzles.v and LinearLayouts.v. Those about tiled layouts hold for every rank,
   every list of tiles and all sizes. Nothing else in this folder needs to be read to know what is proved. Coq prints for
   each theorem that it rests on no axiom. *)
Require Import ZArith List.
Require Import Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Injective Layoutcheck.Arrays Layoutcheck.MixedRadix Layoutcheck.Onto
  Layoutcheck.PaddedBox.
Require Layoutcheck.MixedRadixLayout Layoutcheck.Fractal Layoutcheck.ShapeStride Layoutcheck.StrideLaws Layoutcheck.Swizzles
  Layoutcheck.LinearLayouts Layoutcheck.Lemmas Layoutcheck.Bits.
Import ListNotations.
Open Scope Z_scope.

(* The linear index of an element is within the allocation. *)
Theorem in_bounds : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  forall index, InBox index sizes ->
  0 <= linear_index l sizes index < padded_elements l sizes /\ padded_elements l sizes <= allocated_elements l sizes.
Proof. exact Injective.in_bounds_of_allocation. Qed.
Print Assumptions in_bounds.

(* Different elements have different linear indices. *)
Theorem injective : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  forall i j, InBox i sizes -> InBox j sizes -> linear_index l sizes i = linear_index l sizes j -> i = j.
Proof. intros l sizes v r. apply Injective.injective; [exact v | rewrite order_length; exact r]. Qed.
Print Assumptions injective.

(* element_at finds the element from its linear index. *)
Theorem left_inverse : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  forall index, InBox index sizes -> element_at l sizes (linear_index l sizes index) = index.
Proof. intros l sizes v r. apply Injective.left_inverse; [exact v | rewrite order_length; exact r]. Qed.
Print Assumptions left_inverse.

(* Padding, reshaping and transposing an array puts each element at its linear index. *)
Theorem memory_at : forall (V : Type) l (a : array V), Valid l -> length (sizes_of V a) = length (minor_to_major l) ->
  forall index, InBox index (sizes_of V a) ->
  memory V l a (linear_index l (sizes_of V a) index) = at_index V a index.
Proof. intros V l a v r. apply Arrays.memory_at; [exact v | rewrite order_length; exact r]. Qed.
Print Assumptions memory_at.

(* It puts elements at no other place. *)
Theorem memory_only : forall (V : Type) l (a : array V), Valid l -> length (sizes_of V a) = length (minor_to_major l) ->
  Forall (fun d => 0 <= d) (sizes_of V a) ->
  forall p v, 0 <= p < padded_elements l (sizes_of V a) -> memory V l a p = Some v ->
  exists index, InBox index (sizes_of V a) /\ p = linear_index l (sizes_of V a) index.
Proof. intros V l a v r. apply Arrays.memory_only; [exact v | rewrite order_length; exact r]. Qed.
Print Assumptions memory_only.

(* The chain of mixed-radix steps computes the linear index. *)
Theorem mixed_radix_agrees : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  forall index, InBox index sizes -> chain_linear_index l sizes index = linear_index l sizes index.
Proof. intros l sizes v. exact (MixedRadixLayout.chain_agrees l v sizes). Qed.
Print Assumptions mixed_radix_agrees.

(* It leads to as many places. *)
Theorem mixed_radix_elements : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  volume (chain_sizes (layout_steps l sizes) sizes) = padded_elements l sizes.
Proof. intros l sizes v. exact (MixedRadixLayout.chain_elements l v sizes). Qed.
Print Assumptions mixed_radix_elements.

(* Its inverse finds each element. *)
Theorem coordinate_of_element : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  forall index, InBox index sizes -> coordinate l sizes (linear_index l sizes index) = Some index.
Proof. intros l sizes v. exact (MixedRadixLayout.coordinate_of_element l v sizes). Qed.
Print Assumptions coordinate_of_element.

(* At a place where its inverse finds an element, that element lies. *)
Theorem element_of_coordinate : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  Forall (fun d => 0 <= d) sizes -> forall p index, 0 <= p < padded_elements l sizes ->
  coordinate l sizes p = Some index -> InBox index sizes /\ linear_index l sizes index = p.
Proof. intros l sizes v. exact (MixedRadixLayout.element_of_coordinate l v sizes). Qed.
Print Assumptions element_of_coordinate.

(* Rounding a size up to whole tiles adds less than a tile. *)
Theorem padding_is_less_than_a_tile : forall d t, 0 < t -> 0 <= d -> d <= ceil_div d t * t < d + t.
Proof. exact Onto.padding_is_less_than_a_tile. Qed.
Print Assumptions padding_is_less_than_a_tile.

(* No smaller number of tiles holds a size. *)
Theorem padding_is_minimal : forall d t n, 0 < t -> d <= n * t -> ceil_div d t * t <= n * t.
Proof. exact Onto.padding_is_minimal. Qed.
Print Assumptions padding_is_minimal.

(* All sizes that the tiles of a layout cut are rounded up so. *)
Theorem all_padding_is_minimal : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  Forall (fun d => 0 <= d) sizes -> AllMinimal (tiles l) (permute (order l) sizes).
Proof.
  intros l sizes v r H. apply Onto.all_minimal; [apply tiles_valid; exact v |].
  unfold permute. apply Forall_map, Forall_forall. intros d Hd. apply (proj2 (permutation_facts _ (order_permutes l v))) in Hd.
  eapply Forall_forall; [exact H |]. apply nth_In. rewrite r, <- order_length. exact Hd.
Qed.
Print Assumptions all_padding_is_minimal.

(* An element is a point of the padded box, and the layout places it as that point. *)
Theorem element_in_box : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  Forall (fun d => 0 <= d) sizes -> forall index, InBox index sizes ->
  InBox (box_point l index) (box_of l sizes) /\
  box_place l (box_of l sizes) (box_point l index) = linear_index l sizes index.
Proof. intros l sizes v. exact (PaddedBox.element_in_box l v sizes). Qed.
Print Assumptions element_in_box.

(* Different points of the padded box have different places in the allocation. *)
Theorem box_in_bounds : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  forall point, InBox point (box_of l sizes) -> 0 <= box_place l (box_of l sizes) point < padded_elements l sizes.
Proof. intros l sizes v. exact (PaddedBox.box_in_bounds l v sizes). Qed.
Print Assumptions box_in_bounds.

Theorem box_injective : forall l sizes, Valid l -> forall a b, InBox a (box_of l sizes) -> InBox b (box_of l sizes) ->
  box_place l (box_of l sizes) a = box_place l (box_of l sizes) b -> a = b.
Proof. intros l sizes v. exact (PaddedBox.box_injective l v sizes). Qed.
Print Assumptions box_injective.

(* Where every tile divides the sizes that it meets in the padded box, each place has a point of it. *)
Theorem onto_padded_box : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  Forall (fun d => 0 <= d) sizes -> AllDivide (tiles l) (box_of l sizes) ->
  forall p, 0 <= p < padded_elements l sizes ->
  exists point, InBox point (box_of l sizes) /\ box_place l (box_of l sizes) point = p.
Proof. intros l sizes v. exact (PaddedBox.onto_padded_box l v sizes). Qed.
Print Assumptions onto_padded_box.

(* Where one does not, the last place has none. *)
Theorem last_place_is_padding : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  ~ AllDivide (tiles l) (box_of l sizes) ->
  forall point, InBox point (box_of l sizes) -> box_place l (box_of l sizes) point <> padded_elements l sizes - 1.
Proof. intros l sizes v. exact (PaddedBox.last_place_is_padding l v sizes). Qed.
Print Assumptions last_place_is_padding.

(* A fractal layout is a tiled layout: elements have the same places, and there are as many. *)
Theorem fractal_is_tiled : forall f sizes, Fractal.ValidFractal f sizes ->
  (forall index, InBox index sizes ->
    linear_index (Fractal.tiled_layout f) sizes index = Fractal.fractal_offset f sizes index) /\
  padded_elements (Fractal.tiled_layout f) sizes = Fractal.fractal_places f sizes.
Proof. exact Fractal.fractal_is_tiled. Qed.
Print Assumptions fractal_is_tiled.

(* Offsets of a shape:stride layout are below its cosize. *)
Theorem offset_in_bounds : forall l, Forall (fun d => 0 < d) (ShapeStride.sizes l) ->
  Forall (fun s => 0 <= s) (ShapeStride.strides l) ->
  forall c, ShapeStride.Within l c -> 0 <= ShapeStride.offset l c < ShapeStride.cosize l.
Proof. exact ShapeStride.offset_in_bounds. Qed.
Print Assumptions offset_in_bounds.

(* Coordinates with the same offset are the same, mode by mode, if strides dominate. *)
Theorem offset_injective : forall l, Forall (fun d => 0 < d) (ShapeStride.sizes l) -> ShapeStride.StridesDominate l ->
  forall a b, ShapeStride.Within l a -> ShapeStride.Within l b ->
  ShapeStride.offset l a = ShapeStride.offset l b -> ShapeStride.flat l a = ShapeStride.flat l b.
Proof. exact ShapeStride.offset_injective. Qed.
Print Assumptions offset_injective.

Theorem number_injective : forall l, Forall (fun d => 0 < d) (ShapeStride.sizes l) -> ShapeStride.StridesDominate l ->
  forall m n, 0 <= m < ShapeStride.size l -> 0 <= n < ShapeStride.size l ->
  ShapeStride.offset l (ShapeStride.Number m) = ShapeStride.offset l (ShapeStride.Number n) -> m = n.
Proof. exact ShapeStride.number_injective. Qed.
Print Assumptions number_injective.

(* The functions that decide laws of shape:stride layouts of numbers are right. *)
Theorem injective_by_strides : forall l order, StrideLaws.distinct_by_strides l order = true -> StrideLaws.Injective l.
Proof. exact StrideLaws.injective_by_strides. Qed.
Print Assumptions injective_by_strides.

Theorem injective_by_enumeration : forall l, StrideLaws.distinct_by_enumeration l = true -> StrideLaws.Injective l.
Proof. exact StrideLaws.injective_by_enumeration. Qed.
Print Assumptions injective_by_enumeration.

Theorem in_bounds_by_signs : forall l, StrideLaws.natural_by_signs l = true -> StrideLaws.InBounds l.
Proof. exact StrideLaws.in_bounds_by_signs. Qed.
Print Assumptions in_bounds_by_signs.

Theorem in_bounds_by_enumeration : forall l, StrideLaws.natural_by_enumeration l = true -> StrideLaws.InBounds l.
Proof. exact StrideLaws.in_bounds_by_enumeration. Qed.
Print Assumptions in_bounds_by_enumeration.

Theorem onto_by_reach : forall l order, StrideLaws.gapless_by_reach l order = true -> StrideLaws.Onto l.
Proof. exact StrideLaws.onto_by_reach. Qed.
Print Assumptions onto_by_reach.

Theorem onto_by_enumeration : forall l, StrideLaws.gapless_by_enumeration l = true -> StrideLaws.Onto l.
Proof. exact StrideLaws.onto_by_enumeration. Qed.
Print Assumptions onto_by_enumeration.

(* Offsets that are different lead back to their coordinates. *)
Theorem invertible : forall l, Forall (fun d => 0 <= d) (ShapeStride.sizes l) ->
  StrideLaws.Injective l -> StrideLaws.Invertible l.
Proof. exact StrideLaws.invertible. Qed.
Print Assumptions invertible.

(* A swizzle Sw<b,m,s> with |s| >= b is its own inverse, and permutes the natural numbers. *)
Theorem swizzle_is_its_inverse : forall b m s x, Swizzles.valid_swizzle b m s = true ->
  Swizzles.swizzle b m s (Swizzles.swizzle b m s x) = x.
Proof. exact Swizzles.swizzle_is_its_inverse. Qed.
Print Assumptions swizzle_is_its_inverse.

Theorem swizzle_permutes : forall b m s, Swizzles.valid_swizzle b m s = true -> Swizzles.Permutes (Swizzles.swizzle b m s).
Proof. exact Swizzles.swizzle_permutes. Qed.
Print Assumptions swizzle_permutes.

(* Laws of a shape:stride layout after which an offset k is added, and then a permutation f such as a swizzle is applied. *)
Theorem injective_after : forall f k l, Swizzles.Permutes f -> StrideLaws.Injective l -> Swizzles.InjectiveAfter f k l.
Proof. exact Swizzles.injective_after. Qed.
Print Assumptions injective_after.

Theorem invertible_after : forall f k l, Swizzles.Permutes f -> StrideLaws.Invertible l -> Swizzles.InvertibleAfter f k l.
Proof. exact Swizzles.invertible_after. Qed.
Print Assumptions invertible_after.

Theorem in_bounds_after : forall f k l, Swizzles.Permutes f ->
  Swizzles.InBoundsAfter (fun x => x) k l -> Swizzles.InBoundsAfter f k l.
Proof. exact Swizzles.in_bounds_after. Qed.
Print Assumptions in_bounds_after.

Theorem in_bounds_after_by_signs : forall k l, Swizzles.natural_by_signs_after k l = true ->
  Swizzles.InBoundsAfter (fun x => x) k l.
Proof. exact Swizzles.in_bounds_after_by_signs. Qed.
Print Assumptions in_bounds_after_by_signs.

Theorem in_bounds_after_by_enumeration : forall k l, Swizzles.natural_by_enumeration_after k l = true ->
  Swizzles.InBoundsAfter (fun x => x) k l.
Proof. exact Swizzles.in_bounds_after_by_enumeration. Qed.
Print Assumptions in_bounds_after_by_enumeration.

Theorem onto_after_by_reach : forall k l order, StrideLaws.gapless_by_reach l order = true ->
  Swizzles.OntoAfter (fun x => x) k l.
Proof. exact Swizzles.onto_after_by_reach. Qed.
Print Assumptions onto_after_by_reach.

Theorem onto_after_by_enumeration : forall f k l, Swizzles.gapless_by_enumeration_after f k l = true ->
  Swizzles.OntoAfter f k l.
Proof. exact Swizzles.onto_after_by_enumeration. Qed.
Print Assumptions onto_after_by_enumeration.

(* Layouts in bits with an inverse on the numbers with one bit. *)
Theorem injective_in_bits : forall images inverse, LinearLayouts.injective_by_elimination images inverse = true ->
  LinearLayouts.InjectiveInBits images.
Proof. exact LinearLayouts.injective_in_bits. Qed.
Print Assumptions injective_in_bits.

Theorem onto_in_bits : forall bits indices images inverse,
  LinearLayouts.onto_by_elimination bits indices images inverse = true -> LinearLayouts.OntoInBits indices images.
Proof. exact LinearLayouts.onto_in_bits. Qed.
Print Assumptions onto_in_bits.

Theorem equal_in_bits : forall images other, LinearLayouts.equal_lists images other = true ->
  LinearLayouts.EqualInBits images other.
Proof. exact LinearLayouts.equal_in_bits. Qed.
Print Assumptions equal_in_bits.

(* The lemmas of certificates. *)
Import Lemmas.
Print Assumptions K1.
Print Assumptions K2.
Print Assumptions K3.
Print Assumptions K3b.
Print Assumptions K4.
Print Assumptions K5.
Print Assumptions K6.
Print Assumptions K7.
Print Assumptions K8.
Print Assumptions K9.
Print Assumptions K9b.
Print Assumptions K10.
Print Assumptions K11.
Print Assumptions R10.
Print Assumptions R11.
Print Assumptions C1.
Print Assumptions C2.
Print Assumptions C3.
Print Assumptions P1.

(* Those about common bits. *)
Import Bits.
Print Assumptions lor_of_sum.
Print Assumptions lxor_of_sum.
Print Assumptions power_of_two.
Print Assumptions C4.
Print Assumptions B1.
Print Assumptions B2.
Print Assumptions B3.
Print Assumptions B4.
Print Assumptions B5.
Print Assumptions B6.
Print Assumptions B7.
Print Assumptions B8.
Print Assumptions B9.
Print Assumptions B10.
