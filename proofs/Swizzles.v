(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines CuTe's swizzles (CUTLASS, include/cute/swizzle.hpp), and the laws of a shape:stride
   layout l with an offset k and a function f of offsets after it: the place of a coordinate is f (k + offset l c). f is a
   swizzle, or `fun x => x` where there is none.

   Proves that a swizzle permutes the integers and the natural numbers among them, so that laws of the layout are laws of the
   composition, and that functions of StrideLaws.v decide these laws for layouts of numbers. *)
Require Import ZArith List Lia Permutation Bool.
Require Import Layoutcheck.Box Layoutcheck.ShapeStride Layoutcheck.StrideLaws.
Import ListNotations.
Open Scope Z_scope.

(* Sw<b,m,s>: the b bits of x that the mask selects are added, by exclusive or, to those that are s below. *)
Definition mask (b m s : Z) : Z := Z.shiftl (Z.ones b) (m + Z.max 0 s).
Definition swizzle (b m s x : Z) : Z := Z.lxor x (Z.shiftr (Z.land x (mask b m s)) s).

Definition InjectiveAfter (f : Z -> Z) (k : Z) (l : shape_stride) : Prop :=
  forall a b, Within l a -> Within l b -> f (k + offset l a) = f (k + offset l b) -> flat l a = flat l b.
Definition InvertibleAfter (f : Z -> Z) (k : Z) (l : shape_stride) : Prop :=
  exists element_at : Z -> list Z, forall c, Within l c -> element_at (f (k + offset l c)) = flat l c.
Definition InBoundsAfter (f : Z -> Z) (k : Z) (l : shape_stride) : Prop := forall c, Within l c -> 0 <= f (k + offset l c).
Definition OntoAfter (f : Z -> Z) (k : Z) (l : shape_stride) : Prop :=
  forall a b p, Within l a -> Within l b -> f (k + offset l a) <= p <= f (k + offset l b) ->
  exists c, Within l c /\ f (k + offset l c) = p.

(* Whether no bit is both selected by the mask and changed. *)
Definition valid_swizzle (b m s : Z) : bool := (0 <=? b) && (0 <=? m) && (b <=? Z.abs s).
Definition natural_by_signs_after (k : Z) (l : shape_stride) : bool :=
  natural_sizes l && (0 <=? k + lowest (sizes l) (strides l)).
Definition natural_by_enumeration_after (k : Z) (l : shape_stride) : bool :=
  natural_sizes l && forallb (fun x => 0 <=? k + x) (all_offsets l).
Definition gapless_by_enumeration_after (f : Z -> Z) (k : Z) (l : shape_stride) : bool :=
  natural_sizes l && neighbors (fun x y => (x <=? y) && (y <=? x + 1)) (Sorting.sort (map (fun x => f (k + x)) (all_offsets l))).

(* f has an inverse, and natural numbers stay natural. *)
Definition Permutes (f : Z -> Z) : Prop := (exists inverse, forall x, inverse (f x) = x) /\ forall x, 0 <= x -> 0 <= f x.

(** ** A swizzle is its own inverse *)

Lemma mask_bit : forall b m s n, 0 <= b -> 0 <= m -> 0 <= n ->
  Z.testbit (mask b m s) n = true -> m + Z.max 0 s <= n < m + Z.max 0 s + b.
Proof.
  unfold mask. intros b m s n Hb Hm Hn H. rewrite Z.shiftl_spec in H by lia.
  destruct (Z_lt_ge_dec n (m + Z.max 0 s)) as [L | L]; [rewrite Z.testbit_neg_r in H by lia; discriminate |].
  destruct (Z_lt_ge_dec n (m + Z.max 0 s + b)) as [L' | L']; [lia |].
  rewrite Z.ones_spec_high in H by lia. discriminate.
Qed.

Lemma masked_bits_stay : forall b m s x, valid_swizzle b m s = true ->
  Z.land (swizzle b m s x) (mask b m s) = Z.land x (mask b m s).
Proof.
  unfold valid_swizzle. intros b m s x V. rewrite !andb_true_iff, !Z.leb_le in V. destruct V as [[Hb Hm] Hs].
  apply Z.bits_inj'. intros n Hn. unfold swizzle. rewrite !Z.land_spec, Z.lxor_spec, Z.shiftr_spec, Z.land_spec by lia.
  destruct (Z.testbit (mask b m s) n) eqn:E; [| rewrite !andb_false_r; reflexivity].
  apply mask_bit in E; [| lia ..]. rewrite !andb_true_r.
  destruct (Z_lt_ge_dec (n + s) 0) as [L | L]; [rewrite (Z.testbit_neg_r x (n + s)), xorb_false_r by lia; reflexivity |].
  destruct (Z.testbit (mask b m s) (n + s)) eqn:F; [| rewrite andb_false_r, xorb_false_r; reflexivity].
  apply mask_bit in F; lia.
Qed.

Theorem swizzle_is_its_inverse : forall b m s x, valid_swizzle b m s = true -> swizzle b m s (swizzle b m s x) = x.
Proof.
  intros b m s x V. unfold swizzle at 1. rewrite masked_bits_stay by exact V. unfold swizzle.
  rewrite Z.lxor_assoc, Z.lxor_nilpotent, Z.lxor_0_r. reflexivity.
Qed.

Theorem swizzle_permutes : forall b m s, valid_swizzle b m s = true -> Permutes (swizzle b m s).
Proof.
  intros b m s V. split.
  - exists (swizzle b m s). intros x. apply swizzle_is_its_inverse, V.
  - intros x H. unfold swizzle. apply Z.lxor_nonneg. rewrite Z.shiftr_nonneg, Z.land_nonneg. tauto.
Qed.

Theorem identity_permutes : Permutes (fun x => x).
Proof. split; [exists (fun x => x); reflexivity | trivial]. Qed.

(** ** Laws of the layout are laws of the composition *)

Theorem injective_after : forall f k l, Permutes f -> Injective l -> InjectiveAfter f k l.
Proof.
  intros f k l [(g & G) _] H a b Ha Hb E. apply H; auto. apply (f_equal g) in E. rewrite !G in E. lia.
Qed.

Theorem invertible_after : forall f k l, Permutes f -> Invertible l -> InvertibleAfter f k l.
Proof.
  intros f k l [(g & G) _] (element_at & H). exists (fun p => element_at (g p - k)). intros c Hc.
  rewrite G. replace (k + offset l c - k) with (offset l c) by ring. apply H, Hc.
Qed.

Theorem in_bounds_after : forall f k l, Permutes f -> InBoundsAfter (fun x => x) k l -> InBoundsAfter f k l.
Proof. intros f k l [_ N] H c Hc. apply N, H, Hc. Qed.

Theorem in_bounds_after_by_signs : forall k l, natural_by_signs_after k l = true -> InBoundsAfter (fun x => x) k l.
Proof.
  unfold natural_by_signs_after. intros k l H c Hc. apply andb_true_iff in H. destruct H as [Hs H].
  apply natural_sizes_are in Hs. apply Z.leb_le in H.
  pose proof (between_lowest_and_highest _ _ (within_in_box l c Hs Hc) (strides l) (strides_length l)).
  unfold offset. lia.
Qed.

Theorem in_bounds_after_by_enumeration : forall k l, natural_by_enumeration_after k l = true ->
  InBoundsAfter (fun x => x) k l.
Proof.
  unfold natural_by_enumeration_after. intros k l H c Hc. apply andb_true_iff in H. destruct H as [Hs H].
  apply natural_sizes_are in Hs. rewrite forallb_forall in H. apply Z.leb_le, H. rewrite offsets_of_layout.
  apply in_map_iff. exists (flat l c). split; [reflexivity | apply in_box, within_in_box; assumption].
Qed.

Theorem onto_after_by_reach : forall k l order, gapless_by_reach l order = true -> OntoAfter (fun x => x) k l.
Proof.
  intros k l order H a b p Ha Hb Hp. destruct (onto_by_reach l order H a b (p - k) Ha Hb) as (c & Hc & E); [lia |].
  exists c. split; [exact Hc | lia].
Qed.

Theorem onto_after_by_enumeration : forall f k l, gapless_by_enumeration_after f k l = true -> OntoAfter f k l.
Proof.
  unfold gapless_by_enumeration_after. intros f k l H a b p Ha Hb Hp. apply andb_true_iff in H. destruct H as [Hs H].
  apply natural_sizes_are in Hs. rewrite offsets_of_layout, map_map in H.
  set (place := fun i => f (k + dot i (strides l))) in *.
  assert (Hin : forall c, Within l c -> In (f (k + offset l c)) (Sorting.sort (map place (box (sizes l))))).
  { intros c Hc. eapply Permutation_in; [apply Sorting.Permuted_sort |]. apply in_map_iff. exists (flat l c).
    split; [reflexivity | apply in_box, within_in_box; assumption]. }
  apply Hin in Ha, Hb. assert (H' : In p (Sorting.sort (map place (box (sizes l))))).
  { destruct (Sorting.sort _) as [| x rest]; [destruct Ha |]. eapply (neighbors_gapless rest x _ p H Hb).
    apply (neighbors_least _ rest x) in H; [| intros y z Hy; apply andb_true_iff in Hy; rewrite !Z.leb_le in Hy; lia].
    destruct Ha as [E | Ha]; [lia |]. eapply Forall_forall in H; [| exact Ha]. lia. }
  eapply Permutation_in in H'; [| apply Permutation_sym, Sorting.Permuted_sort]. apply in_map_iff in H'.
  destruct H' as (i & E & Hi). apply in_box, coordinate_of_index in Hi. destruct Hi as (c & Hc & <-).
  exists c. split; [exact Hc | exact E].
Qed.

(* Reduces a law of a composition to the law of the layout, or of its offsets before f. *)
Ltac composition :=
  lazymatch goal with
  | |- InjectiveAfter _ _ _ => apply injective_after
  | |- InvertibleAfter _ _ _ => apply invertible_after
  | |- InBoundsAfter _ _ _ => apply in_bounds_after
  | |- OntoAfter _ _ _ => idtac
  end; try solve [exact identity_permutes | apply swizzle_permutes; reflexivity].
