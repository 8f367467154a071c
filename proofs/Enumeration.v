(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines tests of claims about formulas at one point and at all points of a domain, and the tactics of certificates with the
   line `by enumeration`. Proves that a claim holds where the tests of all points return true. *)
Require Import ZArith List Lia Bool.
Require Import Layoutcheck.Formula.
Require Layoutcheck.StrideLaws.
Import ListNotations.
Open Scope Z_scope.

(* Returns whether the test is true of all numbers from low to high. *)
Definition each (low high : Z) (test : Z -> bool) : bool :=
  forallb test (StrideLaws.count (Z.to_nat (high - low + 1)) low).

Definition holds (e : expr) : bool := match eval e with Some x => negb (x =? 0) | None => false end.
Definition agree (e f : expr) : bool := match eval e, eval f with Some x, Some y => x =? y | _, _ => false end.
Definition below (bound e : expr) : bool :=
  match eval bound, eval e with Some b, Some x => (0 <=? x) && (x <? b) | _, _ => false end.
Definition has_value (e : expr) (p : Z) : bool := match eval e with Some x => x =? p | None => false end.

Lemma each_is_true : forall low high test, each low high test = true -> forall x, low <= x <= high -> test x = true.
Proof. unfold each. intros low high test H x Hx. rewrite forallb_forall in H. apply H, StrideLaws.in_count. lia. Qed.

Lemma under_assumptions : forall assumptions test, (if forallb holds assumptions then test else true) = true ->
  Forall Holds assumptions -> test = true.
Proof.
  intros assumptions test H A. replace (forallb holds assumptions) with true in H; [exact H | symmetry].
  apply forallb_forall. intros e He. eapply Forall_forall in He; [| exact A]. destruct He as (x & E & Hx).
  unfold holds. rewrite E. apply negb_true_iff, Z.eqb_neq, Hx.
Qed.

Lemma agree_is_true : forall e f, agree e f = true -> Agree e f.
Proof.
  unfold agree, Agree. intros e f H. destruct (eval e) as [x |], (eval f) as [y |]; try discriminate.
  apply Z.eqb_eq in H. subst. eauto.
Qed.

Lemma below_is_true : forall bound e, below bound e = true -> Below bound e.
Proof.
  unfold below, Below. intros bound e H. destruct (eval bound) as [b |], (eval e) as [x |]; try discriminate.
  apply andb_true_iff in H. rewrite Z.leb_le, Z.ltb_lt in H. eauto.
Qed.

Lemma value_is_true : forall e p, has_value e p = true -> eval e = Some p.
Proof. unfold has_value. intros e p H. destruct (eval e); [apply Z.eqb_eq in H; congruence | discriminate]. Qed.

(** ** Assumptions bound names *)

Lemma holds_and : forall a b, Holds (And a b) -> Holds a /\ Holds b.
Proof.
  unfold Holds. cbn [eval]. intros a b (z & E & Hz). destruct (eval a) as [x |]; [| discriminate].
  destruct (Z.eqb_spec x 0); [congruence |]. destruct (eval b) as [y |]; [| discriminate]. cbn [option_map] in E.
  destruct (Z.eqb_spec y 0); [cbn in E; congruence |]. split; eexists; split; eauto.
Qed.

Ltac by_comparison := intros a b (z & E & Hz) x y Ha Hb; cbn [eval] in E; rewrite Ha, Hb in E; cbn [combine] in E;
  injection E as <-; unfold one_if in Hz; match type of Hz with (if ?c then _ else _) <> 0 => destruct c eqn:C end; [| congruence].
Lemma holds_less : forall a b, Holds (Less a b) -> forall x y, eval a = Some x -> eval b = Some y -> x < y.
Proof. by_comparison. apply Z.ltb_lt, C. Qed.
Lemma holds_less_equal : forall a b, Holds (LessEqual a b) -> forall x y, eval a = Some x -> eval b = Some y -> x <= y.
Proof. by_comparison. apply Z.leb_le, C. Qed.
Lemma holds_greater : forall a b, Holds (Greater a b) -> forall x y, eval a = Some x -> eval b = Some y -> y < x.
Proof. by_comparison. apply Z.ltb_lt, C. Qed.
Lemma holds_greater_equal : forall a b, Holds (GreaterEqual a b) -> forall x y, eval a = Some x -> eval b = Some y -> y <= x.
Proof. by_comparison. apply Z.leb_le, C. Qed.
Lemma holds_equal : forall a b, Holds (Equal a b) -> forall x y, eval a = Some x -> eval b = Some y -> x = y.
Proof. by_comparison. apply Z.eqb_eq, C. Qed.

(* The value of a name, or of a formula of numbers. *)
Ltac value_of e := lazymatch e with
  | Value ?x => x
  | _ => lazymatch eval vm_compute in (eval e) with Some ?x => x end
  end.
Ltac compare_by rule H a b :=
  let x := value_of a in let y := value_of b in
  pose proof (rule a b H x y ltac:(vm_compute; reflexivity) ltac:(vm_compute; reflexivity)).
Ltac bounds_from H := lazymatch type of H with
  | Holds (And ?a ?b) =>
      let A := fresh in let B := fresh in destruct (holds_and a b H) as [A B]; bounds_from A; bounds_from B; clear A B
  | Holds (Less ?a ?b) => try compare_by holds_less H a b
  | Holds (LessEqual ?a ?b) => try compare_by holds_less_equal H a b
  | Holds (Greater ?a ?b) => try compare_by holds_greater H a b
  | Holds (GreaterEqual ?a ?b) => try compare_by holds_greater_equal H a b
  | Holds (Equal ?a ?b) => try compare_by holds_equal H a b
  | _ => idtac
  end.

(* Takes the test of all points at the value of the next name, of which the assumptions are known. *)
Ltac at_value test name :=
  apply each_is_true with (x := name) in test;
  [cbv beta in test | repeat match goal with H : Holds _ |- _ => bounds_from H; clear H end; lia].
(* Shows the claim from its test at the point. *)
Ltac by_test test :=
  apply under_assumptions in test; [| repeat (apply Forall_cons; [assumption |]); apply Forall_nil];
  first [apply agree_is_true, test | apply below_is_true, test | apply value_is_true, test].
