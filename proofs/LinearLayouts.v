(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines layouts in bits: linear maps from the bits of an input to the bits of an index, as Triton has them
   (include/triton/Tools/LinearLayout.h in its sources). An image is the index of an input with one bit; the index of any
   input is the exclusive or of the images of its bits.

   Proves that such a layout is injective if it has a left inverse on the inputs with one bit, and onto if it has a right
   inverse on the indices with one bit. Two layouts with the same images are equal. *)
Require Import ZArith List Lia Bool.
Require Export Layoutcheck.Box.
Export ListNotations.
Open Scope Z_scope.

(* Returns the exclusive or of the images of the bits of x. The first image is that of the lowest bit. *)
Fixpoint index_of (images : list Z) (x : Z) : Z :=
  match images with
  | [] => 0
  | image :: rest => Z.lxor (if Z.odd x then image else 0) (index_of rest (Z.div2 x))
  end.

(* Returns 2^from, 2^(from + 1), ...: n numbers. *)
Fixpoint powers (n : nat) (from : Z) : list Z :=
  match n with
  | O => []
  | S rest => 2 ^ from :: powers rest (from + 1)
  end.

(* Different inputs have different indices. *)
Definition InjectiveInBits (images : list Z) : Prop :=
  forall x y, 0 <= x < 2 ^ Z.of_nat (length images) -> 0 <= y < 2 ^ Z.of_nat (length images) ->
  index_of images x = index_of images y -> x = y.
(* Each of so many indices is that of an input. *)
Definition OntoInBits (indices : Z) (images : list Z) : Prop :=
  forall p, 0 <= p < indices -> exists x, 0 <= x < 2 ^ Z.of_nat (length images) /\ index_of images x = p.

(* Two layouts have the same index at every input. *)
Definition EqualInBits (images other : list Z) : Prop := forall x, index_of images x = index_of other x.

Fixpoint equal_lists (a b : list Z) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => (x =? y) && equal_lists a' b'
  | _, _ => false
  end.

(* Whether `first`, then `second`, leads from each number with one of n bits back to it. *)
Definition undoes (second first : list Z) (n : nat) : bool := equal_lists (map (index_of second) first) (powers n 0).

Definition injective_by_elimination (images inverse : list Z) : bool := undoes inverse images (length images).
Definition onto_by_elimination (bits : nat) (indices : Z) (images inverse : list Z) : bool :=
  (indices =? 2 ^ Z.of_nat bits) && undoes images inverse bits &&
  forallb (fun x => (0 <=? x) && (x <? 2 ^ Z.of_nat (length images))) inverse.

(** ** Exclusive or of inputs is exclusive or of indices *)

Lemma index_of_0 : forall images, index_of images 0 = 0.
Proof. induction images as [| a images IH]; [reflexivity |]. cbn [index_of]. exact IH. Qed.

Lemma index_of_lxor : forall images x y, index_of images (Z.lxor x y) = Z.lxor (index_of images x) (index_of images y).
Proof.
  induction images as [| a images IH]; intros x y; [reflexivity |]. cbn [index_of].
  rewrite <- !Z.bit0_odd, Z.lxor_spec, Z.div2_spec, Z.shiftr_lxor, <- !Z.div2_spec, IH.
  apply Z.bits_inj'. intros n Hn. rewrite !Z.lxor_spec.
  destruct (Z.testbit x 0), (Z.testbit y 0); cbn [xorb]; rewrite ?Z.bits_0;
    repeat match goal with |- context [Z.testbit ?z n] => destruct (Z.testbit z n) end; reflexivity.
Qed.

Lemma index_of_index : forall second first x, index_of second (index_of first x) = index_of (map (index_of second) first) x.
Proof.
  intros second. induction first as [| a first IH]; intros x; cbn [index_of map]; [apply index_of_0 |].
  rewrite index_of_lxor, IH. destruct (Z.odd x); [| rewrite index_of_0]; reflexivity.
Qed.

Lemma index_of_powers : forall n from x, 0 <= from -> 0 <= x < 2 ^ Z.of_nat n ->
  index_of (powers n from) x = x * 2 ^ from.
Proof.
  induction n as [| n IH]; intros from x Hf Hx; cbn [powers index_of]; [cbn in Hx; lia |].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hx by lia. pose proof (Z.div2_odd x) as E.
  assert (0 <= Z.b2z (Z.odd x) <= 1) by (destruct (Z.odd x); cbn; lia).
  rewrite IH by lia. rewrite Z.pow_add_r by lia.
  replace (Z.div2 x * (2 ^ from * 2 ^ 1)) with (Z.shiftl (Z.div2 x) (from + 1))
    by (rewrite Z.shiftl_mul_pow2, Z.pow_add_r by lia; reflexivity).
  destruct (Z.odd x); cbn [Z.b2z] in E.
  - rewrite <- Z.add_nocarry_lxor.
    + rewrite Z.shiftl_mul_pow2, Z.pow_add_r by lia. rewrite E at 2. ring.
    + apply Z.bits_inj'. intros k Hk. rewrite Z.land_spec, Z.bits_0, Z.pow2_bits_eqb by lia.
      destruct (Z.eqb_spec from k) as [<- |]; [| reflexivity]. rewrite Z.shiftl_spec by lia.
      rewrite (Z.testbit_neg_r _ (from - (from + 1))) by lia. reflexivity.
  - rewrite Z.lxor_0_l, Z.shiftl_mul_pow2, Z.pow_add_r by lia. rewrite E at 2. ring.
Qed.

Lemma equal_lists_are : forall a b, equal_lists a b = true -> a = b.
Proof.
  induction a as [| x a IH]; intros [| y b] H; try discriminate; [reflexivity |]. cbn [equal_lists] in H.
  apply andb_prop in H. destruct H as [H1 H2]. apply Z.eqb_eq in H1. rewrite H1, (IH b H2). reflexivity.
Qed.

Theorem equal_in_bits : forall images other, equal_lists images other = true -> EqualInBits images other.
Proof. intros images other H x. rewrite (equal_lists_are _ _ H). reflexivity. Qed.

Lemma undoes_all : forall second first n, undoes second first n = true -> forall x, 0 <= x < 2 ^ Z.of_nat n ->
  index_of second (index_of first x) = x.
Proof.
  unfold undoes. intros second first n H x Hx. rewrite index_of_index, (equal_lists_are _ _ H), index_of_powers by lia.
  lia.
Qed.

Theorem injective_in_bits : forall images inverse, injective_by_elimination images inverse = true -> InjectiveInBits images.
Proof.
  intros images inverse H x y Hx Hy E. rewrite <- (undoes_all _ _ _ H x Hx), <- (undoes_all _ _ _ H y Hy), E. reflexivity.
Qed.

Lemma lxor_below : forall n a b, 0 <= a < 2 ^ n -> 0 <= b < 2 ^ n -> 0 <= Z.lxor a b < 2 ^ n.
Proof.
  intros n a b Ha Hb. destruct (Z_lt_ge_dec n 0) as [L | L]; [rewrite Z.pow_neg_r in Ha by lia; lia |].
  assert (N : 0 <= Z.lxor a b) by (apply Z.lxor_nonneg; lia). split; [exact N |].
  destruct (Z.eq_dec (Z.lxor a b) 0) as [-> |]; [lia |].
  assert (n <> 0) by (intros ->; replace a with 0 in * by lia; replace b with 0 in * by lia; contradiction).
  apply Z.log2_lt_pow2; [lia |].
  apply Z.le_lt_trans with (Z.max (Z.log2 a) (Z.log2 b)); [apply Z.log2_lxor; lia |]. apply Z.max_lub_lt.
  - destruct (Z.eq_dec a 0) as [-> |]; [cbn; lia | apply Z.log2_lt_pow2; lia].
  - destruct (Z.eq_dec b 0) as [-> |]; [cbn; lia | apply Z.log2_lt_pow2; lia].
Qed.

Lemma index_below : forall n images x, 0 <= n -> Forall (fun a => 0 <= a < 2 ^ n) images -> 0 <= index_of images x < 2 ^ n.
Proof.
  intros n images x Hn H. revert x. induction H as [| a images Ha H IH]; intros x; cbn [index_of]; [lia |].
  apply lxor_below; [destruct (Z.odd x); lia | apply IH].
Qed.

Theorem onto_in_bits : forall bits indices images inverse, onto_by_elimination bits indices images inverse = true ->
  OntoInBits indices images.
Proof.
  unfold onto_by_elimination. intros bits indices images inverse H p Hp. rewrite !andb_true_iff, Z.eqb_eq in H.
  destruct H as [[-> H] B]. exists (index_of inverse p). split; [| exact (undoes_all _ _ _ H p Hp)].
  apply index_below; [lia |]. apply Forall_forall. intros a Ha. rewrite forallb_forall in B. apply B, andb_prop in Ha. lia.
Qed.
