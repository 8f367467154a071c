(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Proves that claims about formulas hold where asking one condition after the other finds values of which they are true
   (Formula.v, Overflow.v). The tactics of Steps.v begin with these lemmas. *)
Require Import ZArith Bool List.
Require Import Layoutcheck.Formula Layoutcheck.Overflow.
Import ListNotations.
Open Scope Z_scope.

(* There are no goals about parts at the start, and a formula without a value shows no claim. *)
Local Notation start := (fun goals : Prop => goals).
Local Notation none := (fun _ : Prop -> Prop => False).

Lemma run_formula : forall formula place (R : Prop), run formula none (fun x _ => x = place) start /\ R ->
  eval formula = Some place /\ R.
Proof.
  intros formula place R [H Hr]. rewrite run_eval in H. destruct (eval formula); [subst; auto | contradiction].
Qed.

Lemma run_formulas : forall expected formula (R : Prop),
  run expected none (fun x => run formula none (fun y _ => y = x)) start /\ R -> Agree expected formula /\ R.
Proof.
  intros expected formula R [H Hr]. rewrite run_eval in H. unfold Agree.
  destruct (eval expected) as [x |]; [| contradiction].
  rewrite run_eval in H. destruct (eval formula); [subst; eauto | contradiction].
Qed.

Lemma run_below : forall bound formula (R : Prop),
  run bound none (fun b => run formula none (fun x _ => 0 <= x /\ x < b)) start /\ R -> Below bound formula /\ R.
Proof.
  intros bound formula R [H Hr]. split; [| exact Hr]. rewrite run_eval in H. unfold Below.
  destruct (eval bound) as [b |]; [| contradiction].
  rewrite run_eval in H. destruct (eval formula) as [x |]; [| contradiction]. exists b, x. auto.
Qed.

(* Finds the values of each formula at two points. `claim` of a statement is that it follows from the equations so far. *)
Fixpoint run_each (at_point at_other : list expr) (claim : Prop -> Prop) (is_same : Prop) : late_claim :=
  match at_point, at_other with
  | e :: rest, f :: others =>
      run e none (fun x => run f none (fun y => run_each rest others (fun later => claim (x = y -> later)) is_same))
  | [], [] => fun _ => claim is_same
  | _, _ => none
  end.

Lemma each_has_a_value : forall at_point at_other claim is_same, run_each at_point at_other claim is_same start ->
  Forall (fun e => exists x, eval e = Some x) (at_point ++ at_other) /\
  exists P, claim P /\ (map eval at_point = map eval at_other -> P -> is_same).
Proof.
  induction at_point as [| e rest IH]; intros [| f others] claim is_same H; try contradiction.
  { split; [constructor | exists is_same; auto]. }
  cbn [run_each] in H. rewrite run_eval in H. destruct (eval e) as [x |] eqn:Ex; [| contradiction].
  rewrite run_eval in H. destruct (eval f) as [y |] eqn:Ey; [| contradiction].
  apply IH in H. destruct H as (H1 & P & H2 & H3). apply Forall_app in H1. split.
  - cbn [app]. constructor; [eauto |]. apply Forall_app. split; [apply H1 |]. constructor; [eauto | apply H1].
  - exists (x = y -> P). split; [exact H2 |]. cbn [map]. rewrite Ex, Ey. intros E. injection E as E1 E2. auto.
Qed.

Lemma run_two_points : forall at_point at_other is_same (R : Prop),
  run_each at_point at_other (fun later => later) is_same start /\ R -> TellApart at_point at_other is_same /\ R.
Proof.
  intros at_point at_other is_same R [H Hr]. split; [| exact Hr].
  apply each_has_a_value in H. destruct H as (H1 & P & H2 & H3). split; auto.
Qed.

Lemma conditions_before : forall C R : Prop, R /\ C -> C /\ R.
Proof. tauto. Qed.

Lemma next_condition : forall A R C : Prop, A /\ (R /\ C) -> (A /\ R) /\ C.
Proof. tauto. Qed.

Lemma no_condition : forall C : Prop, C -> True /\ C.
Proof. tauto. Qed.

Lemma nothing_after : forall C : Prop, C /\ True -> C.
Proof. tauto. Qed.

Lemma nothing_before : forall R : Prop, R -> True /\ R.
Proof. tauto. Qed.

Lemma both_later : forall A B R : Prop, A /\ (B /\ R) -> (A /\ B) /\ R.
Proof. tauto. Qed.

Lemma run_assumption : forall e (claim R : Prop),
  run e (fun _ => True) (fun x => if x =? 0 then fun _ => True else fun _ => claim) start /\ R ->
  (Holds e -> claim) /\ R.
Proof.
  intros e claim R [H Hr]. split; [| exact Hr]. intros (x & E & Hx). rewrite run_eval in H. rewrite E in H.
  destruct (Z.eqb_spec x 0); [contradiction | exact H].
Qed.

(** ** Overflow *)

Lemma run_parts_of_formula : forall t e (R : Prop),
  run_parts t false e (fun parts => False /\ parts True) (fun _ parts => parts True) start /\ R -> NoOverflow t e /\ R.
Proof. intros t e R [H Hr]. apply (run_parts_no_overflow t e (fun _ => True)) in H. destruct H as (x & _ & _ & H). auto. Qed.

Lemma run_parts_and_value : forall t e place (R : Prop),
  run_parts t false e (fun parts => False /\ parts True) (fun x parts => parts (x = place)) start /\ R ->
  (NoOverflow t e /\ eval e = Some place) /\ R.
Proof.
  intros t e place R [H Hr]. apply (run_parts_no_overflow t e (fun x => x = place)) in H.
  destruct H as (x & E & <- & H). auto.
Qed.

Lemma run_parts_operator : forall t in_and e none next s (R : Prop),
  run_parts_once (run_parts t) t in_and e none next s /\ R -> run_parts t in_and e none next s /\ R.
Proof. intros t in_and e none next s R H. destruct e; exact H. Qed.

Lemma run_parts_element : forall count halvings t in_and table e none next s (R : Prop),
  Z.of_nat (length table) = count -> length table = halvings ->
  run_parts t false e none (fun x =>
    if 0 <=? x then
      if x + 1 <=? count then
        between halvings 0 (count - 1) x (fun k => element table k (fun v => also (all_fit t table v) (next v)))
      else none
    else none) s /\ R ->
  run_parts t in_and (Element table e) none next s /\ R.
Proof. intros count halvings t in_and table e none next s R <- <- H. exact H. Qed.

(* Takes the goals of a part. As a lemma, it leaves Coq no terms to compare that differ. *)
Lemma also_later : forall goals (next : late_claim) s (R : Prop), next (fun rest => s (goals rest)) /\ R ->
  also goals next s /\ R.
Proof. auto. Qed.

(* The goals of parts are shown after what is left of them. *)
Lemma fits_later : forall low high t x (rest R : Prop), least t = low -> largest t = high ->
  at_most low x (at_most x high rest) /\ R -> fits t x rest /\ R.
Proof. intros low high t x rest R <- <- H. exact H. Qed.

Lemma fits_number : forall t x (rest R : Prop), (least t <=? x) && (x <=? largest t) = true -> rest /\ R -> fits t x rest /\ R.
Proof. intros t x rest R H Hr. apply andb_prop in H. rewrite !Z.leb_le in H. unfold fits, at_most. tauto. Qed.

Lemma fits_constant : forall t x (rest R : Prop), least t <= x <= largest t -> rest /\ R -> fits t x rest /\ R.
Proof. unfold fits, at_most. tauto. Qed.

Lemma at_most_later : forall a b (rest R : Prop), rest /\ (a <= b /\ R) -> at_most a b rest /\ R.
Proof. unfold at_most. tauto. Qed.

Lemma at_most_number : forall a b (rest R : Prop), (a <=? b) = true -> rest /\ R -> at_most a b rest /\ R.
Proof. intros a b rest R H Hr. apply Z.leb_le in H. unfold at_most. tauto. Qed.

Lemma shift_left_later : forall high is_natural t x y v (rest R : Prop),
  width t = high -> has_sign t && negb (shifts_negative t) = is_natural ->
  at_most (y + 1) high (if is_natural then at_most 0 x (fits t v rest) else fits t v rest) /\ R ->
  fits_shift_left t x y v rest /\ R.
Proof. intros high is_natural t x y v rest R <- <- H. exact H. Qed.

Lemma shift_right_later : forall high t x y v (rest R : Prop), width t = high ->
  at_most (y + 1) high (fits t v rest) /\ R -> fits_shift_right t x y v rest /\ R.
Proof. intros high t x y v rest R <- H. exact H. Qed.

Lemma remainder_of_unsigned : forall t x y v (rest R : Prop), has_sign t = false -> fits t v rest /\ R ->
  fits_remainder t x y v rest /\ R.
Proof. unfold fits_remainder. intros t x y v rest R -> H. exact H. Qed.

Lemma remainder_later : forall low t x y v (rest R : Prop), has_sign t = true -> least t + 1 = low ->
  (if 1 <=? y then fun _ => fits t v rest else if low <=? x then fun _ => fits t v rest
   else if y + 1 <=? -1 then fun _ => fits t v rest else fun _ => False /\ fits t v rest) start /\ R ->
  fits_remainder t x y v rest /\ R.
Proof.
  unfold fits_remainder. intros low t x y v rest R -> <- H. destruct (1 <=? y), (least t + 1 <=? x), (y + 1 <=? -1); exact H.
Qed.

Lemma false_before : forall rest R : Prop, rest /\ (False /\ R) -> (False /\ rest) /\ R.
Proof. tauto. Qed.
