(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines what it means that every tile of a layout divides the sizes that it meets.

   Proves that the sizes after all tiles then have no index that is not of an element, and that otherwise their last
   index is none: the layout fills its allocation exactly if all tiles divide. Proves that a dimension is padded by less
   than a tile, which is the least that whole tiles need. *)
Require Import ZArith List Lia Bool.
Require Import Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Injective Layoutcheck.Arrays.
Import ListNotations.
Open Scope Z_scope.

(* A tile divides the sizes that it cuts, after combining. *)
Definition Divides (t : tile) (sizes : list Z) : Prop :=
  let extended := extend_sizes t sizes in
  let combined := combine_sizes t 1 (skipn (untiled_count t extended) extended) in
  map2 Z.mul (map2 ceil_div combined (tile_sizes t)) (tile_sizes t) = combined.
Fixpoint AllDivide (ts : list tile) (sizes : list Z) : Prop :=
  match ts with
  | [] => True
  | t :: rest => Divides t sizes /\ AllDivide rest (level_sizes t sizes)
  end.

Theorem padding_is_less_than_a_tile : forall d t, 0 < t -> 0 <= d -> d <= ceil_div d t * t < d + t.
Proof.
  unfold ceil_div. intros. pose proof (Z.div_mod (d + t - 1) t ltac:(lia)).
  pose proof (Z.mod_pos_bound (d + t - 1) t ltac:(lia)). lia.
Qed.
Theorem padding_is_minimal : forall d t n, 0 < t -> d <= n * t -> ceil_div d t * t <= n * t.
Proof.
  unfold ceil_div. intros. apply Z.mul_le_mono_nonneg_r; [lia |].
  assert ((d + t - 1) / t < n + 1); [| lia]. apply Z.div_lt_upper_bound; nia.
Qed.

(* Each size that a tile cuts, after combining, is rounded up by less than the tile, and to the least number of whole
   tiles that hold it. *)
Definition Minimal (t : tile) (sizes : list Z) : Prop :=
  let extended := extend_sizes t sizes in
  Forall2 (fun d s => (d <= ceil_div d s * s < d + s) /\ forall n, d <= n * s -> ceil_div d s * s <= n * s)
    (combine_sizes t 1 (skipn (untiled_count t extended) extended)) (tile_sizes t).
Fixpoint AllMinimal (ts : list tile) (sizes : list Z) : Prop :=
  match ts with
  | [] => True
  | t :: rest => Minimal t sizes /\ AllMinimal rest (level_sizes t sizes)
  end.

Lemma combine_nonnegative : forall t, ValidTile t -> forall sizes M, Forall (fun d => 0 <= d) sizes -> 0 <= M ->
  Forall (fun d => 0 <= d) (combine_sizes t M sizes).
Proof.
  induction 1; intros sizes M Hs HM; destruct sizes as [| d ds]; simpl; auto; inversion Hs; subst.
  - constructor; [nia | auto].
  - constructor; [nia | auto with zarith].
  - apply IHValidTile; auto; nia.
Qed.

Theorem all_minimal : forall ts, Forall ValidTile ts -> forall sizes, Forall (fun d => 0 <= d) sizes -> AllMinimal ts sizes.
Proof.
  induction 1 as [| t ts Ht _ IH]; intros sizes Hs; simpl; [exact I |].
  split; [| apply IH, level_sizes_nonnegative; auto]. unfold Minimal.
  assert (He : Forall (fun d => 0 <= d) (extend_sizes t sizes)).
  { apply Forall_app. split; auto. apply Forall_forall. intros d Hd. apply repeat_spec in Hd. lia. }
  rewrite <- (firstn_skipn (untiled_count t (extend_sizes t sizes)) (extend_sizes t sizes)) in He.
  apply Forall_app in He. destruct He as [_ He].
  pose proof (combine_nonnegative t Ht _ 1 He ltac:(lia)) as Hc.
  pose proof (combine_length t Ht _ (skipn_length_tile t sizes) 1) as Hl.
  pose proof (tile_sizes_pos t Ht) as Hp.
  revert Hc Hl Hp. generalize (tile_sizes t).
  induction (combine_sizes t 1 (skipn (untiled_count t (extend_sizes t sizes)) (extend_sizes t sizes)));
    intros l' Hc Hl Hp; destruct l'; try discriminate; constructor; inversion Hc; inversion Hp; subst; auto.
  split; [apply padding_is_less_than_a_tile; lia |]. intros n Hn. apply padding_is_minimal; lia.
Qed.

(* Returns an array that holds an element at each index. *)
Definition full (sizes : list Z) : array unit := {| sizes_of := sizes; at_index := fun _ => Some tt |}.

Lemma level_onto : forall t, ValidTile t -> forall sizes, Forall (fun d => 0 <= d) sizes -> Divides t sizes ->
  forall j, InBox j (level_sizes t sizes) -> exists index, InBox index sizes /\ j = level_index t sizes index.
Proof.
  intros t Ht sizes Hs Hd j Hj.
  apply (tile_array_only unit t Ht (full sizes) Hs j tt Hj).
  unfold tile_array, bring_tiles_last, full. cbn [at_index sizes_of reshape pad].
  unfold Divides in Hd. rewrite Hd.
  match goal with |- (if in_box ?i ?s then _ else _) = _ => assert (in_box i s = true) as -> end; [| reflexivity].
  apply in_box_spec.
  unfold level_sizes, tiled_sizes in Hj.
  set (extended := extend_sizes t sizes) in *. set (k := untiled_count t extended) in *.
  set (combined := combine_sizes t 1 (skipn k extended)) in *.
  set (counts := map2 ceil_div combined (tile_sizes t)) in *.
  assert (Lc : length combined = length (tile_sizes t)) by (apply combine_length; auto; apply skipn_length_tile).
  assert (Lk : length counts = length (tile_sizes t)) by (apply map2_length; exact Lc).
  assert (Lh : length (firstn k extended) = k) by (rewrite firstn_length; unfold k, untiled_count; lia).
  apply inbox_app_inv in Hj. destruct Hj as (hj & qr & -> & Hh & Hqr).
  apply inbox_app_inv in Hqr. destruct Hqr as (q & r & -> & Hq & Hr).
  rewrite (firstn_of_app hj), (skipn_of_app hj) by (rewrite (inbox_length _ _ Hh); exact Lh).
  rewrite (firstn_of_app q), (skipn_of_app q) by (rewrite (inbox_length _ _ Hq); exact Lk).
  assert (Hi : InBox (hj ++ interleave q r) (firstn k extended ++ interleave counts (tile_sizes t)))
    by (apply inbox_app; auto; apply interleave_in_box; auto).
  assert (Hv : volume (firstn k extended ++ interleave counts (tile_sizes t)) = volume (firstn k extended ++ combined))
    by (rewrite !volume_app, volume_interleave, Hd by exact Lk; reflexivity).
  pose proof (linearize_in_bounds _ _ Hi) as Hp.
  apply linearize_delinearize; [| lia].
  apply positive_of_volume; [| rewrite <- Hv; lia].
  apply Forall_app. split; [eapply Forall_impl; [| exact (inbox_positive _ _ Hh)]; simpl; lia |].
  rewrite <- Hd. clear - Hq Hr. fold counts. revert r Hr. generalize (tile_sizes t).
  induction Hq; intros l r Hr; destruct l; simpl; auto. inversion Hr; subst. constructor; [nia | eauto].
Qed.

Lemma level_sizes_nonnegative : forall t, ValidTile t -> forall sizes, Forall (fun d => 0 <= d) sizes ->
  Forall (fun d => 0 <= d) (level_sizes t sizes).
Proof. exact level_sizes_nonnegative. Qed.

Theorem onto : forall ts, Forall ValidTile ts -> forall sizes, Forall (fun d => 0 <= d) sizes -> AllDivide ts sizes ->
  forall j, InBox j (physical_sizes ts sizes) -> exists index, InBox index sizes /\ j = physical_index ts sizes index.
Proof.
  induction 1; simpl; intros sizes Hs Hd j Hj; [eauto |].
  destruct Hd as [Hd Hrest].
  destruct (IHForall _ (level_sizes_nonnegative x H sizes Hs) Hrest j Hj) as (i & Hi & ->).
  destruct (level_onto x H sizes Hs Hd i Hi) as (index & Hindex & ->). eauto.
Qed.

(* Returns the last index of a box. *)
Definition last_of (sizes : list Z) : list Z := map (fun d => d - 1) sizes.

Lemma linearize_last : forall sizes, linearize sizes (last_of sizes) = volume sizes - 1.
Proof. induction sizes; cbn [linearize last_of volume map]; [reflexivity |]. unfold last_of in IHsizes. rewrite IHsizes. ring. Qed.

Lemma last_in_box : forall index sizes, InBox index sizes -> InBox (last_of sizes) sizes.
Proof. induction 1; simpl; constructor; auto; lia. Qed.

Lemma last_split : forall c combined, InBox c combined -> forall ts, length combined = length ts ->
  Forall (fun t => 0 < t) ts ->
  map2 Z.div c ts = last_of (map2 ceil_div combined ts) -> map2 Z.modulo c ts = last_of ts ->
  map2 Z.mul (map2 ceil_div combined ts) ts = combined /\ c = last_of combined.
Proof.
  induction 1; intros ts Hl Ht Hq Hr; destruct ts as [| t ts]; try discriminate; simpl in *; auto.
  injection Hq as Hq1 Hq2. injection Hr as Hr1 Hr2. apply Forall_cons_iff in Ht. destruct Ht as [Ht1 Ht2].
  destruct (IHInBox ts ltac:(lia) Ht2 Hq2 Hr2) as [E1 E2].
  assert (Ei : i = ceil_div size t * t - 1).
  { pose proof (Z.div_mod i t ltac:(lia)) as Hi. rewrite Hq1, Hr1 in Hi. lia. }
  pose proof (padding_is_less_than_a_tile size t ltac:(lia) ltac:(lia)).
  rewrite E1. split; f_equal; try lia. exact E2.
Qed.

Lemma level_last : forall t, ValidTile t -> forall sizes index, InBox index sizes ->
  level_index t sizes index = last_of (level_sizes t sizes) -> Divides t sizes /\ index = last_of sizes.
Proof.
  intros t Ht sizes index H E.
  unfold level_index, level_sizes, tiled_index, tiled_sizes, last_of in E. rewrite !map_app in E.
  unfold Divides.
  assert (Hl : InBox (extend_index t sizes index) (extend_sizes t sizes)) by (apply inbox_extend; exact H).
  set (extended := extend_sizes t sizes) in *. set (k := untiled_count t extended) in *.
  pose proof (skipn_length_tile t sizes) as Hn. fold extended k in Hn.
  destruct (inbox_firstn_skipn k _ _ Hl) as [Hh Hs].
  pose proof (combine_in_box t Ht _ _ Hs Hn 0 1 ltac:(lia)) as Hc.
  assert (Lc : length (combine_sizes t 1 (skipn k extended)) = length (tile_sizes t)) by (apply combine_length; auto).
  apply app_inj_length in E; [| rewrite map_length, (inbox_length _ _ Hh); reflexivity].
  destruct E as [Eh E].
  apply app_inj_length in E.
  2: { rewrite map_length, !map2_length; auto. rewrite (inbox_length _ _ Hc). exact Lc. }
  destruct E as [Eq Er].
  destruct (last_split _ _ Hc (tile_sizes t) Lc (tile_sizes_pos t Ht) Eq Er) as [Ed Ec].
  split; [exact Ed |].
  assert (Hlast : extend_index t sizes index = last_of extended).
  { apply (linearize_injective extended); [exact Hl | eapply last_in_box; exact Hl |].
    rewrite linearize_last.
    transitivity (linearize (firstn k extended ++ skipn k extended)
                    (firstn k (extend_index t sizes index) ++ skipn k (extend_index t sizes index))).
    { rewrite !firstn_skipn. reflexivity. }
    rewrite linearize_app by exact Hh. rewrite Eh.
    pose proof (combine_linearize t Ht _ _ Hs Hn 0 1) as Ep. rewrite Ec, linearize_last in Ep.
    rewrite combine_volume in Ep by auto.
    change (map (fun d => d - 1) (firstn k extended)) with (last_of (firstn k extended)). rewrite linearize_last.
    assert (volume extended = volume (firstn k extended) * volume (skipn k extended)) as ->
      by (rewrite <- volume_app, firstn_skipn; reflexivity).
    lia. }
  unfold extend_index, extended, extend_sizes, last_of in Hlast. rewrite map_app in Hlast.
  apply app_inj_length in Hlast; [| rewrite map_length, !repeat_length; reflexivity].
  exact (proj2 Hlast).
Qed.

Theorem last_place : forall ts, Forall ValidTile ts -> forall sizes index, InBox index sizes ->
  physical_index ts sizes index = last_of (physical_sizes ts sizes) -> AllDivide ts sizes.
Proof.
  assert (forall ts, Forall ValidTile ts -> forall sizes index, InBox index sizes ->
    physical_index ts sizes index = last_of (physical_sizes ts sizes) -> AllDivide ts sizes /\ index = last_of sizes) as A.
  { induction 1; simpl; intros sizes index Hi E; auto.
    destruct (IHForall _ _ (level_in_box x H _ _ Hi) E) as [Hd Hl].
    destruct (level_last x H _ _ Hi Hl). auto. }
  intros. eapply A; eauto.
Qed.
