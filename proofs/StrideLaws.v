(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines the laws of shape:stride layouts, and functions that decide them for layouts of numbers.

   Proves that a law holds where one of the functions returns true, and that a law about one number per mode holds for all
   coordinates. *)
Require Import ZArith List Lia Permutation Bool.
Require Import Orders Mergesort.
Require Import Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Injective Layoutcheck.ShapeStride.
Import ListNotations.
Open Scope Z_scope.

(* Coordinates with the same offset are the same. *)
Definition Injective (l : shape_stride) : Prop :=
  forall a b, Within l a -> Within l b -> offset l a = offset l b -> flat l a = flat l b.
(* An offset leads back to its coordinate. *)
Definition Invertible (l : shape_stride) : Prop :=
  exists element_at : Z -> list Z, forall c, Within l c -> element_at (offset l c) = flat l c.
(* No offset is negative. *)
Definition InBounds (l : shape_stride) : Prop := forall c, Within l c -> 0 <= offset l c.
(* Every number between two offsets is an offset. *)
Definition Onto (l : shape_stride) : Prop := forall a b p, Within l a -> Within l b -> offset l a <= p <= offset l b ->
  exists c, Within l c /\ offset l c = p.

Module AtMost <: TotalLeBool'.
  Definition t := Z.
  Definition leb := Z.leb.
  Infix "<=?" := leb (at level 70, no associativity).
  Theorem leb_total : forall x y, (x <=? y) = true \/ (y <=? x) = true.
  Proof. unfold leb. intros x y. rewrite !Z.leb_le. lia. Qed.
End AtMost.
Module Import Sorting := Sort AtMost.

(* Returns from, from + 1, ...: n numbers. *)
Fixpoint count (n : nat) (from : Z) : list Z :=
  match n with
  | O => []
  | S rest => from :: count rest (from + 1)
  end.

(* Returns all offsets, one per coordinate. *)
Fixpoint offsets (sizes strides : list Z) : list Z :=
  match sizes, strides with
  | d :: ds, s :: ss => let rest := offsets ds ss in flat_map (fun x => map (Z.add (x * s)) rest) (count (Z.to_nat d) 0)
  | _, _ => [0]
  end.

(* Returns whether each two neighbors satisfy the test. *)
Fixpoint neighbors (test : Z -> Z -> bool) (l : list Z) : bool :=
  match l with
  | x :: (y :: _) as rest => test x y && neighbors test rest
  | _ => true
  end.

Definition natural_sizes (l : shape_stride) : bool := forallb (Z.leb 0) (sizes l).
Definition positive_sizes_of (l : shape_stride) : bool := forallb (Z.leb 1) (sizes l).
Definition all_offsets (l : shape_stride) : list Z := offsets (sizes l) (strides l).

Definition distinct_by_enumeration (l : shape_stride) : bool :=
  natural_sizes l && neighbors Z.ltb (sort (all_offsets l)).
Definition natural_by_enumeration (l : shape_stride) : bool := natural_sizes l && forallb (Z.leb 0) (all_offsets l).
Definition gapless_by_enumeration (l : shape_stride) : bool :=
  natural_sizes l && neighbors (fun x y => (x <=? y) && (y <=? x + 1)) (sort (all_offsets l)).

(* No stride is negative, but for sizes of 1. *)
Definition natural_by_signs (l : shape_stride) : bool :=
  natural_sizes l && forallb (fun mode => (fst mode =? 1) || (0 <=? snd mode)) (combine (sizes l) (strides l)).

(* Compares the magnitude of each stride with what the modes after it reach together. *)
Fixpoint descending (test : Z -> Z -> bool) (sizes strides : list Z) : bool :=
  match sizes, strides with
  | d :: ds, s :: ss => ((d =? 1) || test (Z.abs s) (reach ds (map Z.abs ss))) && descending test ds ss
  | _, _ => true
  end.
(* So it is in this order of the modes. *)
Definition in_order (test : Z -> Z -> bool) (l : shape_stride) (o : list nat) : bool :=
  positive_sizes_of l && (length o =? length (sizes l))%nat &&
  forallb (fun d => existsb (Nat.eqb d) o) (seq 0 (length o)) &&
  descending test (permute o (sizes l)) (permute o (strides l)).
Definition distinct_by_strides (l : shape_stride) (o : list nat) : bool := in_order (fun s r => r <? s) l o.
Definition gapless_by_reach (l : shape_stride) (o : list nat) : bool := in_order (fun s r => s - 1 <=? r) l o.

(** ** Every index in the box of all modes is that of a coordinate *)

Lemma number_of_index : forall i s, InBox i s -> Forall (fun d => 0 < d) s ->
  exists n, 0 <= n < volume s /\ digits s n = i.
Proof.
  induction 1 as [| x i d s Hx H IH]; intros Hs; [exists 0; cbn; auto with zarith |].
  inversion Hs; subst. destruct IH as (n & Hn & E); [assumption |]. destruct s as [| e s].
  - inversion H; subst. exists x. cbn in *. split; [lia | reflexivity].
  - exists (x + n * d). cbn [digits volume] in *. rewrite Z.mod_add, Z.mod_small, Z.div_add, Z.div_small, Z.add_0_l by lia.
    split; [nia | congruence].
Qed.

Lemma coordinate_of_index : forall l i, InBox i (sizes l) -> exists c, Within l c /\ flat l c = i.
Proof.
  intros l i H. assert (Hs : Forall (fun d => 0 < d) (sizes l)) by (clear - H; induction H; constructor; auto; lia).
  destruct (number_of_index i _ H Hs) as (n & Hn & E). exists (Number n). split; [constructor; exact Hn | exact E].
Qed.

Lemma positive_of_volume : forall s, Forall (fun d => 0 <= d) s -> 0 < volume s -> Forall (fun d => 0 < d) s.
Proof.
  induction 1 as [| d s Hd Hs IH]; cbn [volume]; intros H; [constructor |].
  destruct (Z_lt_ge_dec 0 (volume s)); [constructor; [nia | auto] | nia].
Qed.

Lemma within_positive : forall c l, Forall (fun d => 0 <= d) (sizes l) -> Within l c -> Forall (fun d => 0 < d) (sizes l).
Proof.
  fix IH 1. intros [n | components] l Hs H.
  - apply positive_of_volume; [exact Hs |]. inversion H; subst. unfold size in *. lia.
  - assert (exists modes, l = Tuple modes /\ Forall2 Within modes components) as (modes & -> & F)
      by (inversion H; eauto).
    clear H. revert modes Hs F. induction components as [| c components IHc]; intros modes Hs F; inversion F; subst.
    + constructor.
    + cbn [sizes flat_map] in *. apply Forall_app in Hs. destruct Hs as [Hm Hms]. apply Forall_app. split.
      * eapply IH; eassumption.
      * apply (IHc l Hms). assumption.
Qed.

Lemma within_in_box : forall l c, Forall (fun d => 0 <= d) (sizes l) -> Within l c -> InBox (flat l c) (sizes l).
Proof. intros l c Hs H. apply flat_in_box; [exact (within_positive c l Hs H) | exact H]. Qed.

(** ** Laws of the box are laws of the layout *)

Section OfBox.
Variable l : shape_stride.
Hypothesis natural : Forall (fun d => 0 <= d) (sizes l).
Let place (i : list Z) := dot i (strides l).

Lemma injective_of_box : (forall i j, InBox i (sizes l) -> InBox j (sizes l) -> place i = place j -> i = j) -> Injective l.
Proof. intros H a b Ha Hb E. apply H; auto using within_in_box. Qed.

Lemma in_bounds_of_box : (forall i, InBox i (sizes l) -> 0 <= place i) -> InBounds l.
Proof. intros H c Hc. apply H, within_in_box; auto. Qed.

Lemma onto_of_box : (forall i j p, InBox i (sizes l) -> InBox j (sizes l) -> place i <= p <= place j ->
  exists k, InBox k (sizes l) /\ place k = p) -> Onto l.
Proof.
  intros H a b p Ha Hb Hp.
  destruct (H (flat l a) (flat l b) p) as (k & Hk & E); auto using within_in_box.
  destruct (coordinate_of_index l k Hk) as (c & Hc & <-). exists c. auto.
Qed.
End OfBox.

(** ** Enumeration *)

Fixpoint box (sizes : list Z) : list (list Z) :=
  match sizes with
  | [] => [[]]
  | d :: ds => flat_map (fun x => map (cons x) (box ds)) (count (Z.to_nat d) 0)
  end.

Lemma in_count : forall n from x, In x (count n from) <-> from <= x < from + Z.of_nat n.
Proof. induction n as [| n IH]; intros from x; cbn [count In]; [lia |]. rewrite IH. lia. Qed.

Lemma in_box : forall s i, In i (box s) <-> InBox i s.
Proof.
  induction s as [| d ds IH]; intros i; cbn [box].
  - split; [intros [<- | []]; constructor | intros H; inversion H; left; reflexivity].
  - rewrite in_flat_map. split.
    + intros (x & Hx & H). apply in_map_iff in H. destruct H as (j & <- & Hj). apply in_count in Hx.
      constructor; [lia | apply IH; exact Hj].
    + intros H. inversion H as [| x j ? ? Hx Hj]; subst. exists x. split; [apply in_count; lia |].
      apply in_map, IH. exact Hj.
Qed.

Lemma offsets_of_box : forall s r, length r = length s -> offsets s r = map (fun i => dot i r) (box s).
Proof.
  induction s as [| d ds IH]; intros [| x r] Hl; try discriminate; [reflexivity |].
  cbn [offsets box]. rewrite IH by (simpl in Hl; lia). generalize (count (Z.to_nat d) 0). intros numbers.
  induction numbers as [| y numbers IHn]; [reflexivity |]. cbn [flat_map]. rewrite IHn, map_app, !map_map. reflexivity.
Qed.

Lemma offsets_of_layout : forall l, all_offsets l = map (fun i => dot i (strides l)) (box (sizes l)).
Proof. intros l. apply offsets_of_box, strides_length. Qed.

Lemma neighbors_least : forall test l x, (forall a b, test a b = true -> a <= b) -> neighbors test (x :: l) = true ->
  Forall (Z.le x) l.
Proof.
  intros test l. induction l as [| y l IH]; intros x Ht H; [constructor |].
  cbn [neighbors] in H. apply andb_true_iff in H. destruct H as [H1 H2]. apply Ht in H1.
  constructor; [exact H1 |]. eapply Forall_impl; [| apply (IH y Ht H2)]. intros. cbv beta in *. lia.
Qed.

Lemma neighbors_distinct : forall l, neighbors Z.ltb l = true -> NoDup l.
Proof.
  induction l as [| x l IH]; intros H; [constructor |]. destruct l as [| y l]; [constructor; [intros [] | constructor] |].
  cbn [neighbors] in H. apply andb_true_iff in H. destruct H as [H1 H2]. constructor; [| apply IH; exact H2].
  apply Z.ltb_lt in H1. apply (neighbors_least Z.ltb) in H2; [| intros a b Hab; apply Z.ltb_lt in Hab; lia].
  intros [E | Hin]; [lia |]. eapply Forall_forall in H2; [| exact Hin]. lia.
Qed.

Lemma neighbors_gapless : forall l x b p, neighbors (fun x y => (x <=? y) && (y <=? x + 1)) (x :: l) = true ->
  In b (x :: l) -> x <= p <= b -> In p (x :: l).
Proof.
  induction l as [| y l IH]; intros x b p H Hb Hp.
  - destruct Hb as [<- | []]. left. lia.
  - destruct (Z.eq_dec x p) as [| Hne]; [left; assumption | right].
    pose proof H as Hn. cbn [neighbors] in H. apply andb_true_iff in H. destruct H as [H1 H2].
    apply andb_true_iff in H1. rewrite !Z.leb_le in H1. destruct Hb as [<- | Hb]; [lia |].
    apply (IH y b p H2 Hb). lia.
Qed.

Lemma natural_sizes_are : forall l, natural_sizes l = true -> Forall (fun d => 0 <= d) (sizes l).
Proof. unfold natural_sizes. intros l H. rewrite forallb_forall in H. apply Forall_forall. intros d Hd. apply Z.leb_le, H, Hd. Qed.

Lemma map_injective : forall (A : Type) (f : A -> Z) list a b, NoDup (map f list) -> In a list -> In b list -> f a = f b -> a = b.
Proof.
  intros A f list a b. induction list as [| x list IH]; intros N Ha Hb E; [destruct Ha |].
  cbn [map] in N. inversion N as [| ? ? Hx Hn]; subst. destruct Ha as [-> | Ha], Hb as [-> | Hb]; auto.
  - exfalso. apply Hx. rewrite E. apply in_map, Hb.
  - exfalso. apply Hx. rewrite <- E. apply in_map, Ha.
Qed.

Theorem injective_by_enumeration : forall l, distinct_by_enumeration l = true -> Injective l.
Proof.
  unfold distinct_by_enumeration. intros l H. apply andb_true_iff in H. destruct H as [Hs H].
  apply natural_sizes_are in Hs. apply injective_of_box; [exact Hs |]. intros i j Hi Hj E.
  apply neighbors_distinct in H. apply (Permutation_NoDup (Permutation_sym (Permuted_sort (all_offsets l)))) in H.
  rewrite offsets_of_layout in H. apply in_box in Hi, Hj. exact (map_injective _ _ _ i j H Hi Hj E).
Qed.

Theorem in_bounds_by_enumeration : forall l, natural_by_enumeration l = true -> InBounds l.
Proof.
  unfold natural_by_enumeration. intros l H. apply andb_true_iff in H. destruct H as [Hs H].
  apply natural_sizes_are in Hs. apply in_bounds_of_box; [exact Hs |]. intros i Hi. rewrite forallb_forall in H.
  apply Z.leb_le, H. rewrite offsets_of_layout. apply in_map_iff. exists i. split; [reflexivity | apply in_box; exact Hi].
Qed.

Theorem onto_by_enumeration : forall l, gapless_by_enumeration l = true -> Onto l.
Proof.
  unfold gapless_by_enumeration. intros l H. apply andb_true_iff in H. destruct H as [Hs H].
  apply natural_sizes_are in Hs. apply onto_of_box; [exact Hs |]. intros i j p Hi Hj Hp.
  assert (Hin : forall k, InBox k (sizes l) -> In (dot k (strides l)) (sort (all_offsets l))).
  { intros k Hk. eapply Permutation_in; [apply Permuted_sort |]. rewrite offsets_of_layout. apply in_map_iff.
    exists k. split; [reflexivity | apply in_box; exact Hk]. }
  assert (H' : In p (sort (all_offsets l))).
  { apply Hin in Hi, Hj. destruct (sort (all_offsets l)) as [| x rest]; [destruct Hi |].
    apply (neighbors_gapless rest x (dot j (strides l)) p H Hj).
    apply (neighbors_least _ rest x) in H; [| intros a b Hab; apply andb_true_iff in Hab; rewrite !Z.leb_le in Hab; lia].
    destruct Hi as [E | Hi]; [lia |]. eapply Forall_forall in H; [| exact Hi]. lia. }
  eapply Permutation_in in H'; [| apply Permutation_sym, Permuted_sort]. rewrite offsets_of_layout in H'.
  apply in_map_iff in H'. destruct H' as (k & E & Hk). exists k. split; [apply in_box; exact Hk | exact E].
Qed.

(* Searching all coordinates is an inverse. *)
Theorem invertible : forall l, Forall (fun d => 0 <= d) (sizes l) -> Injective l -> Invertible l.
Proof.
  intros l Hs H. exists (fun p => hd [] (filter (fun i => dot i (strides l) =? p) (box (sizes l)))). intros c Hc.
  destruct (filter _ _) as [| i rest] eqn:E.
  - exfalso. assert (Hin : In (flat l c) []) by (rewrite <- E; apply filter_In; split;
      [apply in_box, within_in_box; assumption | apply Z.eqb_refl]). destruct Hin.
  - assert (Hin : In i (i :: rest)) by (left; reflexivity). rewrite <- E in Hin. apply filter_In in Hin.
    destruct Hin as [Hi Ei]. apply Z.eqb_eq in Ei. apply in_box, coordinate_of_index in Hi.
    destruct Hi as (a & Ha & <-). cbn [hd]. apply H; auto.
Qed.

(** ** Signs and the order of strides *)

Theorem in_bounds_by_signs : forall l, natural_by_signs l = true -> InBounds l.
Proof.
  unfold natural_by_signs. intros l H. apply andb_true_iff in H. destruct H as [Hs H].
  apply natural_sizes_are in Hs. apply in_bounds_of_box; [exact Hs |]. intros i Hi. clear Hs.
  revert i Hi H. pose proof (strides_length l) as Hl. revert Hl. generalize (sizes l) (strides l).
  intros sizes strides Hl i Hi. revert strides Hl.
  induction Hi as [| x i d ds Hx Hi IH]; intros [| s ss] Hl H; try discriminate Hl; [cbn; lia |].
  cbn [dot combine forallb fst snd] in *.
  apply andb_true_iff in H. destruct H as [H1 H2]. apply orb_true_iff in H1. rewrite Z.eqb_eq, Z.leb_le in H1.
  specialize (IH ss ltac:(simpl in Hl; lia) H2). destruct H1 as [-> | H1].
  - replace x with 0 by lia. lia.
  - pose proof (Z.mul_nonneg_nonneg x s (proj1 Hx) H1). lia.
Qed.

Lemma in_order_facts : forall test l o, in_order test l o = true ->
  Forall (fun d => 0 < d) (sizes l) /\ length o = length (sizes l) /\ Permutation o (seq 0 (length o)) /\
  descending test (permute o (sizes l)) (permute o (strides l)) = true.
Proof.
  unfold in_order, positive_sizes_of. intros test l o H. repeat (apply andb_true_iff in H; destruct H as [H ?]).
  repeat split; auto.
  - rewrite forallb_forall in H. apply Forall_forall. intros d Hd. apply H, Z.leb_le in Hd. lia.
  - apply Nat.eqb_eq. assumption.
  - apply Permutation_sym, NoDup_Permutation_bis; [apply seq_NoDup | rewrite seq_length; apply le_n |].
    intros d Hd. eapply forallb_forall in Hd; [| eassumption]. apply existsb_exists in Hd. destruct Hd as (x & Hx & E).
    apply Nat.eqb_eq in E. subst. exact Hx.
Qed.

Theorem injective_by_strides : forall l o, distinct_by_strides l o = true -> Injective l.
Proof.
  intros l o H. apply in_order_facts in H. destruct H as (Hs & Hl & Hp & D). intros a b Ha Hb.
  apply offset_injective; auto. exists o. split; [rewrite <- Hl; exact Hp |].
  revert D. generalize (permute o (sizes l)) (permute o (strides l)). clear.
  induction l as [| d ds IH]; intros [| s ss] H; cbn [descending Descending] in *; auto.
  apply andb_true_iff in H. destruct H as [H1 H2]. apply orb_true_iff in H1. rewrite Z.eqb_eq, Z.ltb_lt in H1. auto.
Qed.

Definition lowest (sizes strides : list Z) : Z := dot (map (fun d => d - 1) sizes) (map (Z.min 0) strides).
Definition highest (sizes strides : list Z) : Z := dot (map (fun d => d - 1) sizes) (map (Z.max 0) strides).

Lemma between_lowest_and_highest : forall i s, InBox i s -> forall r, length r = length s ->
  lowest s r <= dot i r <= highest s r.
Proof.
  unfold lowest, highest. induction 1 as [| x i d s Hx H IH]; intros [| y r] Hl; try discriminate; cbn [dot map]; [lia |].
  specialize (IH r ltac:(simpl in Hl; lia)).
  destruct (Z_le_gt_dec 0 y); [rewrite (Z.min_l 0 y), (Z.max_r 0 y) by lia | rewrite (Z.min_r 0 y), (Z.max_l 0 y) by lia]; nia.
Qed.

Lemma lowest_and_reach : forall s r, highest s r = lowest s r + reach s (map Z.abs r).
Proof.
  unfold highest, lowest, reach. induction s as [| d s IH]; intros [| x r]; try reflexivity. cbn [dot map]. rewrite IH.
  replace (Z.max 0 x) with (Z.min 0 x + Z.abs x) by lia. ring.
Qed.

(* A multiple of s between 0 and (d - 1) s that leaves the rest between 0 and h. *)
Lemma digit_exists : forall d s h q, 0 < d -> 0 <= s -> s - 1 <= h -> 0 <= h -> 0 <= q <= (d - 1) * s + h ->
  exists k, 0 <= k < d /\ 0 <= q - k * s <= h.
Proof.
  intros d s h q Hd Hs Hh H0 Hq. destruct (Z.eq_dec s 0) as [-> | Hne]; [exists 0; lia |].
  pose proof (Z.div_mod q s ltac:(lia)). pose proof (Z.mod_pos_bound q s ltac:(lia)).
  assert (0 <= q / s) by (apply Z.div_pos; lia).
  destruct (Z_lt_ge_dec (q / s) d); [exists (q / s); nia | exists (d - 1); nia].
Qed.

Lemma gapless : forall s, Forall (fun d => 0 < d) s -> forall r, length r = length s ->
  descending (fun s r => s - 1 <=? r) s r = true -> forall p, lowest s r <= p <= highest s r ->
  exists i, InBox i s /\ dot i r = p.
Proof.
  induction 1 as [| d s Hd Hs IH]; intros [| x r] Hl D p Hp; try discriminate.
  { exists []. cbn in *. split; [constructor | lia]. }
  cbn [descending] in D. apply andb_true_iff in D. destruct D as [D1 D2]. apply orb_true_iff in D1.
  rewrite Z.eqb_eq, Z.leb_le in D1. specialize (IH r ltac:(simpl in Hl; lia) D2). rewrite lowest_and_reach in *.
  assert (H0 : 0 <= reach s (map Z.abs r)).
  { clear - Hs. unfold reach. revert r. induction Hs; intros [| y r]; cbn [dot map]; try lia. specialize (IHHs r). nia. }
  unfold lowest, reach in Hp. cbn [dot map] in Hp. fold (lowest s r) in Hp. fold (reach s (map Z.abs r)) in Hp.
  enough (exists k, 0 <= k < d /\ lowest s r <= p - k * x <= lowest s r + reach s (map Z.abs r)) as (k & Hk & H).
  { destruct (IH _ H) as (i & Hi & E). exists (k :: i). split; [constructor; assumption | cbn [dot]; lia]. }
  destruct D1 as [-> | D1]; [exists 0; lia |].
  destruct (Z_le_gt_dec 0 x).
  - rewrite Z.min_l, Z.abs_eq in * by lia.
    destruct (digit_exists d x (reach s (map Z.abs r)) (p - lowest s r)) as (k & Hk & H); try lia. exists k. lia.
  - rewrite Z.min_r, Z.abs_neq in * by lia.
    destruct (digit_exists d (- x) (reach s (map Z.abs r)) (p - lowest s r - (d - 1) * x)) as (k & Hk & H); try lia.
    exists (d - 1 - k). split; [lia |]. replace (p - (d - 1 - k) * x) with (p - (d - 1) * x - k * - x) by ring. lia.
Qed.

Theorem onto_by_reach : forall l o, gapless_by_reach l o = true -> Onto l.
Proof.
  intros l o H. apply in_order_facts in H. destruct H as (Hs & Hl & Hp & D).
  assert (Hin : Forall (fun d => (d < length (sizes l))%nat) o).
  { apply Forall_forall. intros d Hd. eapply Permutation_in in Hd; [| exact Hp]. apply in_seq in Hd. lia. }
  assert (Hpl : Permutation o (seq 0 (length (sizes l)))) by (rewrite <- Hl; exact Hp).
  apply onto_of_box; [eapply Forall_impl; [| exact Hs]; intros; cbv beta in *; lia |]. intros i j p Hi Hj Hr.
  assert (E : forall k, InBox k (sizes l) -> dot k (strides l) = dot (permute o k) (permute o (strides l))).
  { intros k Hk. symmetry. apply dot_permute; rewrite (inbox_length _ _ Hk); auto using strides_length. }
  assert (Hpr : length (permute o (strides l)) = length (permute o (sizes l))) by (unfold permute; rewrite !map_length; reflexivity).
  assert (Ho : Forall (fun d => 0 < d) (permute o (sizes l))).
  { unfold permute. apply Forall_map. eapply Forall_impl; [| exact Hin]. intros d Hd. eapply Forall_forall; [exact Hs |].
    apply nth_In, Hd. }
  destruct (gapless _ Ho _ Hpr D p) as (k & Hk & Ek).
  - rewrite (E i Hi), (E j Hj) in Hr.
    pose proof (between_lowest_and_highest _ _ (permute_in_box o i _ Hi Hin) _ Hpr).
    pose proof (between_lowest_and_highest _ _ (permute_in_box o j _ Hj Hin) _ Hpr). lia.
  - exists (unpermute o k). assert (Hu : InBox (unpermute o k) (sizes l)) by (apply unpermute_in_box; auto).
    split; [exact Hu |]. rewrite (E _ Hu), permute_unpermute; [exact Ek | exact Hp |].
    rewrite (inbox_length _ _ Hk). unfold permute. apply map_length.
Qed.
