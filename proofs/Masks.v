(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Proves that x & m is a sum of digits of x, one for each run of ones in the number m. Certificates use it where one side of
   & | ^ is a number. *)
Require Import ZArith Lia List Bool.
Require Import Layoutcheck.Bits.
Import ListNotations.
Open Scope Z_scope.

(* A run of ones is its lowest bit and its length. Returns the number that has these runs. *)
Fixpoint mask_of (runs : list (Z * Z)) : Z :=
  match runs with
  | [] => 0
  | (low, length) :: rest => 2 ^ low * (2 ^ length - 1) + mask_of rest
  end.

(* Says that no run begins below `low`, nor before the one in front of it ends. *)
Fixpoint rising (low : Z) (runs : list (Z * Z)) : bool :=
  match runs with
  | [] => true
  | (first, length) :: rest => (low <=? first) && (0 <=? length) && rising (first + length) rest
  end.

Definition shifted (low x : Z) : Z := match low with 0 => x | _ => x / 2 ^ low end.
Fixpoint masked (x : Z) (runs : list (Z * Z)) : Z :=
  match runs with
  | [] => 0
  | (low, length) :: rest => shifted low x mod 2 ^ length * 2 ^ low + masked x rest
  end.

(* Returns the runs of a number that is at least 0. *)
Fixpoint runs_from (m : positive) (bit ones : Z) : list (Z * Z) :=
  match m with
  | xH => [(bit - ones, ones + 1)]
  | xI rest => runs_from rest (bit + 1) (ones + 1)
  | xO rest => if ones =? 0 then runs_from rest (bit + 1) 0 else (bit - ones, ones) :: runs_from rest (bit + 1) 0
  end.
Definition runs_of (m : Z) : list (Z * Z) := match m with Zpos p => runs_from p 0 0 | _ => [] end.

Lemma power_shares_no_bit : forall k, 0 <= k -> Z.land (2 ^ k) (2 ^ k - 1) = 0.
Proof.
  intros k Hk. replace (2 ^ k - 1) with (Z.ones k) by (rewrite Z.ones_equiv; lia).
  rewrite Z.land_ones by exact Hk. apply Z.mod_same. pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) Hk). lia.
Qed.

Lemma bits_of_run : forall x low length, 0 <= low -> 0 <= length ->
  Z.land (2 ^ low * (2 ^ length - 1)) x = shifted low x mod 2 ^ length * 2 ^ low.
Proof.
  intros x low length Hl Hn. pose proof (Z.pow_pos_nonneg 2 low ltac:(lia) Hl).
  replace (shifted low x) with (x / 2 ^ low) by (destruct low; [rewrite Z.pow_0_r, Z.div_1_r |..]; reflexivity).
  rewrite (B9 _ _ (2 ^ low) (2 ^ low - 1) (2 ^ length - 1) (x / 2 ^ low)); try lia.
  - rewrite Z.land_comm. replace (2 ^ length - 1) with (Z.ones length) by (rewrite Z.ones_equiv; lia).
    rewrite Z.land_ones by exact Hn. lia.
  - apply power_shares_no_bit. exact Hl.
  - rewrite Z.mul_comm. apply Z.mod_mul. lia.
  - rewrite Z.mul_comm, Z.div_mul by lia. reflexivity.
Qed.

Lemma masked_bits : forall x runs low, 0 <= low -> rising low runs = true ->
  Z.land (mask_of runs) x = masked x runs /\ mask_of runs mod 2 ^ low = 0.
Proof.
  intros x. induction runs as [| [first length] rest IH]; intros low Hlow H; cbn [mask_of masked rising] in *.
  - rewrite Z.land_0_l. split; [reflexivity | apply Z.mod_0_l].
    pose proof (Z.pow_pos_nonneg 2 low ltac:(lia) Hlow). lia.
  - apply andb_prop in H. destruct H as [H H3]. apply andb_prop in H. destruct H as [H1 H2].
    apply Z.leb_le in H1, H2. destruct (IH (first + length) ltac:(lia) H3) as [IH1 IH2].
    pose proof (Z.pow_pos_nonneg 2 first ltac:(lia) ltac:(lia)) as P1.
    pose proof (Z.pow_pos_nonneg 2 length ltac:(lia) ltac:(lia)) as P2.
    pose proof (Z.pow_pos_nonneg 2 low ltac:(lia) ltac:(lia)) as P3.
    assert (E : 2 ^ (first + length) = 2 ^ first * 2 ^ length) by (apply Z.pow_add_r; lia).
    assert (D : Z.land (2 ^ first * (2 ^ length - 1)) (mask_of rest) = 0).
    { rewrite (B8 _ (mask_of rest) (2 ^ (first + length)) (2 ^ (first + length) - 1) 0); try nia.
      - apply Z.land_0_r.
      - apply power_shares_no_bit. lia. }
    split.
    + rewrite (B4 (2 ^ first * (2 ^ length - 1)) (mask_of rest) x 0); [| lia | lia].
      rewrite IH1, bits_of_run, Z.land_0_l by lia. lia.
    + replace (2 ^ first) with (2 ^ (first - low) * 2 ^ low) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
      apply Z.mod_divide in IH2; [| lia]. destruct IH2 as [k Hk]. rewrite Hk, E.
      replace first with (first - low + low) at 2 by lia. rewrite Z.pow_add_r by lia.
      replace (2 ^ (first - low) * 2 ^ low * (2 ^ length - 1) + k * (2 ^ (first - low) * 2 ^ low * 2 ^ length))
        with ((2 ^ (first - low) * (2 ^ length - 1) + k * 2 ^ (first - low) * 2 ^ length) * 2 ^ low) by ring.
      apply Z.mod_mul. lia.
Qed.

Lemma bits_of_natural : forall x m runs, mask_of runs = m -> rising 0 runs = true -> Z.land x m = masked x runs.
Proof. intros x m runs <- H. rewrite Z.land_comm. apply (masked_bits x runs 0); [lia | exact H]. Qed.

Lemma bits_of_negative : forall x m runs, mask_of runs = -1 - m -> rising 0 runs = true ->
  Z.land x m = x - masked x runs.
Proof.
  intros x m runs Hm H. rewrite Z.land_comm, (B6 (mask_of runs) x m) by lia. f_equal.
  apply (masked_bits x runs 0); [lia | exact H].
Qed.
