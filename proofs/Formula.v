(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines the value of an index formula, as docs/prove.md describes formulas: integers of any size, / and % as in C,
   floordiv, ceildiv and mod for positive divisors, bits in two's complement of any width, and conditions as in C. A
   formula that divides by 0, shifts by a number that is not between 0 and 63, or asks for an element that a table has
   not, has no value.

   Proves that `run`, which asks one condition after the other, finds this value. Certificates of formulas follow the
   conditions that it asks (Steps.v). *)
Require Import ZArith Lia Bool List.
Require Import Layoutcheck.Bits.
Open Scope Z_scope.

(* A formula. Names stand for integers, which are in the formula as values. *)
Inductive expr :=
| Value (z : Z)
| Negate (a : expr)
| Complement (a : expr)
| Add (a b : expr)
| Subtract (a b : expr)
| Multiply (a b : expr)
| FloorDiv (a b : expr)
| CeilDiv (a b : expr)
| Mod (a b : expr)
| Quotient (a b : expr)   (* a / b, rounded toward 0 *)
| Remainder (a b : expr)  (* a % b *)
| Min (a b : expr)
| Max (a b : expr)
| ShiftLeft (a b : expr)
| ShiftRight (a b : expr)
| BitAnd (a b : expr)
| BitOr (a b : expr)
| BitXor (a b : expr)
| Cast (is_signed : bool) (bits : Z) (a : expr)
| Element (table : list Z) (a : expr)  (* element number a *)
| Less (a b : expr)
| LessEqual (a b : expr)
| Greater (a b : expr)
| GreaterEqual (a b : expr)
| Equal (a b : expr)
| NotEqual (a b : expr)
| Not (a : expr)
| And (a b : expr)
| Or (a b : expr)
| If (condition a b : expr)
| Let (a : expr) (body : Z -> expr).

Definition one_if (b : bool) : Z := if b then 1 else 0.

(* Returns how many values of an integer type are below 0. *)
Definition negatives (is_signed : bool) (bits : Z) : Z := if is_signed then 2 ^ (bits - 1) else 0.
(* Returns the value of the type that differs from x by a multiple of 2 ^ bits. *)
Definition wrap (is_signed : bool) (bits x : Z) : Z :=
  (x + negatives is_signed bits) mod 2 ^ bits - negatives is_signed bits.

(* Applies an operator to values. None: it has no value. *)
Definition combine (a b : option Z) (f : Z -> Z -> option Z) : option Z :=
  match a, b with
  | Some x, Some y => f x y
  | _, _ => None
  end.

Fixpoint eval (e : expr) : option Z :=
  match e with
  | Value z => Some z
  | Negate a => option_map Z.opp (eval a)
  | Complement a => option_map Z.lnot (eval a)
  | Add a b => combine (eval a) (eval b) (fun x y => Some (x + y))
  | Subtract a b => combine (eval a) (eval b) (fun x y => Some (x - y))
  | Multiply a b => combine (eval a) (eval b) (fun x y => Some (x * y))
  | FloorDiv a b => combine (eval a) (eval b) (fun x y => if 1 <=? y then Some (x / y) else None)
  | CeilDiv a b => combine (eval a) (eval b) (fun x y => if 1 <=? y then Some ((x + y - 1) / y) else None)
  | Mod a b => combine (eval a) (eval b) (fun x y => if 1 <=? y then Some (x mod y) else None)
  | Quotient a b => combine (eval a) (eval b) (fun x y => if y =? 0 then None else Some (Z.quot x y))
  | Remainder a b => combine (eval a) (eval b) (fun x y => if y =? 0 then None else Some (Z.rem x y))
  | Min a b => combine (eval a) (eval b) (fun x y => Some (Z.min x y))
  | Max a b => combine (eval a) (eval b) (fun x y => Some (Z.max x y))
  | ShiftLeft a b =>
      combine (eval a) (eval b) (fun x y => if (0 <=? y) && (y <=? 63) then Some (x * 2 ^ y) else None)
  | ShiftRight a b =>
      combine (eval a) (eval b) (fun x y => if (0 <=? y) && (y <=? 63) then Some (x / 2 ^ y) else None)
  | BitAnd a b => combine (eval a) (eval b) (fun x y => Some (Z.land x y))
  | BitOr a b => combine (eval a) (eval b) (fun x y => Some (Z.lor x y))
  | BitXor a b => combine (eval a) (eval b) (fun x y => Some (Z.lxor x y))
  | Cast is_signed bits a => option_map (wrap is_signed bits) (eval a)
  | Element table a =>
      match eval a with
      | Some x => if (0 <=? x) && (x <? Z.of_nat (length table)) then Some (nth (Z.to_nat x) table 0) else None
      | None => None
      end
  | Less a b => combine (eval a) (eval b) (fun x y => Some (one_if (x <? y)))
  | LessEqual a b => combine (eval a) (eval b) (fun x y => Some (one_if (x <=? y)))
  | Greater a b => combine (eval a) (eval b) (fun x y => Some (one_if (y <? x)))
  | GreaterEqual a b => combine (eval a) (eval b) (fun x y => Some (one_if (y <=? x)))
  | Equal a b => combine (eval a) (eval b) (fun x y => Some (one_if (x =? y)))
  | NotEqual a b => combine (eval a) (eval b) (fun x y => Some (one_if (negb (x =? y))))
  | Not a => option_map (fun x => one_if (x =? 0)) (eval a)
  | And a b =>
      match eval a with
      | Some x => if x =? 0 then Some 0 else option_map (fun y => one_if (negb (y =? 0))) (eval b)
      | None => None
      end
  | Or a b =>
      match eval a with
      | Some x => if x =? 0 then option_map (fun y => one_if (negb (y =? 0))) (eval b) else Some 1
      | None => None
      end
  | If c a b =>
      match eval c with
      | Some x => if x =? 0 then eval b else eval a
      | None => None
      end
  | Let a body =>
      match eval a with
      | Some x => eval (body x)
      | None => None
      end
  end.

(* An assumption holds if it has a value other than 0. *)
Definition Holds (e : expr) : Prop := exists x, eval e = Some x /\ x <> 0.
(* Two formulas agree if both have the same value. *)
Definition Agree (e f : expr) : Prop := exists x, eval e = Some x /\ eval f = Some x.
(* A formula is at least 0 and below another one if both have values of which that is true. *)
Definition Below (bound e : expr) : Prop := exists b x, eval bound = Some b /\ eval e = Some x /\ 0 <= x < b.
(* Formulas tell two points apart if all have a value at both, and the points are the same where all values are equal. *)
Definition TellApart (at_point at_other : list expr) (is_same : Prop) : Prop :=
  Forall (fun e => exists x, eval e = Some x) (at_point ++ at_other) /\
  (map eval at_point = map eval at_other -> is_same).

(** ** Values by asking conditions *)

Section Run.
(* What is said of a value, a statement in the simplest case. *)
Context {A : Type}.

(* Values that the tactics of Steps.v wait for: a quotient, remainder or common bits gets a name; the bits that x and y
   have in common, x as a value of an integer type, and a number that must be known are found as the certificate says. *)
Definition named (x : Z) (next : Z -> A) : A := next x.
Definition common (x y : Z) (next : Z -> A) : A := next (Z.land x y).
Definition cast (is_signed : bool) (bits x : Z) (next : Z -> A) : A := next (wrap is_signed bits x).
Definition known (x : Z) (next : Z -> A) : A := next x.
Definition element (table : list Z) (k : Z) (next : Z -> A) : A := next (nth (Z.to_nat k) table 0).

(* Finds x, which is from `low` to `high`, by halving this range. *)
Fixpoint between (halvings : nat) (low high x : Z) (next : Z -> A) : A :=
  match halvings with
  | O => next x
  | S rest =>
      if low =? high then next low
      else let middle := (low + high) / 2 in
        if x <=? middle then between rest low middle x next else between rest (middle + 1) high x next
  end.

(* The values of operators between x and y. Each is a definition so that `next` stands once in it, however deep
   operators are nested. `pick` is x where the condition is true, and y where it is not. *)
Definition pick (condition : bool) (x y : Z) (next : Z -> A) : A := if condition then next x else next y.
Definition quotient (x y : Z) (none : A) (next : Z -> A) : A :=
  if 1 <=? y then if 0 <=? x then named (x / y) next else named (- x / y) (fun q => next (- q))
  else if y + 1 <=? 0 then if 0 <=? x then named (x / - y) (fun q => next (- q)) else named (- x / - y) next
  else none.
Definition remainder (x y : Z) (none : A) (next : Z -> A) : A :=
  if 1 <=? y then if 0 <=? x then named (x mod y) next else named (- x mod y) (fun r => next (- r))
  else if y + 1 <=? 0 then if 0 <=? x then named (x mod - y) next else named (- x mod - y) (fun r => next (- r))
  else none.
Definition shift_left (x y : Z) (none : A) (next : Z -> A) : A :=
  if 0 <=? y then if y <=? 63 then known y (fun y => next (x * 2 ^ y)) else none else none.
Definition shift_right (x y : Z) (none : A) (next : Z -> A) : A :=
  if 0 <=? y then if y <=? 63 then known y (fun y => named (x / 2 ^ y) next) else none else none.

(* Returns what `next` says of the value of `e`, or `none` if there is no value. `run` does it for operands. *)
Definition run_once (run : expr -> A -> (Z -> A) -> A) (e : expr) (none : A) (next : Z -> A) : A :=
  let both a b next := run a none (fun x => run b none (fun y => next x y)) in
  match e with
  | Value z => next z
  | Negate a => run a none (fun x => next (- x))
  | Complement a => run a none (fun x => next (-1 - x))
  | Add a b => both a b (fun x y => next (x + y))
  | Subtract a b => both a b (fun x y => next (x - y))
  | Multiply a b => both a b (fun x y => next (x * y))
  | FloorDiv a b => both a b (fun x y => if 1 <=? y then named (x / y) next else none)
  | CeilDiv a b => both a b (fun x y => if 1 <=? y then named ((x + y - 1) / y) next else none)
  | Mod a b => both a b (fun x y => if 1 <=? y then named (x mod y) next else none)
  | Quotient a b => both a b (fun x y => quotient x y none next)
  | Remainder a b => both a b (fun x y => remainder x y none next)
  | Min a b => both a b (fun x y => pick (x <=? y) x y next)
  | Max a b => both a b (fun x y => pick (x <=? y) y x next)
  | ShiftLeft a b => both a b (fun x y => shift_left x y none next)
  | ShiftRight a b => both a b (fun x y => shift_right x y none next)
  | BitAnd a b => both a b (fun x y => common x y next)
  | BitOr a b => both a b (fun x y => common x y (fun c => next (x + y - c)))
  | BitXor a b => both a b (fun x y => common x y (fun c => next (x + y - 2 * c)))
  | Cast is_signed bits a => run a none (fun x => cast is_signed bits x next)
  | Element table a => run a none (fun x =>
      if 0 <=? x then
        if x + 1 <=? Z.of_nat (length table) then
          between (length table) 0 (Z.of_nat (length table) - 1) x (fun k => element table k next)
        else none
      else none)
  | Less a b => both a b (fun x y => pick (x + 1 <=? y) 1 0 next)
  | LessEqual a b => both a b (fun x y => pick (x <=? y) 1 0 next)
  | Greater a b => both a b (fun x y => pick (y + 1 <=? x) 1 0 next)
  | GreaterEqual a b => both a b (fun x y => pick (y <=? x) 1 0 next)
  | Equal a b => both a b (fun x y => pick (x =? y) 1 0 next)
  | NotEqual a b => both a b (fun x y => pick (x =? y) 0 1 next)
  | Not a => run a none (fun x => pick (x =? 0) 1 0 next)
  | And a b => run a none (fun x =>
      if x =? 0 then next 0 else run b none (fun y => pick (y =? 0) 0 1 next))
  | Or a b => run a none (fun x =>
      if x =? 0 then run b none (fun y => pick (y =? 0) 0 1 next) else next 1)
  | If c a b => run c none (fun x => if x =? 0 then run b none next else run a none next)
  | Let a body => run a none (fun x => run (body x) none next)
  end.
Fixpoint run (e : expr) (none : A) (next : Z -> A) {struct e} : A := run_once run e none next.

Lemma between_finds : forall halvings low high x next, low <= x <= high ->
  between halvings low high x next = next x.
Proof.
  induction halvings as [| rest IH]; intros low high x next H; cbn [between]; [reflexivity |].
  destruct (Z.eqb_spec low high); [replace x with low by lia; reflexivity |].
  destruct (Z.leb_spec x ((low + high) / 2)); apply IH; lia.
Qed.

Lemma quotient_cases : forall x y, y <> 0 -> Z.quot x y =
  if 1 <=? y then if 0 <=? x then x / y else - (- x / y) else if 0 <=? x then - (x / - y) else - x / - y.
Proof.
  intros x y Hy. destruct (Z.leb_spec 1 y); destruct (Z.leb_spec 0 x).
  - apply Z.quot_div_nonneg; lia.
  - rewrite <- (Z.opp_involutive x) at 1. rewrite Z.quot_opp_l, Z.quot_div_nonneg by lia. reflexivity.
  - rewrite <- (Z.opp_involutive y) at 1. rewrite Z.quot_opp_r, Z.quot_div_nonneg by lia. reflexivity.
  - rewrite <- Z.quot_opp_opp, Z.quot_div_nonneg by lia. reflexivity.
Qed.

Lemma remainder_cases : forall x y, y <> 0 -> Z.rem x y =
  if 1 <=? y then if 0 <=? x then x mod y else - (- x mod y) else if 0 <=? x then x mod - y else - (- x mod - y).
Proof.
  intros x y Hy. destruct (Z.leb_spec 1 y); destruct (Z.leb_spec 0 x).
  - apply Z.rem_mod_nonneg; lia.
  - rewrite <- (Z.opp_involutive x) at 1. rewrite Z.rem_opp_l, Z.rem_mod_nonneg by lia. reflexivity.
  - rewrite <- (Z.opp_involutive y) at 1. rewrite Z.rem_opp_r, Z.rem_mod_nonneg by lia. reflexivity.
  - rewrite <- (Z.opp_involutive x) at 1. rewrite <- (Z.opp_involutive y) at 1.
    rewrite Z.rem_opp_l, Z.rem_opp_r, Z.rem_mod_nonneg by lia. reflexivity.
Qed.

Theorem run_eval : forall e none next,
  run e none next = match eval e with Some x => next x | None => none end.
Proof.
  induction e; intros none next; cbn [run run_once eval combine option_map];
    unfold pick, quotient, remainder, shift_left, shift_right, named, common, cast, known, element; try reflexivity;
    try (rewrite IHe; destruct (eval e); cbn [option_map]; try reflexivity;
         match goal with |- context [?x =? 0] => destruct (x =? 0) end; cbn [one_if]; reflexivity);
    try (rewrite IHe1; destruct (eval e1) as [x |]; cbn [combine]; try reflexivity;
         rewrite IHe2; destruct (eval e2) as [y |]; cbn [combine]; try reflexivity).
  { rewrite IHe. destruct (eval e) as [x |]; cbn [option_map]; [| reflexivity].
    replace (-1 - x) with (Z.lnot x) by (unfold Z.lnot; lia). reflexivity. }
  (* FloorDiv, CeilDiv, Mod *)
  1-3: destruct (1 <=? y); reflexivity.
  - destruct (Z.eqb_spec y 0) as [-> | Hy]; [cbn; reflexivity |]. rewrite quotient_cases by exact Hy.
    destruct (Z.leb_spec 1 y); [destruct (0 <=? x); reflexivity |].
    destruct (Z.leb_spec (y + 1) 0); [destruct (0 <=? x); reflexivity | lia].
  - destruct (Z.eqb_spec y 0) as [-> | Hy]; [cbn; reflexivity |]. rewrite remainder_cases by exact Hy.
    destruct (Z.leb_spec 1 y); [destruct (0 <=? x); reflexivity |].
    destruct (Z.leb_spec (y + 1) 0); [destruct (0 <=? x); reflexivity | lia].
  - destruct (Z.leb_spec x y); [rewrite Z.min_l by lia | rewrite Z.min_r by lia]; reflexivity.
  - destruct (Z.leb_spec x y); [rewrite Z.max_r by lia | rewrite Z.max_l by lia]; reflexivity.
  - destruct (0 <=? y); [destruct (y <=? 63) |]; cbn; reflexivity.
  - destruct (0 <=? y); [destruct (y <=? 63) |]; cbn; reflexivity.
  - rewrite lor_of_sum. reflexivity.
  - rewrite lxor_of_sum. reflexivity.
  - rewrite IHe. destruct (eval e) as [x |]; [| reflexivity].
    destruct (Z.leb_spec 0 x); cbn [andb]; [| reflexivity].
    destruct (Z.leb_spec (x + 1) (Z.of_nat (length table))); destruct (Z.ltb_spec x (Z.of_nat (length table)));
      try lia; [| reflexivity].
    apply (between_finds _ _ _ _ (fun k => next (nth (Z.to_nat k) table 0))). lia.
  - destruct (Z.leb_spec (x + 1) y); destruct (Z.ltb_spec x y); try lia; cbn; reflexivity.
  - destruct (x <=? y); cbn; reflexivity.
  - destruct (Z.leb_spec (y + 1) x); destruct (Z.ltb_spec y x); try lia; cbn; reflexivity.
  - destruct (y <=? x); cbn; reflexivity.
  - destruct (x =? y); cbn; reflexivity.
  - destruct (x =? y); cbn; reflexivity.
  (* And, Or *)
  - destruct (x =? 0); cbn; [| destruct (y =? 0)]; reflexivity.
  - destruct (x =? 0); reflexivity.
  - destruct (x =? 0); cbn; [destruct (y =? 0) |]; reflexivity.
  - destruct (x =? 0); reflexivity.
  (* If *)
  - destruct (x =? 0); [apply IHe3 | reflexivity].
  - destruct (x =? 0); [apply IHe3 | reflexivity].
  - rewrite IHe. destruct (eval e) as [x |]; [| reflexivity]. apply H.
Qed.
End Run.
