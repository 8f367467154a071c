(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines what it means that C computes a formula in an integer type as the integers do: the value of each part fits
   the type, and C defines each operator there. docs/certificates.md has the same as a table of goals.

   Proves that `run_parts`, which asks one condition after the other and then shows what is to be shown of each part,
   finds this. Certificates of the law no-overflow follow the conditions that it asks (Steps.v). *)
Require Import ZArith Lia Bool List.
Require Import Layoutcheck.Formula.
Import ListNotations.
Open Scope Z_scope.

(* An integer type of C, with its width in bits. C++20 defines a << b for a < 0 as the product, C does not. *)
Record integer := { width : Z; has_sign : bool; shifts_negative : bool }.
Definition int32 := {| width := 32; has_sign := true; shifts_negative := false |}.
Definition uint32 := {| width := 32; has_sign := false; shifts_negative := false |}.
Definition int64 := {| width := 64; has_sign := true; shifts_negative := false |}.
Definition cpp20 (t : integer) := {| width := width t; has_sign := has_sign t; shifts_negative := true |}.

Definition least (t : integer) : Z := - negatives (has_sign t) (width t).
Definition largest (t : integer) : Z := least t + 2 ^ width t - 1.
Definition Fits (t : integer) (x : Z) : Prop := least t <= x <= largest t.

(* Says that C defines x << y, x >> y and x % y where the value fits: a shift is by less than the width, and the least
   value of a signed type has no remainder by -1. *)
Definition DefinesShiftLeft (t : integer) (x y : Z) : Prop :=
  y < width t /\ (has_sign t = true -> shifts_negative t = false -> 0 <= x).
Definition DefinesShiftRight (t : integer) (x y : Z) : Prop := y < width t.
Definition DefinesRemainder (t : integer) (x y : Z) : Prop := has_sign t = true -> ~ (x = least t /\ y = -1).

(* Says that both formulas have values of which `claim` is true. *)
Definition OfValues (a b : expr) (claim : Z -> Z -> Prop) : Prop :=
  exists x y, eval a = Some x /\ eval b = Some y /\ claim x y.

(* Says that C computes the formula and each part of it that it evaluates as the integers do. `in_and` is true of an
   operand of &: an unsigned type has another value of ~b than the integers have, but the same bits, so that a & ~b has
   the same value. *)
Fixpoint PartsFit (t : integer) (in_and : bool) (e : expr) : Prop :=
  (exists x, eval e = Some x /\
     match e with
     | Complement _ => in_and = true /\ has_sign t = false \/ Fits t x
     | _ => Fits t x
     end) /\
  match e with
  | Value _ => True
  | Negate a | Complement a | Cast _ _ a | Not a => PartsFit t false a
  | Element table a => Forall (Fits t) table /\ PartsFit t false a
  | BitAnd a b => PartsFit t true a /\ PartsFit t true b
  | ShiftLeft a b => PartsFit t false a /\ PartsFit t false b /\ OfValues a b (DefinesShiftLeft t)
  | ShiftRight a b => PartsFit t false a /\ PartsFit t false b /\ OfValues a b (DefinesShiftRight t)
  | Remainder a b => PartsFit t false a /\ PartsFit t false b /\ OfValues a b (DefinesRemainder t)
  | Add a b | Subtract a b | Multiply a b | FloorDiv a b | CeilDiv a b | Mod a b | Quotient a b | Min a b | Max a b
  | BitOr a b | BitXor a b | Less a b | LessEqual a b | Greater a b | GreaterEqual a b | Equal a b | NotEqual a b =>
      PartsFit t false a /\ PartsFit t false b
  | And a b => PartsFit t false a /\ (Holds a -> PartsFit t false b)
  | Or a b => PartsFit t false a /\ (~ Holds a -> PartsFit t false b)
  | If c a b => PartsFit t false c /\ (Holds c -> PartsFit t false a) /\ (~ Holds c -> PartsFit t false b)
  | Let a body => PartsFit t false a /\ forall x, eval a = Some x -> PartsFit t false (body x)
  end.
Definition NoOverflow (t : integer) (e : expr) : Prop := PartsFit t false e.

(** ** Parts by asking conditions *)

(* Goals about the parts of a formula, in the order of docs/certificates.md, and what is to be shown after them. *)
Definition at_most (a b : Z) (rest : Prop) : Prop := a <= b /\ rest.
Definition fits (t : integer) (x : Z) (rest : Prop) : Prop := at_most (least t) x (at_most x (largest t) rest).
Definition fits_shift_left (t : integer) (x y v : Z) (rest : Prop) : Prop :=
  at_most (y + 1) (width t)
    (if has_sign t && negb (shifts_negative t) then at_most 0 x (fits t v rest) else fits t v rest).
Definition fits_shift_right (t : integer) (x y v : Z) (rest : Prop) : Prop := at_most (y + 1) (width t) (fits t v rest).
Definition fits_remainder (t : integer) (x y v : Z) (rest : Prop) : Prop :=
  if has_sign t then
    if 1 <=? y then fits t v rest else if least t + 1 <=? x then fits t v rest
    else if y + 1 <=? -1 then fits t v rest else False /\ fits t v rest
  else fits t v rest.
Definition all_fit (t : integer) (table : list Z) (v : Z) (rest : Prop) : Prop :=
  fold_right (fits t) (fits t v rest) table.

(* What is said of a value after the goals of the parts that were evaluated. These are shown after all conditions. *)
Definition late_claim := (Prop -> Prop) -> Prop.
(* Adds goals. *)
Definition also (goals : Prop -> Prop) (next : late_claim) : late_claim :=
  fun parts => next (fun rest => parts (goals rest)).

(* Says of the value of `e` what `next` says, after the goals of its parts, or `none` if there is no value. `run` does
   it for operands. *)
Definition run_parts_once (run : bool -> expr -> late_claim -> (Z -> late_claim) -> late_claim) (t : integer)
    (in_and : bool) (e : expr) (none : late_claim) (next : Z -> late_claim) : late_claim :=
  let both a b next := run false a none (fun x => run false b none (fun y => next x y)) in
  match e with
  | Complement a => run false a none (fun x =>
      if in_and && negb (has_sign t) then next (-1 - x) else also (fits t (-1 - x)) (next (-1 - x)))
  | Element table a => run_once (run false) e none (fun v => also (all_fit t table v) (next v))
  | BitAnd a b => run_once (run true) e none (fun v => also (fits t v) (next v))
  | ShiftLeft a b => both a b (fun x y => shift_left x y none (fun v => also (fits_shift_left t x y v) (next v)))
  | ShiftRight a b => both a b (fun x y => shift_right x y none (fun v => also (fits_shift_right t x y v) (next v)))
  | Remainder a b => both a b (fun x y => remainder x y none (fun v => also (fits_remainder t x y v) (next v)))
  | _ => run_once (run false) e none (fun v => also (fits t v) (next v))
  end.
Fixpoint run_parts (t : integer) (in_and : bool) (e : expr) (none : late_claim) (next : Z -> late_claim) {struct e} :
    late_claim := run_parts_once (run_parts t) t in_and e none next.

(* Says that `goals` are those of the parts of the formula, and show that these fit. *)
Definition Shows (t : integer) (in_and : bool) (e : expr) (goals : Prop -> Prop) : Prop :=
  (forall rest, goals rest -> rest /\ (eval e <> None -> PartsFit t in_and e)) /\
  forall none next parts, run_parts t in_and e none next parts =
    match eval e with Some x => next x | None => none end (fun rest => parts (goals rest)).

Lemma fits_is_shown : forall t x rest, fits t x rest -> Fits t x /\ rest.
Proof. unfold fits, at_most, Fits. tauto. Qed.

Lemma all_fit_is_shown : forall t table v rest, all_fit t table v rest -> Forall (Fits t) table /\ Fits t v /\ rest.
Proof.
  intros t table v rest. unfold all_fit. induction table as [| x table IH]; cbn [fold_right]; intros H;
    apply fits_is_shown in H.
  - split; [constructor | exact H].
  - destruct H as [Hx H]. apply IH in H. split; [constructor |]; tauto.
Qed.

Lemma shift_left_is_shown : forall t x y v rest, fits_shift_left t x y v rest ->
  DefinesShiftLeft t x y /\ Fits t v /\ rest.
Proof.
  unfold fits_shift_left, at_most, DefinesShiftLeft. intros t x y v rest [H H1].
  destruct (has_sign t), (shifts_negative t); cbn [andb negb] in H1; [| destruct H1 as [H2 H1] | |];
    apply fits_is_shown in H1; repeat split; try apply H1; try discriminate; try lia.
Qed.

Lemma shift_right_is_shown : forall t x y v rest, fits_shift_right t x y v rest ->
  DefinesShiftRight t x y /\ Fits t v /\ rest.
Proof.
  unfold fits_shift_right, at_most, DefinesShiftRight. intros t x y v rest [H H1]. apply fits_is_shown in H1.
  split; [lia | exact H1].
Qed.

Lemma remainder_is_shown : forall t x y v rest, fits_remainder t x y v rest ->
  DefinesRemainder t x y /\ Fits t v /\ rest.
Proof.
  unfold fits_remainder, DefinesRemainder. intros t x y v rest H. destruct (has_sign t).
  - destruct (Z.leb_spec 1 y); [| destruct (Z.leb_spec (least t + 1) x); [| destruct (Z.leb_spec (y + 1) (-1))]];
      try (destruct H; contradiction); apply fits_is_shown in H; (split; [lia | exact H]).
  - apply fits_is_shown in H. split; [discriminate | exact H].
Qed.

Definition Shown (t : integer) (in_and : bool) (e : expr) : Prop := exists goals, Shows t in_and e goals.

Lemma one_operand : forall t in_and e a f op goals, Shown t false a ->
  eval e = match eval a with Some x => f x | None => None end ->
  (forall none next parts, run_parts t in_and e none next parts =
     run_parts t false a none (fun x => op x none next) parts) ->
  (forall x none next parts, op x none next parts =
     match f x with Some v => also (goals v) (next v) | None => none end parts) ->
  (forall v rest, goals v rest -> rest /\ (PartsFit t false a -> eval e = Some v -> PartsFit t in_and e)) ->
  Shown t in_and e.
Proof.
  intros t in_and e a f op goals (K & Ha & Ra) E R Hop Hgoals.
  exists (fun rest => K (match eval e with Some v => goals v rest | None => rest end)). split.
  - intros rest H. apply Ha in H. destruct H as [H Fa]. destruct (eval e) as [v |] eqn:V; [| tauto].
    apply Hgoals in H. destruct H as [H F]. split; [exact H |]. intros _.
    apply F; [apply Fa; destruct (eval a) |]; congruence.
  - intros none next parts. rewrite R, Ra, E. destruct (eval a) as [x |]; [| reflexivity]. rewrite Hop.
    destruct (f x); reflexivity.
Qed.

Lemma two_operands : forall t in_and in_operands e a b f op goals, Shown t in_operands a -> Shown t in_operands b ->
  eval e = combine (eval a) (eval b) f ->
  (forall none next parts, run_parts t in_and e none next parts =
     run_parts t in_operands a none (fun x => run_parts t in_operands b none (fun y => op x y none next)) parts) ->
  (forall x y none next parts, op x y none next parts =
     match f x y with Some v => also (goals x y v) (next v) | None => none end parts) ->
  (forall x y v rest, goals x y v rest -> rest /\ (PartsFit t in_operands a -> PartsFit t in_operands b ->
     eval a = Some x -> eval b = Some y -> eval e = Some v -> PartsFit t in_and e)) ->
  Shown t in_and e.
Proof.
  intros t in_and in_operands e a b f op goals (K & Ha & Ra) (L & Hb & Rb) E R Hop Hgoals.
  exists (fun rest => K (match eval a with
    | Some x => L (match eval b, eval e with Some y, Some v => goals x y v rest | _, _ => rest end)
    | None => rest
    end)).
  split.
  - intros rest H. apply Ha in H. destruct H as [H Fa]. destruct (eval a) as [x |] eqn:X; cbn [combine] in E;
      [| split; [exact H | congruence]].
    apply Hb in H. destruct H as [H Fb].
    destruct (eval b) as [y |] eqn:Y; cbn [combine] in E; [| split; [exact H | congruence]].
    destruct (eval e) as [v |] eqn:V; [| tauto]. apply Hgoals in H. destruct H as [H F]. split; [exact H |].
    intros _. apply F; try reflexivity; [apply Fa | apply Fb]; congruence.
  - intros none next parts. rewrite R, Ra, E. destruct (eval a) as [x |]; [| reflexivity]. rewrite Rb.
    destruct (eval b) as [y |]; [| reflexivity]. rewrite Hop. cbn [combine]. destruct (f x y); reflexivity.
Qed.

(* Asking conditions finds for an operator of any operands what it finds for the operator between their values. *)
Ltac by_values op goals := intros x y none next parts;
  exact (f_equal (fun claim => claim parts) 
    (run_eval (op (Value x) (Value y)) none (fun v => also (goals x y v) (next v)))).
Ltac by_value op goals := intros x none next parts;
  exact (f_equal (fun claim => claim parts) (run_eval (op (Value x)) none (fun v => also (goals v) (next v)))).

Ltac parts_of := intros; cbn [PartsFit]; unfold OfValues;
  repeat lazymatch goal with |- _ /\ _ => split | |- exists _, _ => eexists end; try eassumption; try tauto.
Ltac binary op in_operands goals is_shown :=
  lazymatch goal with
  | IHa : forall _ _, Shown _ _ ?a, IHb : forall _ _, Shown _ _ ?b |- Shown ?t ?in_and _ =>
      eapply (two_operands t in_and in_operands (op a b) a b (fun x y => eval (op (Value x) (Value y))) _ goals
        (IHa t in_operands) (IHb t in_operands));
      [reflexivity | reflexivity | by_values op goals |
       intros x y v rest H; apply is_shown in H; split; [tauto |]; parts_of]
  end.
Ltac unary op goals is_shown :=
  lazymatch goal with
  | IHa : forall _ _, Shown _ _ ?a |- Shown ?t ?in_and _ =>
      eapply (one_operand t in_and (op a) a (fun x => eval (op (Value x))) _ goals (IHa t false));
      [cbn [eval]; destruct (eval a); reflexivity | reflexivity | by_value op goals |
       intros v rest H; apply is_shown in H; split; [tauto |]; parts_of]
  end.

Lemma lnot_as_difference : forall x, Z.lnot x = -1 - x.
Proof. unfold Z.lnot. lia. Qed.

Theorem parts_are_shown : forall e t in_and, Shown t in_and e.
Proof.
  induction e; intros t in_and.
  - exists (fits t z). split; [| reflexivity]. intros rest H. apply fits_is_shown in H. split; [tauto |].
    parts_of; reflexivity.
  - unary Negate (fits t) fits_is_shown.
  - (* Complement *)
    eapply (one_operand t in_and _ e (fun x => Some (-1 - x)) _
      (fun v rest => if in_and && negb (has_sign t) then rest else fits t v rest) (IHe t false)); [| reflexivity | |].
    + cbn [eval]. destruct (eval e) as [x |]; cbn [option_map]; [| reflexivity]. f_equal. apply lnot_as_difference.
    + intros x none next parts. unfold also. destruct (in_and && negb (has_sign t)) eqn:E; reflexivity.
    + intros v rest H. destruct (in_and && negb (has_sign t)) eqn:E; [| apply fits_is_shown in H]; (split; [tauto |]);
        parts_of.
      apply andb_prop in E. rewrite negb_true_iff in E. tauto.
  - binary Add false (fun x y : Z => fits t) fits_is_shown.
  - binary Subtract false (fun x y : Z => fits t) fits_is_shown.
  - binary Multiply false (fun x y : Z => fits t) fits_is_shown.
  - binary FloorDiv false (fun x y : Z => fits t) fits_is_shown.
  - binary CeilDiv false (fun x y : Z => fits t) fits_is_shown.
  - binary Mod false (fun x y : Z => fits t) fits_is_shown.
  - binary Quotient false (fun x y : Z => fits t) fits_is_shown.
  - binary Remainder false (fits_remainder t) remainder_is_shown.
  - binary Min false (fun x y : Z => fits t) fits_is_shown.
  - binary Max false (fun x y : Z => fits t) fits_is_shown.
  - binary ShiftLeft false (fits_shift_left t) shift_left_is_shown.
  - binary ShiftRight false (fits_shift_right t) shift_right_is_shown.
  - binary BitAnd true (fun x y : Z => fits t) fits_is_shown.
  - binary BitOr false (fun x y : Z => fits t) fits_is_shown.
  - binary BitXor false (fun x y : Z => fits t) fits_is_shown.
  - unary (Cast is_signed bits) (fits t) fits_is_shown.
  - unary (Element table) (all_fit t table) all_fit_is_shown.
  - binary Less false (fun x y : Z => fits t) fits_is_shown.
  - binary LessEqual false (fun x y : Z => fits t) fits_is_shown.
  - binary Greater false (fun x y : Z => fits t) fits_is_shown.
  - binary GreaterEqual false (fun x y : Z => fits t) fits_is_shown.
  - binary Equal false (fun x y : Z => fits t) fits_is_shown.
  - binary NotEqual false (fun x y : Z => fits t) fits_is_shown.
  - unary Not (fits t) fits_is_shown.

  - (* And *)
    destruct (IHe1 t false) as (K & Ha & Ra), (IHe2 t false) as (L & Hb & Rb).
    pose (last rest := match eval e2 with Some y => fits t (one_if (negb (y =? 0))) rest | None => rest end).
    exists (fun rest => K (match eval e1 with
      | Some x => if x =? 0 then fits t 0 rest else L (last rest)
      | None => rest
      end)). subst last.
    split.
    + intros rest H. apply Ha in H. destruct H as [H Fa]. cbn [PartsFit eval] in *. unfold Holds in *.
      destruct (eval e1) as [x |]; [| split; [exact H | congruence]]. specialize (Fa ltac:(discriminate)).
      destruct (Z.eqb_spec x 0) as [-> | Hx].
      * apply fits_is_shown in H. split; [tauto |]. intros _. split; [exists 0; tauto |]. split; [exact Fa |].
        intros (x & E & Hx). congruence. 
      * apply Hb in H. destruct H as [H Fb]. destruct (eval e2) as [y |]; cbn [option_map] in *.
        -- apply fits_is_shown in H. split; [tauto |]. intros _. split; [eexists; split; [reflexivity | tauto] |].
           split; [exact Fa |]. intros _. apply Fb. discriminate.
        -- split; [exact H | congruence].
    + intros none next parts. cbn [run_parts run_parts_once run_once eval]. rewrite Ra.
      destruct (eval e1) as [x |]; [| reflexivity].
      destruct (x =? 0); [reflexivity |]. rewrite Rb. destruct (eval e2) as [y |]; [| reflexivity]. cbn [option_map].
      destruct (y =? 0); reflexivity.

  - (* Or *)
    destruct (IHe1 t false) as (K & Ha & Ra), (IHe2 t false) as (L & Hb & Rb).
    pose (last rest := match eval e2 with Some y => fits t (one_if (negb (y =? 0))) rest | None => rest end).
    exists (fun rest => K (match eval e1 with
      | Some x => if x =? 0 then L (last rest) else fits t 1 rest
      | None => rest
      end)). subst last.
    split.
    + intros rest H. apply Ha in H. destruct H as [H Fa]. cbn [PartsFit eval] in *. unfold Holds in *.
      destruct (eval e1) as [x |]; [| split; [exact H | congruence]]. specialize (Fa ltac:(discriminate)).
      destruct (Z.eqb_spec x 0) as [-> | Hx].
      * apply Hb in H. destruct H as [H Fb]. destruct (eval e2) as [y |]; cbn [option_map] in *.
        -- apply fits_is_shown in H. split; [tauto |]. intros _. split; [eexists; split; [reflexivity | tauto] |].
           split; [exact Fa |]. intros _. apply Fb. discriminate.
        -- split; [exact H | congruence].
      * apply fits_is_shown in H. split; [tauto |]. intros _. split; [exists 1; tauto |]. split; [exact Fa |].
        intros N. destruct N. eauto.
    + intros none next parts. cbn [run_parts run_parts_once run_once eval]. rewrite Ra.
      destruct (eval e1) as [x |]; [| reflexivity].
      destruct (x =? 0); [| reflexivity]. rewrite Rb. destruct (eval e2) as [y |]; [| reflexivity]. cbn [option_map].
      destruct (y =? 0); reflexivity.
  - (* If *)
    destruct (IHe1 t false) as (K & Hc & Rc), (IHe2 t false) as (L & Ha & Ra), (IHe3 t false) as (M & Hb & Rb).
    exists (fun rest => K (match eval e1 with
      | Some x =>
          let last := match eval (If e1 e2 e3) with Some v => fits t v rest | None => rest end in
          if x =? 0 then M last else L last
      | None => rest
      end)).
    split.
    + intros rest H. apply Hc in H. destruct H as [H Fc]. cbn [PartsFit eval] in *. unfold Holds in *.
      destruct (eval e1) as [x |]; [| split; [exact H | congruence]]. specialize (Fc ltac:(discriminate)).
      destruct (Z.eqb_spec x 0) as [-> | Hx].
      * apply Hb in H. destruct H as [H Fb]. destruct (eval e3) as [y |]; [| split; [exact H | congruence]].
        apply fits_is_shown in H. split; [tauto |]. intros _. split; [eexists; split; [reflexivity | tauto] |].
        split; [exact Fc |]. split; [intros (x & E & Hx); congruence |]. intros _. apply Fb. discriminate.
      * apply Ha in H. destruct H as [H Fa]. destruct (eval e2) as [y |]; [| split; [exact H | congruence]].
        apply fits_is_shown in H. split; [tauto |]. intros _. split; [eexists; split; [reflexivity | tauto] |].
        split; [exact Fc |]. split; [intros _; apply Fa; discriminate |]. intros N. destruct N. eauto.
    + intros none next parts. cbn [run_parts run_parts_once run_once eval]. rewrite Rc.
      destruct (eval e1) as [x |]; [| reflexivity].
      destruct (x =? 0); [rewrite Rb; destruct (eval e3) | rewrite Ra; destruct (eval e2)]; reflexivity.
  - (* Let *)
    destruct (IHe t false) as (K & Ha & Ra).
    destruct (eval e) as [x |] eqn:E.
    + destruct (H x t false) as (L & Hb & Rb).
      exists (fun rest => K (L (match eval (body x) with Some v => fits t v rest | None => rest end))). split.
      * intros rest G. apply Ha in G. destruct G as [G Fa]. specialize (Fa ltac:(congruence)). apply Hb in G.
        destruct G as [G Fb].
        cbn [PartsFit eval]. rewrite E. destruct (eval (body x)) as [v |]; [| split; [exact G | congruence]].
        apply fits_is_shown in G. split; [tauto |]. intros _. split; [eexists; split; [reflexivity | tauto] |].
        split; [exact Fa |].
        intros y Y. injection Y as <-. apply Fb. discriminate.
      * intros none next parts. cbn [run_parts run_parts_once run_once eval]. rewrite Ra, E, Rb.
        destruct (eval (body x)); reflexivity.
    + exists K. split.
      * intros rest G. apply Ha in G. split; [apply G |]. cbn [eval]. rewrite E. congruence.
      * intros none next parts. cbn [run_parts run_parts_once run_once eval]. rewrite Ra, E. reflexivity.
Qed.

(* Shows that no part of a formula overflows, and that `claim` is true of its value. *)
Theorem run_parts_no_overflow : forall t e (claim : Z -> Prop),
  run_parts t false e (fun parts => False /\ parts True) (fun x parts => parts (claim x)) (fun goals => goals) ->
  exists x, eval e = Some x /\ claim x /\ NoOverflow t e.
Proof.
  intros t e claim H. destruct (parts_are_shown e t false) as (goals & Hg & R). rewrite R in H.
  destruct (eval e) as [x |]; [| destruct H; contradiction]. apply Hg in H. destruct H as [H F].
  exists x. split; [reflexivity |]. split; [exact H |]. apply F. discriminate.
Qed.
