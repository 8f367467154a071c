(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines boxes, their indices, and the row-major order of the indices. A box is a list of sizes, the most major one
   first. Proves that the row-major order numbers the indices of a box from 0 to its volume - 1, each number once. *)
Require Import ZArith List Lia.
Import ListNotations.
Open Scope Z_scope.

(* Returns the number of indices of a box. *)
Fixpoint volume (sizes : list Z) : Z :=
  match sizes with
  | [] => 1
  | size :: rest => size * volume rest
  end.

(* An index is in a box if it has one coordinate per size, each at least 0 and below the size. *)
Inductive InBox : list Z -> list Z -> Prop :=
| InBoxNil : InBox [] []
| InBoxCons : forall i index size sizes,
    0 <= i < size -> InBox index sizes -> InBox (i :: index) (size :: sizes).

(* Returns the row-major number of an index. *)
Fixpoint linearize (sizes index : list Z) : Z :=
  match sizes, index with
  | _ :: rest, i :: tail => i * volume rest + linearize rest tail
  | _, _ => 0
  end.

(* Returns the index with row-major number `p`. *)
Fixpoint delinearize (sizes : list Z) (p : Z) : list Z :=
  match sizes with
  | [] => []
  | _ :: rest => p / volume rest :: delinearize rest (p mod volume rest)
  end.

Lemma volume_pos : forall index sizes, InBox index sizes -> 0 < volume sizes.
Proof. induction 1; simpl; [lia | apply Z.mul_pos_pos; lia]. Qed.

Lemma volume_app : forall a b, volume (a ++ b) = volume a * volume b.
Proof. induction a; intros; cbn [app volume]; [ring | rewrite IHa; ring]. Qed.

Lemma inbox_app : forall i a, InBox i a -> forall j b, InBox j b -> InBox (i ++ j) (a ++ b).
Proof. induction 1; simpl; intros; auto using InBox. Qed.

Lemma inbox_length : forall i a, InBox i a -> length i = length a.
Proof. induction 1; simpl; auto. Qed.

Lemma div_of_sum : forall q r d, 0 <= r < d -> (q * d + r) / d = q.
Proof. intros. rewrite Z.div_add_l, Z.div_small; lia. Qed.

Lemma mod_of_sum : forall q r d, 0 <= r < d -> (q * d + r) mod d = r.
Proof. intros. rewrite Z.add_comm, Z.mod_add, Z.mod_small; lia. Qed.

Theorem linearize_in_bounds : forall index sizes,
  InBox index sizes -> 0 <= linearize sizes index < volume sizes.
Proof.
  induction 1 as [| i index size sizes Hi H IH]; simpl; [lia |].
  assert ((i + 1) * volume sizes <= size * volume sizes) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (0 <= i * volume sizes) by (apply Z.mul_nonneg_nonneg; lia).
  lia.
Qed.

Theorem delinearize_linearize : forall index sizes,
  InBox index sizes -> delinearize sizes (linearize sizes index) = index.
Proof.
  induction 1 as [| i index size sizes Hi H IH]; simpl; auto.
  pose proof (linearize_in_bounds _ _ H).
  rewrite div_of_sum, mod_of_sum, IH by lia. reflexivity.
Qed.

Theorem linearize_delinearize : forall sizes p,
  Forall (fun size => 0 < size) sizes -> 0 <= p < volume sizes ->
  InBox (delinearize sizes p) sizes /\ linearize sizes (delinearize sizes p) = p.
Proof.
  induction sizes as [| size sizes IH]; simpl; intros p H Hp.
  - split; [constructor | lia].
  - inversion H; subst.
    assert (0 < volume sizes).
    { clear - H3. induction H3; simpl; [lia | apply Z.mul_pos_pos; lia]. }
    pose proof (Z.mod_pos_bound p (volume sizes) ltac:(lia)).
    destruct (IH (p mod volume sizes) H3 ltac:(lia)) as [Hin Hpos].
    split.
    + constructor; auto. split; [apply Z.div_pos; lia |].
      apply Z.div_lt_upper_bound; lia.
    + rewrite Hpos. pose proof (Z.div_mod p (volume sizes) ltac:(lia)). lia.
Qed.

Corollary linearize_injective : forall sizes a b,
  InBox a sizes -> InBox b sizes -> linearize sizes a = linearize sizes b -> a = b.
Proof.
  intros sizes a b Ha Hb H.
  rewrite <- (delinearize_linearize a sizes Ha), <- (delinearize_linearize b sizes Hb), H. reflexivity.
Qed.
