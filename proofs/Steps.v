(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines the tactics that certificates written as Coq files consist of. Nothing here needs to be trusted: Coq checks what the
   tactics prove. A line of a certificate is a call of one of them:

     the outcome of a condition    condition_is_true, condition_is_false, values_are_equal, decide FACT
     atom NAME QUOTIENT            name_atom NAME QUOTIENT
     lemma, by                     apply_lemma, premise, conclusions
     goal, false                   goal, contradiction

   While the formulas of a claim run, the goal is `what is left to run /\ conditions that are still to be shown`. *)
Require Import ZArith List Lia Permutation.
Require Export Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Formula Layoutcheck.Lemmas Layoutcheck.Onto
  Layoutcheck.PaddedBox.
Export ListNotations.
Open Scope Z_scope.

(** ** Claims *)

Lemma run_formula : forall formula place (R : Prop), run formula False (fun x => x = place) /\ R ->
  eval formula = Some place /\ R.
Proof.
  intros formula place R [H Hr]. apply run_eval in H. destruct (eval formula); [subst; auto | contradiction].
Qed.

Lemma run_formulas : forall expected formula (R : Prop),
  run expected False (fun x => run formula False (fun y => y = x)) /\ R -> Agree expected formula /\ R.
Proof.
  intros expected formula R [H Hr]. apply run_eval in H. unfold Agree.
  destruct (eval expected) as [x |]; [| contradiction].
  apply run_eval in H. destruct (eval formula); [subst; eauto | contradiction].
Qed.

Lemma run_assumption : forall e (claim R : Prop), run e True (fun x => if x =? 0 then True else claim) /\ R ->
  (Holds e -> claim) /\ R.
Proof.
  intros e claim R [H Hr]. split; [| exact Hr]. intros (x & E & Hx). apply run_eval in H. rewrite E in H.
  destruct (Z.eqb_spec x 0); [contradiction | exact H].
Qed.

(** ** Conditions *)

Lemma true_later : forall a b (T E R : Prop), T /\ (a <= b /\ R) -> (if a <=? b then T else E) /\ R.
Proof. intros a b T E R (H & C & Hr). rewrite (proj2 (Z.leb_le a b) C). auto. Qed.

Lemma false_later : forall a b (T E R : Prop), E /\ (b < a /\ R) -> (if a <=? b then T else E) /\ R.
Proof. intros a b T E R (H & C & Hr). rewrite (proj2 (Z.leb_gt a b) C). auto. Qed.

Lemma equal_later : forall a b (T E R : Prop), T /\ (a = b /\ R) -> (if a =? b then T else E) /\ R.
Proof. intros a b T E R (H & C & Hr). rewrite (proj2 (Z.eqb_eq a b) C). auto. Qed.

Lemma decide_condition : forall a b (T E R : Prop), (a <= b -> T /\ R) -> (b < a -> E /\ R) ->
  (if a <=? b then T else E) /\ R.
Proof. intros a b T E R Ht He. destruct (Z.leb_spec a b); auto. Qed.

Lemma compare_twice : forall a b (T E R : Prop),
  (if a + 1 <=? b then E else if b + 1 <=? a then E else T) /\ R -> (if a =? b then T else E) /\ R.
Proof.
  intros a b T E R. destruct (Z.eqb_spec a b); destruct (Z.leb_spec (a + 1) b); destruct (Z.leb_spec (b + 1) a); lia || auto.
Qed.

Lemma decide_split : forall a (G : Prop), (0 <= a -> G) -> (a < 0 -> G) -> G.
Proof. intros a G H1 H2. destruct (Z_le_gt_dec 0 a); [auto | apply H2; lia]. Qed.

(* The first operator of run, unfolded. *)
Definition run_once (e : expr) (none : Prop) (next : Z -> Prop) : Prop :=
  let both a b next := run a none (fun x => run b none (fun y => next x y)) in
  match e with
  | Value z => next z
  | Negate a => run a none (fun x => next (- x))
  | Add a b => both a b (fun x y => next (x + y))
  | Subtract a b => both a b (fun x y => next (x - y))
  | Multiply a b => both a b (fun x y => next (x * y))
  | FloorDiv a b => both a b (fun x y => if 1 <=? y then next (x / y) else none)
  | CeilDiv a b => both a b (fun x y => if 1 <=? y then next ((x + y - 1) / y) else none)
  | Mod a b => both a b (fun x y => if 1 <=? y then next (x mod y) else none)
  | Quotient a b => both a b (fun x y =>
      if 1 <=? y then if 0 <=? x then next (x / y) else next (- (- x / y))
      else if y + 1 <=? 0 then if 0 <=? x then next (- (x / - y)) else next (- x / - y)
      else none)
  | Remainder a b => both a b (fun x y =>
      if 1 <=? y then if 0 <=? x then next (x mod y) else next (- (- x mod y))
      else if y + 1 <=? 0 then if 0 <=? x then next (x mod - y) else next (- (- x mod - y))
      else none)
  | Min a b => both a b (fun x y => if x <=? y then next x else next y)
  | Max a b => both a b (fun x y => if x <=? y then next y else next x)
  | ShiftLeft a b => both a b (fun x y => if 0 <=? y then if y <=? 63 then next (x * 2 ^ y) else none else none)
  | ShiftRight a b => both a b (fun x y => if 0 <=? y then if y <=? 63 then next (x / 2 ^ y) else none else none)
  | Less a b => both a b (fun x y => if x + 1 <=? y then next 1 else next 0)
  | LessEqual a b => both a b (fun x y => if x <=? y then next 1 else next 0)
  | Greater a b => both a b (fun x y => if y + 1 <=? x then next 1 else next 0)
  | GreaterEqual a b => both a b (fun x y => if y <=? x then next 1 else next 0)
  | Equal a b => both a b (fun x y => if x =? y then next 1 else next 0)
  | NotEqual a b => both a b (fun x y => if x =? y then next 0 else next 1)
  | Not a => run a none (fun x => if x =? 0 then next 1 else next 0)
  | And a b => run a none (fun x =>
      if x =? 0 then next 0 else run b none (fun y => if y =? 0 then next 0 else next 1))
  | Or a b => run a none (fun x =>
      if x =? 0 then run b none (fun y => if y =? 0 then next 0 else next 1) else next 1)
  | If c a b => run c none (fun x => if x =? 0 then run b none next else run a none next)
  | Let a body => run a none (fun x => run (body x) none next)
  end.

Lemma run_operator : forall e none next (R : Prop), run_once e none next /\ R -> run e none next /\ R.
Proof. intros e none next R H. destruct e; exact H. Qed.

Lemma condition_holds : forall (c : bool) (T E R : Prop), c = true -> T /\ R -> (if c then T else E) /\ R.
Proof. intros c T E R -> H. exact H. Qed.

Lemma condition_fails : forall (c : bool) (T E R : Prop), c = false -> E /\ R -> (if c then T else E) /\ R.
Proof. intros c T E R -> H. exact H. Qed.

Ltac has_variable term := match term with context [?v] => is_var v end.

(* Runs the assumptions and formulas of the claim up to the first condition that is not about numbers. *)
Ltac settle := repeat (
  lazymatch goal with
  | |- run _ _ _ /\ _ => apply run_operator; cbv beta iota zeta delta [run_once]
  | |- (if ?c then _ else _) /\ _ =>
      tryif has_variable c then fail
      else first [apply condition_holds; [vm_compute; reflexivity |] | apply condition_fails; [vm_compute; reflexivity |]]
  | |- (Holds _ -> _) /\ _ => apply run_assumption
  | |- eval _ = Some _ /\ _ => apply run_formula
  | |- Agree _ _ /\ _ => apply run_formulas
  end; cbv beta).
Ltac settle_comparison :=
  settle; lazymatch goal with |- (if _ =? _ then _ else _) /\ _ => apply compare_twice; settle | _ => idtac end.

Ltac condition_is_true := settle_comparison; apply true_later.
Ltac condition_is_false := settle_comparison; apply false_later.
Ltac values_are_equal := settle; apply equal_later.

(** ** Quotients and remainders become names *)

(* Says that a name of the certificate stands for a quotient or remainder. *)
Definition stands_for (name value : Z) : Prop := name = value.

Lemma name_for : forall value, exists name, stands_for name value.
Proof. intros. eexists. reflexivity. Qed.

Ltac is_plain term :=
  lazymatch term with
  | context [_ / _] => fail
  | context [_ mod _] => fail
  | context [_ ^ _] => fail
  | _ => idtac
  end.

(* Replaces a quotient or remainder in the goal by its name. Equal polynomials are divided to the same name. *)
Ltac name_term term operator a b :=
  match goal with
  | E : stands_for ?n term |- _ => rewrite <- (E : n = term)
  | E : stands_for ?n (operator ?x ?y) |- _ =>
      let H := fresh in
      assert (H : n = term) by (transitivity (operator x y); [exact E | f_equal; ring]); rewrite <- H; clear H
  | _ => let n := fresh "atom" in let E := fresh "E" in destruct (name_for term) as [n E]; rewrite <- (E : n = term)
  end.

(* Replaces a term by the number that it is. Fails if it has unknowns. *)
Ltac compute_number term :=
  let v := eval vm_compute in term in
  lazymatch v with Z0 => idtac | Zpos _ => idtac | Zneg _ => idtac end; change term with v.

Ltac name_in_goal := repeat match goal with
  | |- context [?x ^ ?y] => compute_number (x ^ y)
  | |- context [?x / ?y] => is_plain x; is_plain y; first [compute_number (x / y) | name_term (x / y) Z.div x y]
  | |- context [?x mod ?y] => is_plain x; is_plain y; first [compute_number (x mod y) | name_term (x mod y) Z.modulo x y]
  end.

(* Gives a quotient or remainder the name that the certificate uses from here on. *)
Ltac rename_term term operator name :=
  first [
    match goal with
    | E : stands_for ?n (operator ?x ?y) |- _ =>
        let H := fresh in
        assert (H : n = term) by (transitivity (operator x y); [exact E | f_equal; ring]); clear H; rename n into name
    end
  | let E := fresh "E" in destruct (name_for term) as [name E] ].
Tactic Notation "name_atom" ident(name) constr(term) :=
  lazymatch term with
  | _ / _ => rename_term term Z.div name
  | _ mod _ => rename_term term Z.modulo name
  end.

(** ** Steps *)

(* Computes the linear index of the claim down to + - * / mod. *)
Ltac compute_place := repeat match goal with
  | |- context [linear_index ?l ?s ?i] =>
      let place := eval cbv beta iota zeta delta [
        linear_index order minor_to_major tiles permute map nth rev app physical_sizes physical_index level_sizes
        level_index extend_sizes extend_index leading_count untiled_count tiled_sizes tiled_index combine_sizes
        combine_index tile_sizes map2 ceil_div linearize volume repeat length firstn skipn Nat.sub] in
        (linear_index l s i) in
      change (linear_index l s i) with place
  end.

(* Begins to run the claim. *)
Ltac begin := compute_place; name_in_goal; refine (proj1 (_ : _ /\ True)).

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
Ltac goal tactic := split; [name_in_goal; tactic |].
Ltac no_goal := split; [exact I |].
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
