(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines the padded box of a layout: the array with the sizes of 1 that tiles put in front, and with each dimension
   that a tile cuts directly (not combined, not cut before) rounded up to whole tiles.

   Proves that the layout places the points of the padded box as it places the elements of the array, and that they fill
   the allocation exactly where every tile divides the sizes that it meets in the padded box. Otherwise the last place
   of the allocation holds no point of it. *)
Require Import ZArith List Lia.
Require Import Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Injective Layoutcheck.Arrays Layoutcheck.Onto.
Import ListNotations.
Open Scope Z_scope.

(* Rounds up the sizes that a tile cuts directly. `combining` is true after an entry `*`. *)
Fixpoint padded_entries (t : tile) (combining : bool) (sizes : list Z) : list Z :=
  match t, sizes with
  | None :: entries, d :: rest => d :: padded_entries entries true rest
  | Some s :: entries, d :: rest => (if combining then d else ceil_div d s * s) :: padded_entries entries false rest
  | _, _ => []
  end.

(* Returns the padded box of sizes in memory order. The sizes that the first tile leaves may be rounded up by later
   ones. *)
Fixpoint padded_box (ts : list tile) (sizes : list Z) : list Z :=
  match ts with
  | [] => sizes
  | t :: rest =>
      let extended := extend_sizes t sizes in
      let k := untiled_count t extended in
      skipn (leading_count t (length sizes))
        (firstn k (padded_box rest (level_sizes t sizes)) ++ padded_entries t false (skipn k extended))
  end.

(* Returns how many sizes of 1 all tiles together put in front. *)
Fixpoint leading_total (ts : list tile) (rank : nat) : nat :=
  match ts with
  | [] => 0
  | t :: rest =>
      let n := leading_count t rank in
      n + leading_total rest (n + rank - length t + 2 * length (tile_sizes t))
  end.

(* Returns the padded box of a layout, in memory order. *)
Definition box_of (l : layout) (sizes : list Z) : list Z :=
  padded_box (tiles l) (repeat 1 (leading_total (tiles l) (length sizes)) ++ permute (order l) sizes).
(* Returns the point of the padded box that is the element `index`. *)
Definition box_point (l : layout) (index : list Z) : list Z :=
  repeat 0 (leading_total (tiles l) (length index)) ++ permute (order l) index.
(* Returns the place of a point of the padded box. *)
Definition box_place (l : layout) (box point : list Z) : Z :=
  linearize (physical_sizes (tiles l) box) (physical_index (tiles l) box point).

(** ** Rounding up sizes of the padded box changes no place *)

(* Some of the sizes are those of the padded box. *)
Inductive Partly : list Z -> list Z -> list Z -> Prop :=
| PartlyNil : Partly [] [] []
| PartlyCons : forall d b x sizes box mixed, x = d \/ x = b -> Partly sizes box mixed ->
    Partly (d :: sizes) (b :: box) (x :: mixed).

Lemma partly_length : forall s b m, Partly s b m -> length m = length s /\ length b = length s.
Proof. induction 1; simpl; lia. Qed.

Lemma partly_original : forall s b, length b = length s -> Partly s b s.
Proof. induction s; destruct b; simpl; intros; try discriminate; constructor; auto. Qed.

Lemma partly_box : forall s b, length b = length s -> Partly s b b.
Proof. induction s; destruct b; simpl; intros; try discriminate; constructor; auto. Qed.

Lemma partly_app : forall s b m, Partly s b m -> forall s' b' m', Partly s' b' m' ->
  Partly (s ++ s') (b ++ b') (m ++ m').
Proof. induction 1; simpl; intros; auto. constructor; auto. Qed.

Lemma partly_split : forall k s b m, Partly s b m ->
  Partly (firstn k s) (firstn k b) (firstn k m) /\ Partly (skipn k s) (skipn k b) (skipn k m).
Proof.
  induction k; intros s b m H; simpl; [split; [constructor | exact H] |].
  destruct H; [split; constructor |]. destruct (IHk _ _ _ H0). split; [constructor |]; assumption.
Qed.

Lemma partly_cons : forall d s b bs m, Partly (d :: s) (b :: bs) m ->
  exists x m', m = x :: m' /\ (x = d \/ x = b) /\ Partly s bs m'.
Proof. intros d s b bs m H. inversion H; subst. eauto. Qed.

Lemma ceil_of_multiple : forall n t, 0 < t -> ceil_div (n * t) t = n.
Proof.
  intros. unfold ceil_div. replace (n * t + t - 1) with (n * t + (t - 1)) by ring. apply div_of_sum. lia.
Qed.

Lemma padded_entries_length : forall t c sizes, length sizes = length t -> length (padded_entries t c sizes) = length t.
Proof. induction t as [| [s |] t IH]; destruct sizes; simpl; intros; try discriminate; auto. Qed.

(* The counts of tiles, and combined indices, are those of the original sizes. *)
Lemma partly_tile : forall t, ValidTile t -> forall c s m, Partly s (padded_entries t c s) m -> length s = length t ->
  (forall M, (c = false -> M = 1) ->
     map2 ceil_div (combine_sizes t M m) (tile_sizes t) = map2 ceil_div (combine_sizes t M s) (tile_sizes t)) /\
  (forall i a, (c = false -> a = 0) -> combine_index t a m i = combine_index t a s i).
Proof.
  induction 1 as [s Hs | s t Hs Ht IH | t Ht IH]; intros c sizes m P Hl; destruct sizes as [| d sizes]; try discriminate;
    cbn [padded_entries] in P; destruct (partly_cons _ _ _ _ _ P) as (x & m' & -> & Hx & P').
  - destruct sizes; [| discriminate]. inversion P'; subst m'.
    cbn [combine_sizes combine_index tile_sizes map2]. split.
    + intros M HM. f_equal. destruct c; destruct Hx as [-> | ->]; try reflexivity.
      rewrite (HM eq_refl), !Z.mul_1_l. apply ceil_of_multiple. exact Hs.
    + intros i a Ha. destruct i; [reflexivity |]. destruct c; destruct Hx as [-> | ->]; try reflexivity.
      rewrite (Ha eq_refl). reflexivity.
  - destruct (IH false sizes m' P' ltac:(simpl in Hl; lia)) as [IH1 IH2].
    cbn [combine_sizes combine_index tile_sizes map2]. split.
    + intros M HM. rewrite IH1 by reflexivity. f_equal. destruct c; destruct Hx as [-> | ->]; try reflexivity.
      rewrite (HM eq_refl), !Z.mul_1_l. apply ceil_of_multiple. exact Hs.
    + intros i a Ha. destruct i; [reflexivity |]. rewrite IH2 by reflexivity. f_equal.
      destruct c; destruct Hx as [-> | ->]; try reflexivity. rewrite (Ha eq_refl). reflexivity.
  - assert (x = d) as -> by (destruct Hx; assumption).
    destruct (IH true sizes m' P' ltac:(simpl in Hl; lia)) as [IH1 IH2].
    cbn [combine_sizes combine_index tile_sizes]. split.
    + intros M _. apply IH1. discriminate.
    + intros i a _. destruct i; [reflexivity |]. apply IH2. discriminate.
Qed.

Lemma extend_length : forall t sizes,
  length (extend_sizes t sizes) = (untiled_count t (extend_sizes t sizes) + length t)%nat.
Proof. intros. unfold untiled_count, extend_sizes, leading_count. rewrite app_length, repeat_length. lia. Qed.

Lemma level_length : forall t, ValidTile t -> forall sizes, length (level_sizes t sizes) =
  (untiled_count t (extend_sizes t sizes) + 2 * length (tile_sizes t))%nat.
Proof.
  intros t Ht sizes. unfold level_sizes, tiled_sizes.
  rewrite !app_length, map2_length, firstn_length, (extend_length t sizes)
    by (apply combine_length; [exact Ht | apply skipn_length_tile]). lia.
Qed.

(* The padded box with the sizes of 1 that the tile puts in front. *)
Definition full_box (t : tile) (ts : list tile) (sizes : list Z) : list Z :=
  let extended := extend_sizes t sizes in
  let k := untiled_count t extended in
  firstn k (padded_box ts (level_sizes t sizes)) ++ padded_entries t false (skipn k extended).

Lemma padded_box_length : forall ts, Forall ValidTile ts -> forall sizes, length (padded_box ts sizes) = length sizes.
Proof.
  induction 1 as [| t ts Ht _ IH]; intros sizes; [reflexivity |]. cbn [padded_box].
  rewrite skipn_length, app_length, firstn_length, IH, level_length by exact Ht.
  rewrite padded_entries_length by apply skipn_length_tile.
  pose proof (extend_length t sizes) as E. unfold extend_sizes at 1 in E. rewrite app_length, repeat_length in E. lia.
Qed.

Lemma full_box_length : forall t ts, ValidTile t -> Forall ValidTile ts -> forall sizes,
  length (firstn (untiled_count t (extend_sizes t sizes)) (padded_box ts (level_sizes t sizes))) =
  untiled_count t (extend_sizes t sizes) /\
  length (full_box t ts sizes) = length (extend_sizes t sizes).
Proof.
  intros t ts Ht Hts sizes. unfold full_box.
  rewrite app_length, firstn_length, padded_box_length, level_length, padded_entries_length by
    (try apply skipn_length_tile; assumption). rewrite (extend_length t sizes). lia.
Qed.

Lemma partly_level : forall t ts, ValidTile t -> Forall ValidTile ts -> forall sizes m,
  Partly sizes (padded_box (t :: ts) sizes) m ->
  Partly (level_sizes t sizes) (padded_box ts (level_sizes t sizes)) (level_sizes t m) /\
  forall i, level_index t m i = level_index t sizes i.
Proof.
  intros t ts Ht Hts sizes m P. destruct (partly_length _ _ _ P) as [Lm _].
  cbn [padded_box] in P. fold (full_box t ts sizes) in P.
  destruct (full_box_length t ts Ht Hts sizes) as [Lh Lf].
  set (n := leading_count t (length sizes)) in *.
  assert (Em : extend_sizes t m = repeat 1 n ++ m) by (unfold extend_sizes; rewrite Lm; reflexivity).
  assert (Ei : forall i, extend_index t m i = extend_index t sizes i) by (intros; unfold extend_index; rewrite Lm; reflexivity).
  assert (Pe : Partly (extend_sizes t sizes) (full_box t ts sizes) (extend_sizes t m)).
  { rewrite Em. unfold extend_sizes at 1. fold n. rewrite <- (firstn_skipn n (full_box t ts sizes)).
    apply partly_app; [| exact P]. apply partly_original. rewrite firstn_length, Lf. unfold extend_sizes. fold n.
    rewrite app_length, repeat_length. lia. }
  assert (Ek : untiled_count t (extend_sizes t m) = untiled_count t (extend_sizes t sizes)).
  { unfold untiled_count. rewrite (proj1 (partly_length _ _ _ Pe)). reflexivity. }
  destruct (partly_split (untiled_count t (extend_sizes t sizes)) _ _ _ Pe) as [P1 P2].
  unfold full_box in P1, P2. rewrite firstn_of_app in P1 by exact Lh. rewrite skipn_of_app in P2 by exact Lh.
  destruct (partly_tile t Ht _ _ _ P2 (skipn_length_tile t sizes)) as [C1 C2].
  unfold level_index, level_sizes at 3, tiled_index, tiled_sizes. rewrite Ek. rewrite C1 by reflexivity.
  split.
  - rewrite <- (firstn_skipn (untiled_count t (extend_sizes t sizes)) (padded_box ts (level_sizes t sizes))).
    unfold level_sizes at 1. apply partly_app; [exact P1 |]. apply partly_original.
    rewrite skipn_length, padded_box_length by exact Hts. rewrite level_length by exact Ht.
    unfold tiled_sizes. rewrite app_length, map2_length by (apply combine_length; [exact Ht | apply skipn_length_tile]). lia.
  - intros i. rewrite Ei, C2 by reflexivity. reflexivity.
Qed.

Lemma partly_physical : forall ts, Forall ValidTile ts -> forall sizes m, Partly sizes (padded_box ts sizes) m ->
  physical_sizes ts m = physical_sizes ts sizes /\ forall i, physical_index ts m i = physical_index ts sizes i.
Proof.
  induction 1 as [| t ts Ht Hts IH]; intros sizes m P.
  - cbn [padded_box] in P. assert (m = sizes) as -> by (remember sizes as b in P at 2; revert Heqb; induction P; intros E;
      [reflexivity | injection E as -> E; rewrite (IHP E); destruct H; subst; reflexivity]). auto.
  - destruct (partly_level t ts Ht Hts sizes m P) as [P' E]. destruct (IH _ _ P') as [E1 E2].
    cbn [physical_sizes physical_index]. split; [exact E1 |]. intros i. rewrite E. apply E2.
Qed.

(** ** Sizes of 1 in front change no place *)

Lemma leading_level : forall t n sizes, (leading_count t (length sizes) <= n)%nat ->
  level_sizes t (repeat 1 n ++ sizes) = repeat 1 (n - leading_count t (length sizes)) ++ level_sizes t sizes /\
  forall i, level_index t (repeat 1 n ++ sizes) (repeat 0 n ++ i) =
    repeat 0 (n - leading_count t (length sizes)) ++ level_index t sizes i.
Proof.
  intros t n sizes Hn. set (l := leading_count t (length sizes)) in *.
  assert (L0 : leading_count t (length (repeat 1 n ++ sizes)) = 0%nat)
    by (unfold leading_count in *; rewrite app_length, repeat_length; lia).
  assert (Split : forall x : Z, repeat x n = repeat x (n - l) ++ repeat x l).
  { intros x. rewrite <- repeat_app. f_equal. lia. }
  assert (Es : extend_sizes t (repeat 1 n ++ sizes) = repeat 1 (n - l) ++ extend_sizes t sizes).
  { unfold extend_sizes. rewrite L0. fold l. cbn [repeat app]. rewrite (Split 1), app_assoc. reflexivity. }
  assert (Ei : forall i, extend_index t (repeat 1 n ++ sizes) (repeat 0 n ++ i) = repeat 0 (n - l) ++ extend_index t sizes i).
  { intros i. unfold extend_index. rewrite L0. fold l. cbn [repeat app]. rewrite (Split 0), app_assoc. reflexivity. }
  assert (Ek : untiled_count t (repeat 1 (n - l) ++ extend_sizes t sizes) =
               (n - l + untiled_count t (extend_sizes t sizes))%nat).
  { pose proof (extend_length t sizes). unfold untiled_count in *. rewrite app_length, repeat_length. lia. }
  assert (F : forall (a : Z) b k, firstn (n - l + k) (repeat a (n - l) ++ b) = repeat a (n - l) ++ firstn k b).
  { intros a b k. rewrite firstn_app, repeat_length, firstn_all2 by (rewrite repeat_length; lia).
    do 2 f_equal. lia. }
  assert (S : forall (a : Z) b k, skipn (n - l + k) (repeat a (n - l) ++ b) = skipn k b).
  { intros a b k. rewrite skipn_app, repeat_length, skipn_all2 by (rewrite repeat_length; lia).
    cbn [app]. f_equal. lia. }
  unfold level_sizes, level_index. split.
  - rewrite Es, Ek, F, S, <- app_assoc. reflexivity.
  - intros i. rewrite Es, Ei, Ek, !F, !S, <- app_assoc. reflexivity.
Qed.

Lemma leading_physical : forall ts, Forall ValidTile ts -> forall sizes,
  physical_sizes ts (repeat 1 (leading_total ts (length sizes)) ++ sizes) = physical_sizes ts sizes /\
  forall i, physical_index ts (repeat 1 (leading_total ts (length sizes)) ++ sizes)
              (repeat 0 (leading_total ts (length sizes)) ++ i) = physical_index ts sizes i.
Proof.
  induction 1 as [| t ts Ht _ IH]; intros sizes; [simpl; auto |].
  cbn [leading_total physical_sizes physical_index]. set (l := leading_count t (length sizes)).
  assert (E : (l + length sizes - length t + 2 * length (tile_sizes t))%nat = length (level_sizes t sizes)).
  { rewrite level_length by exact Ht. pose proof (extend_length t sizes) as L. unfold extend_sizes at 1 in L.
    rewrite app_length, repeat_length in L. fold l in L. lia. }
  rewrite E. destruct (IH (level_sizes t sizes)) as [E1 E2].
  destruct (leading_level t (l + leading_total ts (length (level_sizes t sizes))) sizes ltac:(fold l; lia)) as [L1 L2].
  fold l in L1, L2. replace (l + leading_total ts (length (level_sizes t sizes)) - l)%nat
    with (leading_total ts (length (level_sizes t sizes))) in L1, L2 by lia.
  split; [rewrite L1; exact E1 |]. intros i. rewrite L1, L2. apply E2.
Qed.

(** ** The padded box holds the array *)

Lemma padded_entries_larger : forall t, ValidTile t -> forall c sizes, Forall (fun d => 0 <= d) sizes ->
  length sizes = length t -> Forall2 Z.le sizes (padded_entries t c sizes).
Proof.
  induction 1 as [s Hs | s t Hs Ht IH | t Ht IH]; intros c sizes H Hl; destruct sizes as [| d sizes]; try discriminate;
    inversion H; subst; cbn [padded_entries]; constructor; auto;
    try (destruct c; [lia | pose proof (padding_is_less_than_a_tile d s ltac:(lia) ltac:(lia)); lia]); try lia.
  destruct sizes; [constructor | discriminate].
Qed.

Lemma Forall2_firstn : forall (R : Z -> Z -> Prop) k a b, Forall2 R a b ->
  Forall2 R (firstn k a) (firstn k b) /\ Forall2 R (skipn k a) (skipn k b).
Proof.
  induction k; intros a b H; simpl; [split; [constructor | exact H] |].
  destruct H; [split; constructor |]. destruct (IHk _ _ H0). split; [constructor |]; assumption.
Qed.

Lemma padded_box_larger : forall ts, Forall ValidTile ts -> forall sizes, Forall (fun d => 0 <= d) sizes ->
  Forall2 Z.le sizes (padded_box ts sizes).
Proof.
  induction 1 as [| t ts Ht Hts IH]; intros sizes Hs.
  - cbn [padded_box]. clear. induction sizes; constructor; auto. lia.
  - cbn [padded_box]. fold (full_box t ts sizes).
    assert (F : Forall2 Z.le (extend_sizes t sizes) (full_box t ts sizes)).
    { assert (He : Forall (fun d => 0 <= d) (extend_sizes t sizes)).
      { apply Forall_app. split; auto. apply Forall_forall. intros d Hd. apply repeat_spec in Hd. lia. }
      set (k := untiled_count t (extend_sizes t sizes)).
      rewrite <- (firstn_skipn k (extend_sizes t sizes)) in He. apply Forall_app in He. destruct He as [_ He].
      rewrite <- (firstn_skipn k (extend_sizes t sizes)) at 1. apply Forall2_app.
      - destruct (Forall2_firstn Z.le k _ _ (IH _ (level_sizes_nonnegative t Ht sizes Hs))) as [H1 _].
        unfold level_sizes at 1 in H1. fold k in H1. rewrite firstn_of_app in H1; [exact H1 |].
        rewrite firstn_length, (extend_length t sizes). fold k. lia.
      - apply padded_entries_larger; auto. apply skipn_length_tile. }
    apply Forall2_firstn with (k := leading_count t (length sizes)) in F. destruct F as [_ F].
    unfold extend_sizes in F. rewrite skipn_of_app in F by apply repeat_length. exact F.
Qed.

Lemma inbox_larger : forall i a, InBox i a -> forall b, Forall2 Z.le a b -> InBox i b.
Proof. induction 1; intros b F; inversion F; subst; constructor; auto. lia. Qed.

Lemma larger_nonnegative : forall a b, Forall2 Z.le a b -> Forall (fun d => 0 <= d) a -> Forall (fun d => 0 <= d) b.
Proof. induction 1; intros F; inversion F; subst; constructor; auto. lia. Qed.

(** ** The layout on its padded box *)

Section Layout.
Variable l : layout.
Hypothesis valid : Valid l.
Variable sizes : list Z.
Hypothesis rank : length sizes = length (minor_to_major l).
Hypothesis nonnegative : Forall (fun d => 0 <= d) sizes.

Let ones := leading_total (tiles l) (length sizes).
Let memory_sizes := permute (order l) sizes.

Lemma memory_rank : length memory_sizes = length sizes.
Proof. unfold memory_sizes, permute. rewrite map_length, order_length. symmetry. exact rank. Qed.

Lemma memory_sizes_nonnegative : Forall (fun d => 0 <= d) (repeat 1 ones ++ memory_sizes).
Proof.
  apply Forall_app. split.
  - apply Forall_forall. intros d Hd. apply repeat_spec in Hd. lia.
  - unfold memory_sizes, permute. apply Forall_map, Forall_forall. intros d Hd.
    apply (permutation_facts (order l) (order_permutes l valid)) in Hd.
    eapply Forall_forall; [exact nonnegative |]. apply nth_In. rewrite rank, <- order_length. exact Hd.
Qed.

Lemma box_physical : physical_sizes (tiles l) (box_of l sizes) = physical_sizes (tiles l) memory_sizes /\
  forall i, physical_index (tiles l) (box_of l sizes) (repeat 0 ones ++ i) = physical_index (tiles l) memory_sizes i.
Proof.
  pose proof (tiles_valid l valid) as Ht. unfold box_of. fold memory_sizes. fold ones.
  destruct (partly_physical (tiles l) Ht (repeat 1 ones ++ memory_sizes)
              (padded_box (tiles l) (repeat 1 ones ++ memory_sizes))) as [E1 E2].
  { apply partly_box, padded_box_length, Ht. }
  destruct (leading_physical (tiles l) Ht memory_sizes) as [L1 L2]. rewrite memory_rank in L1, L2. fold ones in L1, L2.
  rewrite E1, L1. split; [reflexivity |]. intros i. rewrite E2. apply L2.
Qed.

Theorem element_in_box : forall index, InBox index sizes ->
  InBox (box_point l index) (box_of l sizes) /\ box_place l (box_of l sizes) (box_point l index) = linear_index l sizes index.
Proof.
  intros index H. unfold box_point, box_place. rewrite (inbox_length _ _ H). fold ones.
  destruct box_physical as [E1 E2]. split.
  - eapply inbox_larger; [| apply padded_box_larger; [apply tiles_valid; exact valid | exact memory_sizes_nonnegative]].
    apply inbox_extend, permuted_in_box; auto. rewrite order_length. exact rank.
  - rewrite E1, E2. reflexivity.
Qed.

Theorem box_in_bounds : forall point, InBox point (box_of l sizes) ->
  0 <= box_place l (box_of l sizes) point < padded_elements l sizes.
Proof.
  intros point H. unfold box_place, padded_elements. fold memory_sizes. rewrite <- (proj1 box_physical).
  apply linearize_in_bounds, physical_in_box; [apply tiles_valid; exact valid | exact H].
Qed.

Theorem box_injective : forall a b, InBox a (box_of l sizes) -> InBox b (box_of l sizes) ->
  box_place l (box_of l sizes) a = box_place l (box_of l sizes) b -> a = b.
Proof.
  intros a b Ha Hb E. pose proof (tiles_valid l valid) as Ht.
  apply linearize_injective in E; try (apply physical_in_box; assumption).
  rewrite <- (physical_left_inverse _ Ht _ _ Ha), <- (physical_left_inverse _ Ht _ _ Hb), E. reflexivity.
Qed.

Lemma box_nonnegative : Forall (fun d => 0 <= d) (box_of l sizes).
Proof.
  eapply larger_nonnegative; [apply padded_box_larger; [apply tiles_valid; exact valid |] |];
    exact memory_sizes_nonnegative.
Qed.

Theorem onto_padded_box : AllDivide (tiles l) (box_of l sizes) -> forall p, 0 <= p < padded_elements l sizes ->
  exists point, InBox point (box_of l sizes) /\ box_place l (box_of l sizes) point = p.
Proof.
  intros D p Hp. pose proof (tiles_valid l valid) as Ht. unfold padded_elements in Hp. fold memory_sizes in Hp.
  rewrite <- (proj1 box_physical) in Hp.
  destruct (linearize_delinearize (physical_sizes (tiles l) (box_of l sizes)) p) as [Hin E]; [| exact Hp |].
  - apply positive_of_volume; [| lia]. apply physical_sizes_nonnegative; [exact Ht | exact box_nonnegative].
  - destruct (onto _ Ht _ box_nonnegative D _ Hin) as (point & H & Ej). exists point. split; [exact H |].
    unfold box_place. rewrite <- Ej. exact E.
Qed.

Theorem last_place_is_padding : ~ AllDivide (tiles l) (box_of l sizes) ->
  forall point, InBox point (box_of l sizes) -> box_place l (box_of l sizes) point <> padded_elements l sizes - 1.
Proof.
  intros D point H E. apply D. pose proof (tiles_valid l valid) as Ht.
  unfold padded_elements in E. fold memory_sizes in E. rewrite <- (proj1 box_physical) in E.
  pose proof (physical_in_box _ Ht _ _ H) as Hin.
  apply (last_place _ Ht _ _ H). apply (linearize_injective _ _ _ Hin).
  - eapply last_in_box. exact Hin.
  - rewrite linearize_last. exact E.
Qed.
End Layout.
