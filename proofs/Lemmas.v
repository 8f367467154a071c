(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Proves the lemmas of mixed-radix arithmetic that certificates use, for all integers. The statements are those of
   solver/certificate/lemma.cc, in its order; a test compares them, so that no certificate uses a lemma that is not
   proved here. Division rounds down, and 0 <= e mod t < t for t >= 1. *)
Require Import ZArith Lia.
Require Import Layoutcheck.Box.
Open Scope Z_scope.

Lemma K1 e t : 1 <= t -> e = t * (e / t) + e mod t /\ 0 <= e mod t /\ e mod t < t.
Proof. intros. pose proof (Z.div_mod e t ltac:(lia)). pose proof (Z.mod_pos_bound e t ltac:(lia)). lia. Qed.

Lemma K2 a c R : 1 <= R -> c + 1 <= a -> c * R + R <= a * R.
Proof. nia. Qed.

Lemma K3 a b c d R : 0 <= b -> b < R -> 0 <= d -> d < R -> a * R + b = c * R + d -> a = c.
Proof. intros. rewrite <- (div_of_sum a b R), <- (div_of_sum c d R), H3; lia. Qed.

Lemma K3b a b c d R : a = c -> a * R + b = c * R + d -> b = d.
Proof. intros. subst. lia. Qed.

Lemma K4 e q r t : 0 <= r -> r < t -> e = q * t + r -> e / t = q.
Proof. intros. subst. apply div_of_sum. lia. Qed.

Lemma K5 e q r t Q M : e = q * t + r -> e = t * Q + M -> Q = q -> M = r.
Proof. intros. subst Q. lia. Qed.

Lemma K6 a b R : 0 <= a -> 0 <= b -> b < R -> 0 <= a * R + b.
Proof. nia. Qed.

Lemma K7 a A b R : a < A -> 0 <= b -> b < R -> a * R + b < A * R.
Proof. intros. assert ((a + 1) * R <= A * R) by (apply Z.mul_le_mono_nonneg_r; lia). lia. Qed.

Lemma K8 e d t N : 1 <= t -> 0 <= e -> e < d -> N = (d + (t - 1)) / t -> 0 <= e / t /\ e / t < N.
Proof.
  intros. subst. split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; [lia |].
  pose proof (K1 (d + (t - 1)) t ltac:(lia)). lia.
Qed.

Lemma K9 d t N : 1 <= t -> 0 <= d -> N = (d + (t - 1)) / t -> 0 <= N /\ d <= N * t /\ N * t < d + t.
Proof.
  intros. subst. pose proof (K1 (d + (t - 1)) t ltac:(lia)). split; [apply Z.div_pos; lia | lia].
Qed.

Lemma K9b d t N : 1 <= t -> 1 <= d -> N = (d + (t - 1)) / t -> 1 <= N.
Proof. intros. pose proof (K9 d t N ltac:(lia) ltac:(lia) H1). nia. Qed.

Lemma K10 p d S : 1 <= S -> 0 <= p -> p < d * S -> 0 <= p / S /\ p / S < d.
Proof. intros. split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]. Qed.

Lemma K11 a b : 1 <= a -> 1 <= b -> 1 <= a * b.
Proof. nia. Qed.

Lemma R10 a b c : a <= b -> 0 <= c -> a * c <= b * c.
Proof. nia. Qed.

Lemma R11 a b c : a * c < b * c -> 0 <= c -> a < b.
Proof. nia. Qed.

Lemma C1 x y m : x = y -> x * m = y * m.
Proof. intros. subst. reflexivity. Qed.

Lemma C2 x y s t : x = y -> s = t -> x / s = y / t.
Proof. intros. subst. reflexivity. Qed.

Lemma C3 x y s t : x = y -> s = t -> x mod s = y mod t.
Proof. intros. subst. reflexivity. Qed.

Lemma P1 x q r : x = 2 * q + r -> 0 <= r -> r < 2 -> x * x = x + 2 * (q * x - q + q * r).
Proof. intros. assert (r = 0 \/ r = 1) as [-> | ->] by lia; subst; ring. Qed.
