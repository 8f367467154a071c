(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines the tactics by which certificates of shape:stride layouts follow from claims about the formula of the offset.
   Nothing here needs to be trusted: Coq checks what the tactics prove. *)
Require Export Layoutcheck.Steps Layoutcheck.ShapeStride Layoutcheck.StrideLaws Layoutcheck.Swizzles.
Require Import ZArith List Lia.
Open Scope Z_scope.

(** ** One number per mode is enough *)

Definition numbers (index : list Z) : coordinate := Coordinates (map Number index).

Lemma numbers_within : forall modes index, InBox index (map size modes) -> Within (Tuple modes) (numbers index).
Proof.
  intros modes index H. unfold numbers. constructor. revert index H.
  induction modes as [| m modes IH]; intros index H; inversion H; subst; cbn [map]; constructor; auto.
  constructor. assumption.
Qed.

Lemma flat_of_numbers : forall m modes n index,
  flat (Tuple (m :: modes)) (numbers (n :: index)) = digits (sizes m) n ++ flat (Tuple modes) (numbers index).
Proof. reflexivity. Qed.

Lemma numbers_of_coordinate : forall modes c, Forall (fun d => 0 <= d) (sizes (Tuple modes)) -> Within (Tuple modes) c ->
  exists index, InBox index (map size modes) /\ flat (Tuple modes) (numbers index) = flat (Tuple modes) c.
Proof.
  intros modes c Hs H. pose proof (within_positive c _ Hs H) as Hp. apply within_in_box in H; [| exact Hs].
  revert H. generalize (flat (Tuple modes) c). clear c Hs. cbn [sizes] in *.
  induction modes as [| m modes IH]; intros i H; cbn [flat_map] in *.
  - exists []. inversion H. split; [constructor | reflexivity].
  - apply Forall_app in Hp. destruct Hp as [Hm Hp].
    assert (exists a b, i = a ++ b /\ InBox a (sizes m) /\ InBox b (flat_map sizes modes)) as (a & b & -> & Ha & Hb).
    { clear - H. revert i H. generalize (sizes m). intros s. induction s as [| d s IH]; intros i H; cbn [app] in H.
      - exists [], i. repeat split; auto. constructor.
      - inversion H; subst. match goal with Hi : InBox ?j (s ++ _) |- _ => destruct (IH j Hi) as (a & b & -> & Ha & Hb) end.
        eexists (_ :: a), b. repeat split; [constructor; eassumption | assumption]. }
    destruct (number_of_index a _ Ha Hm) as (n & Hn & En). destruct (IH Hp b Hb) as (index & Hi & Ei).
    exists (n :: index). split; [constructor; assumption |]. rewrite flat_of_numbers, En, Ei. reflexivity.
Qed.

Lemma NoDup_app_of : forall (A : Type) (a b : list A), NoDup a -> NoDup b -> (forall x, In x a -> In x b -> False) -> NoDup (a ++ b).
Proof.
  induction 1 as [| x a Hx Ha IH]; intros Hb H; cbn [app]; [exact Hb |]. constructor.
  - rewrite in_app_iff. intros [Hin | Hin]; [auto | apply (H x); [left; reflexivity | exact Hin]].
  - apply IH; [exact Hb |]. intros y H1 H2. apply (H y); [right; exact H1 | exact H2].
Qed.

Lemma NoDup_map_of : forall (A B : Type) (f : A -> B) list, (forall x y, In x list -> In y list -> f x = f y -> x = y) ->
  NoDup list -> NoDup (map f list).
Proof.
  intros A B f list H N. induction N as [| x list Hx N IH]; cbn [map]; constructor.
  - intros Hin. apply in_map_iff in Hin. destruct Hin as (y & E & Hy). apply Hx.
    rewrite <- (H y x); [exact Hy | right; exact Hy | left; reflexivity | exact E].
  - apply IH. intros y z Hy Hz. apply H; right; assumption.
Qed.

Section Numbers.
Variable modes : list shape_stride.
Hypothesis natural : Forall (fun d => 0 <= d) (sizes (Tuple modes)).
Let l := Tuple modes.
Let positive := Forall (fun d => 0 < d) (sizes l).

Lemma positive_of_numbers : forall index, InBox index (map size modes) -> positive.
Proof. intros index H. apply numbers_within in H. exact (within_positive _ l natural H). Qed.

Lemma injective_of_numbers : (forall i j, positive -> InBox i (map size modes) -> InBox j (map size modes) ->
  offset l (numbers i) = offset l (numbers j) -> i = j) -> Injective l.
Proof.
  intros H a b Ha Hb E. destruct (numbers_of_coordinate modes a natural Ha) as (i & Hi & Ei).
  destruct (numbers_of_coordinate modes b natural Hb) as (j & Hj & Ej). unfold offset in *. fold l in Ei, Ej.
  rewrite <- Ei, <- Ej in *. rewrite (H i j); auto. exact (positive_of_numbers i Hi).
Qed.

Lemma in_bounds_of_numbers : (forall i, positive -> InBox i (map size modes) -> 0 <= offset l (numbers i)) -> InBounds l.
Proof.
  intros H c Hc. destruct (numbers_of_coordinate modes c natural Hc) as (i & Hi & Ei). unfold offset in *. fold l in Ei.
  rewrite <- Ei. apply H; [exact (positive_of_numbers i Hi) | exact Hi].
Qed.

(* As many different offsets as elements, all of them below that number, are all of these. *)
Lemma onto_of_numbers : Injective l ->
  (forall i, positive -> InBox i (map size modes) -> 0 <= offset l (numbers i) < size l) -> Onto l.
Proof.
  intros D B a b p Ha Hb Hp. assert (Hs : positive) by exact (within_positive a l natural Ha).
  assert (range : forall i, InBox i (sizes l) -> 0 <= dot i (strides l) < size l).
  { intros i Hi. destruct (coordinate_of_index l i Hi) as (c & Hc & <-).
    destruct (numbers_of_coordinate modes c natural Hc) as (k & Hk & Ek). specialize (B k Hs Hk). unfold offset in B.
    fold l in Ek. rewrite Ek in B. exact B. }
  assert (counted : forall s, Forall (fun d => 0 < d) s -> length (box s) = Z.to_nat (volume s)).
  { clear. induction 1 as [| d s Hd H IH]; [reflexivity |]. cbn [box volume].
    assert (E : forall n from, length (flat_map (fun x => map (cons x) (box s)) (count n from)) = (n * length (box s))%nat).
    { induction n as [| n IHn]; intros from; [reflexivity |]. cbn [count flat_map].
      rewrite app_length, map_length, IHn. reflexivity. }
    rewrite E, IH. apply positive_sizes in H. rewrite Z2Nat.inj_mul by lia. reflexivity. }
  assert (N : NoDup (map (fun i => dot i (strides l)) (box (sizes l)))).
  { assert (Nb : forall s, NoDup (box s)).
    { clear. induction s as [| d s IH]; [repeat constructor; intros [] |]. cbn [box]. generalize 0.
      induction (Z.to_nat d) as [| n IHn]; intros from; [constructor |]. cbn [count flat_map]. apply NoDup_app_of; auto.
      - apply FinFun.Injective_map_NoDup; [intros x y E; injection E; auto | exact IH].
      - intros x Hx Hy. apply in_map_iff in Hx. destruct Hx as (i & <- & Hi). apply in_flat_map in Hy.
        destruct Hy as (y & Hy & Hj). apply in_map_iff in Hj. destruct Hj as (j & E & Hj). injection E as E1 E2.
        apply in_count in Hy. lia. }
    apply NoDup_map_of; [| apply Nb]. intros i j Hi Hj E. apply in_box in Hi, Hj.
    destruct (coordinate_of_index l i Hi) as (c & Hc & <-). destruct (coordinate_of_index l j Hj) as (d & Hd & <-).
    apply D; auto. }
  assert (In p (map (fun i => dot i (strides l)) (box (sizes l)))) as Hin.
  { apply (NoDup_length_incl (l' := count (Z.to_nat (size l)) 0)) in N.
    - apply N, in_count. pose proof (range _ (within_in_box l b natural Hb)). pose proof (range _ (within_in_box l a natural Ha)).
      unfold offset in Hp. lia.
    - rewrite map_length, counted by exact Hs. fold (size l). generalize (Z.to_nat (size l)). clear. intros n. generalize 0.
      induction n as [| n IH]; intros from; cbn [count length]; [lia |]. apply le_n_S, IH.
    - intros q Hq. apply in_map_iff in Hq. destruct Hq as (i & <- & Hi). apply in_box, range in Hi. apply in_count. lia. }
  apply in_map_iff in Hin. destruct Hin as (i & E & Hi). apply in_box, coordinate_of_index in Hi.
  destruct Hi as (c & Hc & <-). exists c. auto.
Qed.
End Numbers.

(** ** Tactics *)

Lemma first_index : forall index d sizes, InBox index (d :: sizes) ->
  exists i rest, index = i :: rest /\ 0 <= i < d /\ InBox rest sizes.
Proof. intros index d sizes H. inversion H; subst. eauto. Qed.

Lemma mul_at_least_1 : forall a b, 1 <= a -> 1 <= b -> 1 <= a * b.
Proof. intros. nia. Qed.

Lemma agree_least : forall f p, eval f = Some p -> Agree (Value 0) (Min f (Value 0)) -> 0 <= p.
Proof. intros f p E (x & H1 & H2). cbn [eval Formula.combine] in *. rewrite E in H2. injection H1. injection H2. lia. Qed.

Lemma below_size : forall f p bound size, eval f = Some p -> Below bound f -> eval bound = Some size -> 0 <= p < size.
Proof. intros f p bound size E (b & x & H1 & H2 & H) Es. rewrite E in H2. rewrite Es in H1. congruence. Qed.

(* Shows that each integer of the shape is at least 0, from premises. *)
Ltac natural_sizes := cbn [sizes flat_map app]; repeat (apply Forall_cons; [lia |]); apply Forall_nil.

(* Takes an index apart. *)
Tactic Notation "next_index" hyp(H) "as" ident(i) :=
  let rest := fresh "rest" in let E := fresh "E" in let B := fresh "B" in
  apply first_index in H; destruct H as (i & rest & E & B & H); cbn [size sizes volume flat_map app] in B; unfold ceil_div in B; subst.
Ltac no_index H := inversion H; subst; clear H.
Ltac positive_sizes P :=
  cbn [sizes flat_map app] in P;
  repeat (apply Forall_cons_iff in P; let Q := fresh "Q" in destruct P as [Q P]; cbv beta in Q); clear P.

Ltac at_least_1 := first [lia | apply mul_at_least_1; at_least_1].
Ltac decide_conditions := repeat (
  cbn [eval Formula.combine option_map];
  match goal with
  | |- context [1 <=? ?y] => first [change (1 <=? y) with true | rewrite (proj2 (Z.leb_le 1 y)) by at_least_1]
  end); cbn [eval Formula.combine option_map].
Ltac merge_quotients := repeat match goal with
  | |- context [?a / ?b / ?c] =>
      rewrite (Z.div_div a b c) by (match goal with |- ?z <> 0 => assert (1 <= z) by at_least_1; lia | |- 0 < ?z => assert (1 <= z) by at_least_1; lia end)
  end.
(* Shows that the formula's value is the number. *)
Ltac has_value := decide_conditions; apply f_equal;
  cbv beta iota zeta delta [offset numbers flat digits strides sizes dot map app flat_map size volume ceil_div];
  merge_quotients; rewrite ?Z.mul_1_r; name_in_goal; ring.

Ltac show_premise := lazymatch goal with
  | |- Holds (Less ?a ?b) =>
      exists 1; split; [| discriminate]; decide_conditions; unfold one_if;
      match goal with |- context [?x <? ?y] => rewrite (proj2 (Z.ltb_lt x y)) by lia end; reflexivity
  | _ => lia
  end.
(* Applies the claim about the formula to these indices. *)
Ltac apply_claim claim name := pose proof claim as name; repeat (
  lazymatch type of name with ?P -> ?Q =>
    let p := fresh in assert (p : P) by show_premise; specialize (name p); clear p end).

Ltac indices_are_the_same claim :=
  let C := fresh in apply_claim claim C; destruct C as [_ C];
  match goal with E : offset ?l ?c = offset ?l ?d |- _ =>
    match type of C with map eval [?f] = map eval [?g] -> ?same =>
      assert (eval f = Some (offset l c)) by has_value; assert (eval g = Some (offset l d)) by has_value;
      let S := fresh in assert same as S by (apply C; cbn [map]; congruence); clear - S; decompose [and] S; subst; reflexivity
    end
  end.
Ltac offset_is_natural claim :=
  let C := fresh in apply_claim claim C; match type of C with Agree _ (Min ?f _) => apply (agree_least f); [has_value | exact C] end.
Ltac offset_is_below_size claim :=
  let C := fresh in apply_claim claim C;
  match type of C with Below ?b ?f => apply (below_size f _ b); [has_value | exact C | has_value] end.
