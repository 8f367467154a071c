(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Proves the lemmas about common bits of two integers, in two's complement of any width, that certificates use. p is a
   power of two where 1 <= p and it shares no bit with p - 1, which the lemmas call q. *)
Require Import ZArith Lia Bool.
Open Scope Z_scope.

Notation land := Z.land.

(* Bits by which sums without carries are compared. *)
Ltac bitwise := apply Z.bits_inj'; intros; repeat (rewrite ?Z.land_spec, ?Z.lor_spec, ?Z.lxor_spec, ?Z.lnot_spec by lia).

Theorem lor_of_sum x y : Z.lor x y = x + y - Z.land x y.
Proof.
  assert (H1 : Z.land (Z.lxor x y) (Z.land x y) = 0).
  { bitwise. rewrite Z.bits_0. destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  assert (H2 : Z.land x (Z.ldiff y x) = 0).
  { bitwise. rewrite Z.ldiff_spec, Z.bits_0. destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  assert (H3 : Z.land (Z.land x y) (Z.ldiff y x) = 0).
  { bitwise. rewrite Z.ldiff_spec, Z.bits_0. destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  assert (H4 : x + Z.ldiff y x = Z.lor x y).
  { rewrite Z.add_nocarry_lxor by exact H2. bitwise. rewrite Z.ldiff_spec.
    destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  assert (H5 : Z.land x y + Z.ldiff y x = y).
  { rewrite Z.add_nocarry_lxor by exact H3. bitwise. rewrite Z.ldiff_spec.
    destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  lia.
Qed.

Theorem lxor_of_sum x y : Z.lxor x y = x + y - 2 * Z.land x y.
Proof.
  assert (H1 : Z.land (Z.lxor x y) (Z.land x y) = 0).
  { bitwise. rewrite Z.bits_0. destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  assert (H2 : Z.lxor x y + Z.land x y = Z.lor x y).
  { rewrite Z.add_nocarry_lxor by exact H1. bitwise. destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  rewrite lor_of_sum in H2. lia.
Qed.

Theorem power_of_two p : 1 <= p -> Z.land p (p - 1) = 0 -> exists k, 0 <= k /\ p = 2 ^ k.
Proof.
  intros Hp H. exists (Z.log2 p). pose proof (Z.log2_nonneg p). split; [assumption |].
  destruct (Z.log2_spec p ltac:(lia)) as [Hlow Hhigh].
  destruct (Z.eq_dec p (2 ^ Z.log2 p)) as [|Hne]; [assumption | exfalso].
  assert (Hlog : Z.log2 (p - 1) = Z.log2 p) by (apply Z.log2_unique; lia).
  assert (Hbit : Z.testbit (Z.land p (p - 1)) (Z.log2 p) = true).
  { rewrite Z.land_spec, Z.bit_log2 by lia. rewrite <- Hlog. apply Z.bit_log2.
    assert (0 < 2 ^ Z.log2 p) by (apply Z.pow_pos_nonneg; lia). lia. }
  rewrite H, Z.bits_0 in Hbit. discriminate.
Qed.

Lemma C4 x y s t : x = s -> y = t -> land x y = land s t.
Proof. intros. subst. reflexivity. Qed.

Lemma B1 x y : 0 <= x -> 0 <= land x y /\ land x y <= x.
Proof.
  intros. assert (0 <= Z.land x y) by (apply Z.land_nonneg; lia). split; [assumption |].
  assert (H1 : Z.land (Z.land x y) (Z.ldiff x y) = 0).
  { bitwise. rewrite Z.ldiff_spec, Z.bits_0. destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  assert (H2 : Z.land x y + Z.ldiff x y = x).
  { rewrite Z.add_nocarry_lxor by exact H1. bitwise. rewrite Z.ldiff_spec.
    destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  assert (0 <= Z.ldiff x y) by (apply Z.ldiff_nonneg; lia). lia.
Qed.

Lemma B2 x s : x = s -> land x s = x.
Proof. intros. subst. apply Z.land_diag. Qed.

Lemma B3 x y z c d : c = land x y -> d = land y z -> land c z = land x d.
Proof. intros. subst. symmetry. apply Z.land_assoc. Qed.

Lemma B4 x y z c s : c = land x y -> s = x + y - c -> land s z = land x z + land y z - land c z.
Proof.
  intros. subst. rewrite <- lor_of_sum.
  replace (Z.land (Z.land x y) z) with (Z.land (Z.land x z) (Z.land y z)).
  - rewrite <- lor_of_sum. bitwise. destruct (Z.testbit x n), (Z.testbit y n), (Z.testbit z n); reflexivity.
  - bitwise. destruct (Z.testbit x n), (Z.testbit y n), (Z.testbit z n); reflexivity.
Qed.

Lemma B5 x y z c s : c = land x y -> s = x + y - 2 * c -> land s z = land x z + land y z - 2 * land c z.
Proof.
  intros. subst. rewrite <- lxor_of_sum.
  replace (Z.land (Z.land x y) z) with (Z.land (Z.land x z) (Z.land y z)).
  - rewrite <- lxor_of_sum. bitwise. destruct (Z.testbit x n), (Z.testbit y n), (Z.testbit z n); reflexivity.
  - bitwise. destruct (Z.testbit x n), (Z.testbit y n), (Z.testbit z n); reflexivity.
Qed.

Lemma B6 x y s : s + x + 1 = 0 -> land s y = y - land x y.
Proof.
  intros H. replace s with (Z.lnot x) by (unfold Z.lnot; lia).
  assert (H1 : Z.land (Z.land (Z.lnot x) y) (Z.land x y) = 0).
  { bitwise. rewrite Z.bits_0. destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  assert (H2 : Z.land (Z.lnot x) y + Z.land x y = y).
  { rewrite Z.add_nocarry_lxor by exact H1. bitwise. destruct (Z.testbit x n), (Z.testbit y n); reflexivity. }
  lia.
Qed.

Lemma B7 x p q : 1 <= p -> q = p - 1 -> land p q = 0 -> land x q = x mod p.
Proof.
  intros Hp -> H. destruct (power_of_two p Hp H) as (k & Hk & ->).
  rewrite <- Z.land_ones by assumption. rewrite Z.ones_equiv. reflexivity.
Qed.

Lemma B8 x y p q m : 1 <= p -> q = p - 1 -> land p q = 0 -> 0 <= x -> x < p -> m = y mod p -> land x y = land x m.
Proof.
  intros Hp Hq H H0 Hx ->. rewrite <- (B7 y p q Hp Hq H), (Z.land_comm y q), Z.land_assoc, (B7 x p q Hp Hq H).
  rewrite Z.mod_small by lia. reflexivity.
Qed.

Lemma B9 x y p q u v : 1 <= p -> q = p - 1 -> land p q = 0 -> x mod p = 0 -> u = x / p -> v = y / p ->
  land x y = p * land u v.
Proof.
  intros Hp -> H Hx -> ->. destruct (power_of_two p Hp H) as (k & Hk & ->).
  rewrite <- !Z.shiftr_div_pow2 by assumption. rewrite <- Z.shiftr_land, Z.mul_comm, <- Z.shiftl_mul_pow2 by assumption.
  rewrite <- Z.ldiff_ones_r by assumption. bitwise. rewrite Z.ldiff_spec, Z.land_spec.
  destruct (Z.lt_ge_cases n k).
  - replace (Z.testbit x n) with false; [reflexivity |].
    rewrite <- (Z.mod_pow2_bits_low x k n) by lia. rewrite Hx, Z.bits_0. reflexivity.
  - rewrite Z.ones_spec_high by lia. rewrite andb_true_r. reflexivity.
Qed.

Lemma B10 x y p q c : 1 <= p -> q = p - 1 -> land p q = 0 -> 0 <= x -> x < p -> 0 <= y -> y < p -> c = land x y ->
  x + y - c < p.
Proof.
  intros Hp -> H Hx Hxp Hy Hyp ->. destruct (power_of_two p Hp H) as (k & Hk & ->). rewrite <- lor_of_sum.
  assert (0 <= Z.lor x y) by (apply Z.lor_nonneg; lia).
  assert (HM : Z.land (Z.lor x y) (Z.ones k) = Z.lor x y).
  { replace (Z.land (Z.lor x y) (Z.ones k)) with (Z.lor (Z.land x (Z.ones k)) (Z.land y (Z.ones k))).
    - rewrite !Z.land_ones, !Z.mod_small by lia. reflexivity.
    - bitwise. destruct (Z.testbit x n), (Z.testbit y n), (Z.testbit (Z.ones k) n); reflexivity. }
  rewrite Z.land_ones in HM by assumption. rewrite <- HM. apply Z.mod_pos_bound. apply Z.pow_pos_nonneg; lia.
Qed.
