(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines the tactics that certificates written as Coq files consist of. Nothing here needs to be trusted: Coq checks
   what the tactics prove. A line of a certificate is a call of one of them:

     the outcome of a condition    condition_is_true, condition_is_false, values_are_equal, decide FACT
     a number, bits or a cast      number_is, number_below, mask_is_right, mask_is_left, no_bit_in_common_left,
                                   no_bit_in_common_right, common_bits, cast_fits, cast_wraps
     atom NAME QUOTIENT            name_atom NAME QUOTIENT
     lemma, by                     apply_lemma, premise, conclusions
     goal, false                   goal, contradiction

   While the formulas of a claim run, the goal is `what is left to run /\ conditions that are still to be shown`. What
   is left gets the goals about parts of the formula as an argument, in the order in which they are met (Overflow.v). *)
Require Import ZArith Bool List Lia Permutation.
Require Export Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Formula Layoutcheck.Overflow Layoutcheck.Claims
  Layoutcheck.Lemmas Layoutcheck.Bits Layoutcheck.Masks
  Layoutcheck.Onto Layoutcheck.PaddedBox Layoutcheck.Fractal.
Export ListNotations.
Open Scope Z_scope.

(** ** Conditions *)

Lemma true_later : forall a b (T E : late_claim) s (R : Prop), T s /\ (a <= b /\ R) -> (if a <=? b then T else E) s /\ R.
Proof. intros a b T E s R (H & C & Hr). rewrite (proj2 (Z.leb_le a b) C). auto. Qed.

Lemma false_later : forall a b (T E : late_claim) s (R : Prop), E s /\ (b < a /\ R) -> (if a <=? b then T else E) s /\ R.
Proof. intros a b T E s R (H & C & Hr). rewrite (proj2 (Z.leb_gt a b) C). auto. Qed.

Lemma equal_later : forall a b (T E : late_claim) s (R : Prop), T s /\ (a = b /\ R) -> (if a =? b then T else E) s /\ R.
Proof. intros a b T E s R (H & C & Hr). rewrite (proj2 (Z.eqb_eq a b) C). auto. Qed.

Lemma decide_condition : forall a b (T E : late_claim) s (R : Prop), (a <= b -> T s /\ R) -> (b < a -> E s /\ R) ->
  (if a <=? b then T else E) s /\ R.
Proof. intros a b T E s R Ht He. destruct (Z.leb_spec a b); auto. Qed.

Lemma compare_twice : forall a b (T E : late_claim) s (R : Prop),
  (if a + 1 <=? b then E else if b + 1 <=? a then E else T) s /\ R -> (if a =? b then T else E) s /\ R.
Proof.
  intros a b T E s R. destruct (Z.eqb_spec a b); destruct (Z.leb_spec (a + 1) b); destruct (Z.leb_spec (b + 1) a); lia || auto.
Qed.

Lemma decide_split : forall a (G : Prop), (0 <= a -> G) -> (a < 0 -> G) -> G.
Proof. intros a G H1 H2. destruct (Z_le_gt_dec 0 a); [auto | apply H2; lia]. Qed.

Lemma run_operator : forall e (none : late_claim) next s (R : Prop), run_once run e none next s /\ R -> run e none next s /\ R.
Proof. intros e none next s R H. destruct e; exact H. Qed.

Lemma run_element : forall count halvings table e (none : late_claim) next s (R : Prop),
  Z.of_nat (length table) = count -> length table = halvings ->
  run e none (fun x =>
    if 0 <=? x then
      if x + 1 <=? count then between halvings 0 (count - 1) x (fun k => element table k next) else none
    else none) s /\ R ->
  run (Element table e) none next s /\ R.
Proof. intros count halvings table e none next s R <- <- H. exact H. Qed.

Lemma condition_holds : forall (c : bool) (T E : late_claim) s (R : Prop), c = true -> T s /\ R -> (if c then T else E) s /\ R.
Proof. intros c T E s R -> H. exact H. Qed.

Lemma condition_fails : forall (c : bool) (T E : late_claim) s (R : Prop), c = false -> E s /\ R ->
  (if c then T else E) s /\ R.
Proof. intros c T E s R -> H. exact H. Qed.

Lemma between_one : forall rest low high x (next : Z -> late_claim) s (R : Prop), (low =? high) = true -> next low s /\ R ->
  between (S rest) low high x next s /\ R.
Proof. intros rest low high x next s R E H. cbn [between]. rewrite E. exact H. Qed.

Lemma between_half : forall rest low high middle above x (next : Z -> late_claim) s (R : Prop),
  (low =? high) = false -> (low + high) / 2 = middle -> middle + 1 = above ->
  (if x <=? middle then between rest low middle x next else between rest above high x next) s /\ R ->
  between (S rest) low high x next s /\ R.
Proof. intros rest low high middle above x next s R E <- <- H. cbn [between]. rewrite E. exact H. Qed.

Lemma known_is : forall v x (next : Z -> late_claim) s (R : Prop), next v s /\ (x = v /\ R) -> known x next s /\ R.
Proof. intros v x next s R (H & -> & Hr). split; assumption. Qed.

Lemma known_below : forall halvings p x (next : Z -> late_claim) s (R : Prop),
  between halvings 0 (p - 1) x next s /\ (x < p /\ (0 <= x /\ R)) ->
  known x next s /\ R.
Proof. intros halvings p x next s R (H & H1 & H2 & Hr). rewrite between_finds in H; [auto | lia]. Qed.

Lemma common_is_left : forall x y (next : Z -> late_claim) s (R : Prop), known x (fun m => common y m next) s /\ R ->
  common x y next s /\ R.
Proof. intros x y next s R. unfold known, common. rewrite Z.land_comm. auto. Qed.

Lemma common_is_right : forall x y (next : Z -> late_claim) s (R : Prop),
  known y (fun m => common x m next) s /\ R -> common x y next s /\ R.
Proof. auto. Qed.

Lemma common_natural : forall runs x m (next : Z -> late_claim) s (R : Prop), mask_of runs = m -> rising 0 runs = true ->
  named (masked x runs) next s /\ R -> common x m next s /\ R.
Proof. intros runs x m next s R Hm H. unfold common. rewrite (bits_of_natural x m runs Hm H). auto. Qed.

Lemma common_negative : forall runs x m (next : Z -> late_claim) s (R : Prop), mask_of runs = -1 - m -> rising 0 runs = true ->
  named (x - masked x runs) next s /\ R -> common x m next s /\ R.
Proof. intros runs x m next s R Hm H. unfold common. rewrite (bits_of_negative x m runs Hm H). auto. Qed.

Lemma common_disjoint : forall k p x y (next : Z -> late_claim) s (R : Prop), 0 <= k -> 2 ^ k = p ->
  next 0 s /\ (x mod p = 0 /\ (y < p /\ (0 <= y /\ R))) -> common x y next s /\ R.
Proof.
  intros k p x y next s R Hk <- (H & H1 & H2 & H3 & Hr). split; [| exact Hr]. unfold common. rewrite Z.land_comm.
  pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) Hk).
  rewrite (B8 y x (2 ^ k) (2 ^ k - 1) 0); try lia; [rewrite Z.land_0_r; exact H | apply power_shares_no_bit; exact Hk].
Qed.

Lemma common_disjoint_right : forall k p x y (next : Z -> late_claim) s (R : Prop), 0 <= k -> 2 ^ k = p ->
  next 0 s /\ (y mod p = 0 /\ (x < p /\ (0 <= x /\ R))) -> common x y next s /\ R.
Proof.
  intros k p x y next s R Hk Hp H. apply (common_disjoint k p y x) in H; try assumption.
  unfold common in *. rewrite Z.land_comm. exact H.
Qed.

Lemma cast_in_range : forall is_signed bits low high x (next : Z -> late_claim) s (R : Prop),
  - negatives is_signed bits = low -> 2 ^ bits + low = high ->
  next x s /\ (x < high /\ (low <= x /\ R)) -> cast is_signed bits x next s /\ R.
Proof.
  intros is_signed bits low high x next s R <- <- (H & H1 & H2 & Hr). split; [| exact Hr]. unfold cast, wrap.
  rewrite Z.mod_small by lia. replace (x + _ - _) with x by lia. exact H.
Qed.

Lemma cast_modulo : forall is_signed bits below all x (next : Z -> late_claim) s (R : Prop),
  negatives is_signed bits = below -> 2 ^ bits = all ->
  named ((x + below) mod all) (fun r => next (r - below)) s /\ R -> cast is_signed bits x next s /\ R.
Proof. intros is_signed bits below all x next s R <- <- H. exact H. Qed.

(** ** Quotients, remainders and common bits become names *)

(* Says that a name of the certificate stands for a quotient, remainder or common bits. *)
Definition stands_for (name value : Z) : Prop := name = value.

Lemma name_for : forall value, exists name, stands_for name value.
Proof. intros. eexists. reflexivity. Qed.

Ltac has_variable term := match term with context [?v] => is_var v end.
Ltac is_plain term :=
  lazymatch term with
  | context [_ / _] => fail
  | context [_ mod _] => fail
  | context [_ ^ _] => fail
  | context [Z.land _ _] => fail
  | _ => idtac
  end.
Ltac same_operands := first [f_equal; ring | rewrite Z.land_comm; f_equal; ring].

(* Replaces such a term in the goal by its name. Terms of equal polynomials have the same name. *)
Ltac name_term term operator a b :=
  match goal with
  | E : stands_for ?n term |- _ => rewrite <- (E : n = term)
  | E : stands_for ?n (operator ?x ?y) |- _ =>
      let H := fresh in
      assert (H : n = term) by (transitivity (operator x y); [exact E | same_operands]); rewrite <- H; clear H
  | _ => let n := fresh "atom" in let E := fresh "E" in destruct (name_for term) as [n E]; rewrite <- (E : n = term)
  end.

Ltac is_number term := tryif has_variable term then fail else idtac.

(* Replaces a term by the number that it is. Fails if it has unknowns. *)
Ltac compute_number term := is_number term; let v := eval vm_compute in term in change term with v.

Ltac name_in_goal := repeat match goal with
  | |- context [?x ^ ?y] => compute_number (x ^ y)
  | |- context [?x / ?y] => is_plain x; is_plain y; first [compute_number (x / y) | name_term (x / y) Z.div x y]
  | |- context [?x mod ?y] => is_plain x; is_plain y; first [compute_number (x mod y) | name_term (x mod y) Z.modulo x y]
  | |- context [Z.land ?x ?y] =>
      is_plain x; is_plain y; first [compute_number (Z.land x y) | name_term (Z.land x y) Z.land x y]
  end.

(* Gives such a term the name that the certificate uses from here on. *)
Ltac rename_term term operator name :=
  first [
    match goal with
    | E : stands_for ?n (operator ?x ?y) |- _ =>
        let H := fresh in
        assert (H : n = term) by (transitivity (operator x y); [exact E | same_operands]); clear H; rename n into name
    end
  | let E := fresh "E" in destruct (name_for term) as [name E] ].
Tactic Notation "name_atom" ident(name) constr(term) :=
  lazymatch term with
  | _ / _ => rename_term term Z.div name
  | _ mod _ => rename_term term Z.modulo name
  | Z.land _ _ => rename_term term Z.land name
  end.

(** ** Running the claim *)

(* Passes a number on to what comes next. *)
Ltac pass term next wait := let v := eval vm_compute in term in change wait with (next v).

(* Finds the bits that x has in common with the number m. *)
Ltac take_mask x m :=
  let v := eval vm_compute in m in
  first [
    let runs := eval vm_compute in (runs_of v) in
    apply (common_natural runs x v); [vm_compute; reflexivity | vm_compute; reflexivity |]
  | let runs := eval vm_compute in (runs_of (-1 - v)) in
    apply (common_negative runs x v); [vm_compute; reflexivity | vm_compute; reflexivity |] ];
  cbv beta iota zeta delta [masked shifted].

Ltac settle_value := lazymatch goal with
  | |- pick _ _ _ _ _ /\ _ => unfold pick at 1
  | |- quotient _ _ _ _ _ /\ _ => unfold quotient at 1
  | |- remainder _ _ _ _ _ /\ _ => unfold remainder at 1
  | |- shift_left _ _ _ _ _ /\ _ => unfold shift_left at 1
  | |- shift_right _ _ _ _ _ /\ _ => unfold shift_right at 1
  | |- named ?v ?next _ /\ _ =>
      tryif has_variable v then (name_in_goal; unfold named at 1) else pass v next (named v next)
  | |- known ?v ?next _ /\ _ => is_number v; pass v next (known v next)
  | |- cast ?s ?bits ?v ?next _ /\ _ => is_number v; pass (wrap s bits v) next (cast s bits v next)
  | |- common ?x ?y _ _ /\ _ =>
      tryif has_variable y then is_number x; apply common_is_left; unfold known at 1; cbv beta; take_mask y x
      else take_mask x y
  | |- element ?table ?k ?next _ /\ _ =>
      let v := eval cbv beta iota delta [nth Z.to_nat Pos.to_nat Pos.iter_op Nat.add] in (nth (Z.to_nat k) table 0) in
      change (element table k next) with (next v)
  | |- between (S _) ?low ?high _ _ _ /\ _ =>
      first [apply between_one; [vm_compute; reflexivity |]
           | let middle := eval vm_compute in ((low + high) / 2) in let above := eval vm_compute in (middle + 1) in
             apply (between_half _ low high middle above);
             [vm_compute; reflexivity | vm_compute; reflexivity | vm_compute; reflexivity |]]
  end.

(* Fails if the term has no operator by which its unknowns cancel each other. *)
Ltac may_cancel term := lazymatch term with
  | context [Z.sub] => idtac
  | context [Z.opp] => idtac
  | context [Z.neg] => idtac
  | context [Z0] => idtac
  end.
(* Takes what is to be shown of a part of the formula behind what is left. Numbers are compared at once, as are terms
   such as x - x, of which certificates show nothing. *)
Ltac settle_parts := lazymatch goal with
  | |- run_parts _ _ (Element ?table _) _ _ _ /\ _ =>
      let count := eval vm_compute in (Z.of_nat (length table)) in let halvings := eval vm_compute in (length table) in
      apply (run_parts_element count halvings); [reflexivity | reflexivity |]
  | |- run_parts _ _ _ _ _ _ /\ _ => apply run_parts_operator;
      cbv beta iota zeta delta [run_parts_once run_once]
  | |- also _ _ _ /\ _ => apply also_later
  | |- all_fit _ _ _ _ /\ _ => cbv beta iota delta [all_fit fold_right]
  | |- fits ?t ?x _ /\ _ =>
      first [is_number x; apply fits_number; [vm_compute; reflexivity |]
           | may_cancel x; apply fits_constant; [clear; unfold least, largest; cbn; lia |]
           | let low := eval vm_compute in (least t) in let high := eval vm_compute in (largest t) in
             apply (fits_later low high); [vm_compute; reflexivity | vm_compute; reflexivity |]]
  | |- at_most ?a ?b _ /\ _ =>
      first [is_number a; is_number b; apply at_most_number; [vm_compute; reflexivity |] | apply at_most_later]
  | |- fits_shift_left ?t _ _ _ _ /\ _ =>
      let high := eval vm_compute in (width t) in let is_natural := eval vm_compute in (has_sign t && negb (shifts_negative t)) in
      apply (shift_left_later high is_natural); [reflexivity | reflexivity |]; cbv iota
  | |- fits_shift_right ?t _ _ _ _ /\ _ =>
      let high := eval vm_compute in (width t) in apply (shift_right_later high); [reflexivity |]
  | |- fits_remainder ?t _ _ _ _ /\ _ =>
      first [apply remainder_of_unsigned; [reflexivity |]
           | let low := eval vm_compute in (least t + 1) in apply (remainder_later low); [reflexivity | vm_compute; reflexivity |]]
  end.

(* Takes one step of running the assumptions and formulas of the claim. *)
Ltac settle_once :=
  lazymatch goal with
  | |- run (Element ?table _) _ _ _ /\ _ =>
      let count := eval vm_compute in (Z.of_nat (length table)) in let halvings := eval vm_compute in (length table) in
      apply (run_element count halvings); [reflexivity | reflexivity |]
  | |- run _ _ _ _ /\ _ => apply run_operator; cbv beta iota zeta delta [run_once]
  | |- (if ?c then _ else _) _ /\ _ =>
      tryif has_variable c then fail
      else first [apply condition_holds; [vm_compute; reflexivity |] | apply condition_fails; [vm_compute; reflexivity |]]
  | |- (Holds _ -> _) /\ _ => apply run_assumption
  | |- eval _ = Some _ /\ _ => apply run_formula
  | |- Agree _ _ /\ _ => apply run_formulas
  | |- Below _ _ /\ _ => apply run_below
  | |- TellApart _ _ _ /\ _ => apply run_two_points; cbv beta iota delta [run_each]
  | |- NoOverflow _ _ /\ _ => apply run_parts_of_formula
  | |- (NoOverflow _ _ /\ eval _ = Some _) /\ _ => apply run_parts_and_value
  | |- (False /\ _) /\ _ => apply false_before
  | |- (_ /\ _) /\ _ => apply both_later
  | |- True /\ _ => apply nothing_before
  | _ => first [settle_value | settle_parts]
  end; cbv beta.
(* Takes such steps up to the first value or condition that a line of the certificate is about. *)
Ltac settle := repeat settle_once.
Ltac settle_comparison :=
  settle; lazymatch goal with |- (if _ =? _ then _ else _) _ /\ _ => apply compare_twice; settle | _ => idtac end.

Ltac condition_is_true := settle_comparison; apply true_later.
Ltac condition_is_false := settle_comparison; apply false_later.
Ltac values_are_equal := settle; apply equal_later.

Ltac number_is v := settle; apply (known_is v).
Ltac number_below bits :=
  settle; let p := eval vm_compute in (2 ^ Z.of_nat bits) in apply (known_below (S bits) p).
Ltac mask_is_right := settle; apply common_is_right.
Ltac mask_is_left := settle; apply common_is_left.
Ltac no_bit_in_common rule k :=
  settle; let p := eval vm_compute in (2 ^ k) in apply (rule k p); [lia | vm_compute; reflexivity |].
Ltac no_bit_in_common_left k := no_bit_in_common common_disjoint k.
Ltac no_bit_in_common_right k := no_bit_in_common common_disjoint_right k.
Ltac common_bits :=
  settle; lazymatch goal with |- common ?x ?y ?next _ /\ _ => change (common x y next) with (named (Z.land x y) next) end.
Ltac cast_fits := settle; lazymatch goal with |- cast ?s ?bits _ _ _ /\ _ =>
  let low := eval vm_compute in (- negatives s bits) in let high := eval vm_compute in (2 ^ bits + low) in
  apply (cast_in_range s bits low high); [vm_compute; reflexivity | vm_compute; reflexivity |] end.
Ltac cast_wraps := settle; lazymatch goal with |- cast ?s ?bits _ _ _ /\ _ =>
  let below := eval vm_compute in (negatives s bits) in let all := eval vm_compute in (2 ^ bits) in
  apply (cast_modulo s bits below all); [vm_compute; reflexivity | vm_compute; reflexivity |] end.

(** ** Steps *)

(* Computes a place or a number of elements of the claim's layout down to + - * / mod; compute_places does all of them. *)
Ltac compute_place place :=
  let value := eval cbv beta iota zeta delta [
    linear_index padded_elements order minor_to_major tiles permute map nth rev app physical_sizes physical_index level_sizes
    level_index extend_sizes extend_index leading_count untiled_count tiled_sizes tiled_index combine_sizes combine_index
    tile_sizes map2 ceil_div linearize volume repeat length firstn skipn Nat.sub] in place in
  change place with value.
Ltac compute_places := repeat match goal with
  | |- context [linear_index ?l ?s ?i] => compute_place (linear_index l s i)
  | |- context [padded_elements ?l ?s] => compute_place (padded_elements l s)
  | |- context [largest ?t] => let x := eval vm_compute in (largest t) in change (largest t) with x
  end.

(* Takes the fact that the array of the claim fits into memory. *)
Ltac in_memory fact := revert fact; compute_places; name_in_goal; intro fact.

(* Begins to run the claim. *)
Ltac begin := compute_places; name_in_goal; refine (proj1 (_ : _ /\ True)).

Tactic Notation "decide" ident(fact) :=
  settle_comparison; apply decide_condition; intro fact; revert fact; name_in_goal; intro fact.
Tactic Notation "split_by" constr(term) "as" ident(fact) :=
  apply (decide_split term); intro fact; revert fact; name_in_goal; intro fact.

Ltac apply_lemma instance := let L := fresh "instance" in pose proof instance as L; revert L.
(* Shows the next premise of the lemma that is applied. *)
Ltac premise tactic :=
  lazymatch goal with |- (?P -> ?Q) -> ?G =>
    let H := fresh in let L := fresh in
    assert (H : P) by (name_in_goal; tactic); intro L; specialize (L H); clear H; revert L
  end.
Tactic Notation "conclusions" simple_intropattern(facts) := name_in_goal; intros facts.
Tactic Notation "cut" ident(fact) constr(term) tactic(show) := assert (fact : 0 <= term) by (show).

(* Shows the first of the statements that are left to show. *)
Ltac goal tactic := try apply both_later; split; [name_in_goal; tactic |].
(* Conditions are shown before what follows from them: two points with equal values are the same. *)
Ltac conditions_first := apply conditions_before.
Ltac condition tactic := apply next_condition; goal tactic.
Tactic Notation "equal_values" simple_intropattern_list(facts) :=
  apply no_condition; name_in_goal; intros facts; apply nothing_after; repeat apply both_later.
Ltac contradiction_by tactic := exfalso; tactic.

(** ** Layouts *)

Lemma permutation_by_search : forall o,
  forallb (fun d => existsb (Nat.eqb d) o) (seq 0 (length o)) = true -> Permutation o (seq 0 (length o)).
Proof.
  intros o H. apply Permutation_sym, NoDup_Permutation_bis.
  - apply seq_NoDup.
  - rewrite seq_length. apply le_n.
  - intros d Hd. apply (proj1 (forallb_forall _ _) H), existsb_exists in Hd.
    destruct Hd as (x & Hx & E). apply Nat.eqb_eq in E. subst. exact Hx.
Qed.

(* Shows that the layout of the claim is valid, and what else the theorems of Main.v ask of its sizes. *)
Ltac about_layout := lazymatch goal with
  | |- Valid _ => split; [apply permutation_by_search; vm_compute; reflexivity | split; [cbn [tiles] | cbn [alignment]; lia]];
      repeat first [apply Forall_nil | apply Forall_cons | apply ValidLast; lia | apply ValidSize; [lia |] | apply ValidCombine]
  | |- length _ = length _ => reflexivity
  | |- Forall _ _ => repeat (apply Forall_cons; [lia |]); apply Forall_nil
  | _ => assumption
  end.

(* Shows that every tile divides the sizes that it meets in the padded box: they are multiples of it, or numbers. *)
Ltac all_tiles_divide :=
  cbv beta iota zeta delta [
    AllDivide Divides box_of padded_box padded_entries leading_total order minor_to_major tiles permute map nth rev app
    level_sizes extend_sizes leading_count untiled_count tiled_sizes combine_sizes tile_sizes map2 repeat length firstn
    skipn Nat.sub Nat.add Nat.mul];
  rewrite ?Z.mul_1_l, ?Z.mul_1_r; rewrite ?ceil_of_multiple by lia;
  repeat split; repeat apply (f_equal2 (@cons Z)); try reflexivity; try ring.
