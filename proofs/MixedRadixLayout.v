(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Proves that the chain of mixed-radix steps of a layout (definition C, MixedRadix.v) is the formula of Layout.v, and
   that its inverse answers for every place of the allocation: with the element there, or that there is padding. *)
Require Import ZArith List Lia Permutation.
Require Import Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Injective Layoutcheck.Arrays Layoutcheck.MixedRadix.
Import ListNotations.
Open Scope Z_scope.

(** ** The chain of a tile is the formula of Layout.v *)

Lemma chain_app : forall a b sizes,
  chain_sizes (a ++ b) sizes = chain_sizes b (chain_sizes a sizes) /\
  (forall i, chain_forward (a ++ b) sizes i = chain_forward b (chain_sizes a sizes) (chain_forward a sizes i)) /\
  (ChainFits a sizes -> ChainFits b (chain_sizes a sizes) -> ChainFits (a ++ b) sizes).
Proof.
  induction a as [| s a IH]; simpl; intros b sizes; [auto |].
  destruct (IH b (next_sizes s sizes)) as (E1 & E2 & F). repeat split; auto; tauto.
Qed.

(* Combining may begin with the first digit already merged. *)
Lemma combine_sizes_merged : forall t M a rest, t <> [] ->
  combine_sizes t M (a :: rest) = combine_sizes t 1 (M * a :: rest).
Proof. destruct t as [| [s |] t]; intros; try congruence; cbn [combine_sizes]; f_equal; ring. Qed.

Lemma combine_index_merged : forall t m a rest i tail sizes, t <> [] ->
  combine_index t m (a :: rest) (i :: tail) = combine_index t 0 (sizes :: rest) (m * a + i :: tail).
Proof. destruct t as [| [s |] t]; intros; try congruence; cbn [combine_index]; f_equal; ring. Qed.

Lemma valid_tile_not_empty : forall t, ValidTile t -> t <> [].
Proof. destruct 1; discriminate. Qed.

Lemma merges_combine : forall t, ValidTile t -> forall head rest, length rest = length t ->
  ChainFits (merges t (length head)) (head ++ rest) /\
  chain_sizes (merges t (length head)) (head ++ rest) = head ++ combine_sizes t 1 rest /\
  forall h i, length h = length head -> length i = length rest ->
    chain_forward (merges t (length head)) (head ++ rest) (h ++ i) = h ++ combine_index t 0 rest i.
Proof.
  induction 1 as [s Hs | s t Hs Ht IH | t Ht IH]; intros head rest Hl.
  - destruct rest as [| d [| ? ?]]; try discriminate. cbn [merges chain_sizes chain_forward ChainFits combine_sizes].
    split; [exact I |]. split; [do 2 f_equal; lia |]. intros h i _ Hi.
    destruct i as [| x [| ? ?]]; try discriminate. cbn [combine_index]. do 2 f_equal.
  - destruct rest as [| d rest]; try discriminate.
    destruct (IH (head ++ [d]) rest ltac:(simpl in Hl; lia)) as (F & E1 & E2).
    rewrite app_length, Nat.add_comm in F, E1, E2. rewrite <- !app_assoc in *.
    cbn [merges combine_sizes length Nat.add app] in *. split; [exact F |]. split.
    + rewrite E1. do 2 f_equal. lia.
    + intros h i Hh Hi. destruct i as [| x i]; try discriminate. cbn [combine_index].
      specialize (E2 (h ++ [x]) i). rewrite app_length, <- !app_assoc in E2. cbn [length app] in E2.
      rewrite E2 by (simpl in *; lia). do 2 f_equal.
  - pose proof (valid_tile_not_empty t Ht) as Ne.
    destruct rest as [| a [| b rest]]; try discriminate; [destruct Ht; discriminate |].
    destruct (IH head (a * b :: rest) ltac:(simpl in *; lia)) as (F & E1 & E2).
    cbn [merges chain_sizes chain_forward ChainFits].
    assert (N : next_sizes (At (length head) Merge) (head ++ a :: b :: rest) = head ++ a * b :: rest).
    { cbn [next_sizes]. rewrite firstn_of_app, skipn_of_app by reflexivity. reflexivity. }
    rewrite N. split; [split; [| exact F] | split].
    + split; [rewrite app_length; lia |]. rewrite skipn_of_app by reflexivity. simpl. lia.
    + rewrite E1. cbn [combine_sizes]. rewrite combine_sizes_merged with (M := 1 * a) by exact Ne.
      replace (1 * a * b) with (a * b) by ring. reflexivity.
    + intros h i Hh Hi. destruct i as [| x [| y i]]; try discriminate.
      assert (forward (At (length head) Merge) (head ++ a :: b :: rest) (h ++ x :: y :: i) = h ++ x * b + y :: i) as ->.
      { cbn [forward]. rewrite skipn_of_app, firstn_of_app, skipn_of_app by auto. reflexivity. }
      rewrite E2 by (simpl in *; lia). cbn [combine_index].
      rewrite combine_index_merged with (m := 0 * a + x) (sizes := a * b) by exact Ne.
      replace ((0 * a + x) * b + y) with (x * b + y) by ring. reflexivity.
Qed.

Lemma map_nth_seq : forall l : list Z, map (fun d => nth d l 0) (seq 0 (length l)) = l.
Proof.
  induction l as [| x l IH] using rev_ind; [reflexivity |].
  rewrite app_length, Nat.add_comm. cbn [length Nat.add]. rewrite seq_S, map_app. simpl.
  rewrite app_nth2, Nat.sub_diag by lia. simpl. f_equal.
  etransitivity; [| exact IH]. apply map_ext_in. intros d Hd. apply in_seq in Hd. apply app_nth1. lia.
Qed.

Lemma nth_interleave : forall q r k, length q = length r -> (k < length q)%nat ->
  nth (2 * k) (interleave q r) 0 = nth k q 0 /\ nth (2 * k + 1) (interleave q r) 0 = nth k r 0.
Proof.
  induction q as [| x q IH]; destruct r as [| y r]; intros k Hl Hk; simpl in Hl, Hk; try lia.
  destruct k as [| k]; [split; reflexivity |].
  destruct (IH r k ltac:(lia) ltac:(lia)) as [E1 E2].
  replace (2 * S k)%nat with (S (S (2 * k))) by lia. cbn [interleave nth Nat.add]. split; [exact E1 | exact E2].
Qed.

Lemma permute_places_last : forall head q r, length q = length r ->
  permute (places_last (length head) (length q)) (head ++ interleave q r) = head ++ q ++ r.
Proof.
  intros head q r Hl. unfold permute, places_last. rewrite !map_app, !map_map. f_equal; [| f_equal].
  - etransitivity; [| apply map_nth_seq]. apply map_ext_in. intros d Hd. apply in_seq in Hd. apply app_nth1. lia.
  - etransitivity; [| apply map_nth_seq]. apply map_ext_in. intros k Hk. apply in_seq in Hk.
    rewrite app_nth2 by lia. replace (length head + 2 * k - length head)%nat with (2 * k)%nat by lia.
    apply nth_interleave; lia.
  - rewrite Hl. etransitivity; [| apply map_nth_seq]. apply map_ext_in. intros k Hk. apply in_seq in Hk.
    rewrite app_nth2 by lia. replace (length head + (2 * k + 1) - length head)%nat with (2 * k + 1)%nat by lia.
    apply nth_interleave; lia.
Qed.

Lemma interleave_length : forall q r, length q = length r -> length (interleave q r) = (2 * length q)%nat.
Proof. induction q; destruct r; simpl; intros H; try discriminate; auto. rewrite IHq; lia. Qed.

Lemma places_last_permutes : forall first n,
  length (places_last first n) = (first + 2 * n)%nat /\
  Permutation (places_last first n) (seq 0 (length (places_last first n))).
Proof.
  intros first n. assert (L : length (places_last first n) = (first + 2 * n)%nat).
  { unfold places_last. rewrite app_length, map_length, app_length, !map_length, !seq_length. lia. }
  split; [exact L |]. rewrite L. unfold places_last. rewrite seq_app. apply Permutation_app_head.
  assert (S : forall a m, seq a m = map (Nat.add a) (seq 0 m)).
  { clear. induction a; intros m; [symmetry; apply map_id |]. rewrite <- seq_shift, IHa, map_map. reflexivity. }
  rewrite (S (0 + first)%nat). apply Permutation_map. clear.
  induction n as [| n IH]; [reflexivity |].
  replace (2 * S n)%nat with (S (S (2 * n))) by lia. rewrite !seq_S, !map_app. cbn [map Nat.add].
  rewrite <- IH. replace (S (2 * n)) with (2 * n + 1)%nat by lia.
  rewrite <- !app_assoc. apply Permutation_app_head. exact (Permutation_middle _ [(2 * n + 1)%nat] (2 * n)%nat).
Qed.

Lemma map2_div_mul : forall counts ts, length counts = length ts -> Forall (fun t => 0 < t) ts ->
  map2 Z.div (map2 Z.mul counts ts) ts = counts.
Proof.
  induction counts; destruct ts; simpl; intros; try discriminate; auto. inversion H0; subst.
  rewrite Z.div_mul by lia. f_equal. auto.
Qed.

Lemma combine_index_length : forall t, ValidTile t -> forall sizes, length sizes = length t -> forall index,
  length index = length sizes -> forall m, length (combine_index t m sizes index) = length (tile_sizes t).
Proof.
  induction 1; intros sizes Hl index Hi m; destruct sizes; try discriminate; destruct index; try discriminate;
    simpl in *; auto.
Qed.

Theorem tile_chain : forall t, ValidTile t -> forall sizes,
  ChainFits (tile_steps t (length sizes)) sizes /\
  chain_sizes (tile_steps t (length sizes)) sizes = level_sizes t sizes /\
  forall i, length i = length sizes ->
    chain_forward (tile_steps t (length sizes)) sizes i = level_index t sizes i.
Proof.
  intros t Ht sizes. unfold tile_steps, level_sizes, level_index, tiled_sizes, tiled_index.
  set (first := (length sizes - length t)%nat). set (ts := tile_sizes t). cbn [chain_sizes chain_forward ChainFits].
  cbn [next_sizes forward]. fold (extend_sizes t sizes).
  assert (K : untiled_count t (extend_sizes t sizes) = first).
  { unfold untiled_count, extend_sizes, leading_count. rewrite app_length, repeat_length. unfold first. lia. }
  pose proof (skipn_length_tile t sizes) as Ln. rewrite K in Ln. rewrite K.
  set (extended := extend_sizes t sizes) in *.
  assert (Lf : length (firstn first extended) = first)
    by (rewrite firstn_length, <- K; unfold untiled_count; fold extended; lia).
  destruct (merges_combine t Ht (firstn first extended) (skipn first extended) Ln) as (F & E1 & E2).
  rewrite Lf, firstn_skipn in F, E1, E2.
  set (combined := combine_sizes t 1 (skipn first extended)) in *.
  assert (Lc : length combined = length ts) by (apply combine_length; auto).
  pose proof (tile_sizes_pos t Ht) as Hts. fold ts in Hts.
  set (counts := map2 ceil_div combined ts).
  assert (Lk : length counts = length ts) by (apply map2_length; exact Lc).
  assert (Lm : length (map2 Z.mul counts ts) = length ts) by (apply map2_length; exact Lk).
  set (final := [At first (Pad ts); At first (Split ts); Permute (places_last first (length ts))]).
  destruct (chain_app (merges t first) final extended) as (A1 & A2 & A3).
  assert (P : next_sizes (At first (Pad ts)) (firstn first extended ++ combined) =
              firstn first extended ++ map2 Z.mul counts ts).
  { cbn [next_sizes change_sizes]. rewrite firstn_of_app, skipn_of_app by exact Lf. reflexivity. }
  assert (S : next_sizes (At first (Split ts)) (firstn first extended ++ map2 Z.mul counts ts) =
              firstn first extended ++ interleave counts ts).
  { cbn [next_sizes change_sizes]. rewrite firstn_of_app, skipn_of_app, map2_div_mul by auto. reflexivity. }
  assert (Sizes : chain_sizes final (firstn first extended ++ combined) = firstn first extended ++ counts ++ ts).
  { unfold final. cbn [chain_sizes]. rewrite P, S. cbn [next_sizes].
    replace (places_last first (length ts)) with (places_last (length (firstn first extended)) (length counts))
      by (rewrite Lf, Lk; reflexivity).
    apply permute_places_last. exact Lk. }
  split; [split; [exact I |] | split].
  - apply A3; [exact F |]. rewrite E1. unfold final. cbn [ChainFits]. rewrite P, S. repeat split.
    + rewrite app_length. lia.
    + rewrite skipn_of_app by exact Lf. exact Lc.
    + exact Hts.
    + rewrite app_length. lia.
    + rewrite skipn_of_app by exact Lf. exact Lm.
    + exact Hts.
    + rewrite skipn_of_app by exact Lf. rewrite map2_div_mul; auto.
    + rewrite app_length, interleave_length, Lf, Lk by exact Lk. symmetry. apply places_last_permutes.
    + apply places_last_permutes.
  - rewrite A1, E1. exact Sizes.
  - intros i Hi. rewrite A2, E1. fold (extend_index t sizes i).
    change (repeat 0 (leading_count t (length sizes)) ++ i) with (extend_index t sizes i).
    set (x := extend_index t sizes i).
    assert (Lx : length x = length extended) by (unfold x, extended, extend_index, extend_sizes; rewrite !app_length, !repeat_length; lia).
    specialize (E2 (firstn first x) (skipn first x)). rewrite firstn_skipn in E2.
    rewrite E2 by (rewrite ?firstn_length, ?skipn_length, ?Lx; rewrite ?firstn_length in Lf; lia).
    set (c := combine_index t 0 (skipn first extended) (skipn first x)).
    assert (Lfx : length (firstn first x) = first) by (rewrite firstn_length, Lx; rewrite firstn_length in Lf; lia).
    assert (Lci : length c = length ts) by (apply combine_index_length; auto; rewrite !skipn_length; lia).
    unfold final. cbn [chain_forward]. rewrite P, S. cbn [forward change_forward].
    assert (firstn first (firstn first x ++ c) ++ skipn first (firstn first x ++ c) = firstn first x ++ c) as ->
      by apply firstn_skipn.
    rewrite firstn_of_app, skipn_of_app by exact Lfx.
    assert (Lq : length (map2 Z.div c ts) = length ts) by (apply map2_length; exact Lci).
    replace (places_last first (length ts)) with (places_last (length (firstn first x)) (length (map2 Z.div c ts)))
      by (rewrite Lfx, Lq; reflexivity).
    apply permute_places_last. rewrite Lq. symmetry. apply map2_length. exact Lci.
Qed.

(** ** The chain of a layout is the formula of Layout.v *)

Lemma tiles_chain : forall ts, Forall ValidTile ts -> forall sizes,
  ChainFits (tiles_steps ts sizes) sizes /\
  chain_sizes (tiles_steps ts sizes) sizes = physical_sizes ts sizes /\
  forall i, InBox i sizes -> chain_forward (tiles_steps ts sizes) sizes i = physical_index ts sizes i.
Proof.
  induction 1 as [| t ts Ht _ IH]; intros sizes; cbn [tiles_steps physical_sizes physical_index]; [simpl; auto |].
  destruct (tile_chain t Ht sizes) as (F & E1 & E2). rewrite E1. destruct (IH (level_sizes t sizes)) as (F' & E1' & E2').
  destruct (chain_app (tile_steps t (length sizes)) (tiles_steps ts (level_sizes t sizes)) sizes) as (A1 & A2 & A3).
  rewrite E1 in *. split; [auto | split].
  - rewrite A1. exact E1'.
  - intros i Hi. rewrite A2, E2 by (apply inbox_length; exact Hi). apply E2', level_in_box; assumption.
Qed.

Lemma horner_linearize : forall index sizes, InBox index sizes -> forall major,
  horner major sizes index = major * volume sizes + linearize sizes index.
Proof. induction 1; intros; cbn [horner volume linearize]; [ring | rewrite IHInBox; ring]. Qed.

Section Layout.
Variable l : layout.
Hypothesis valid : Valid l.
Variable sizes : list Z.
Hypothesis rank : length sizes = length (minor_to_major l).

Lemma layout_chain :
  ChainFits (layout_steps l sizes) sizes /\
  chain_sizes (layout_steps l sizes) sizes = physical_sizes (tiles l) (permute (order l) sizes) /\
  forall i, InBox i sizes -> chain_forward (layout_steps l sizes) sizes i =
    physical_index (tiles l) (permute (order l) sizes) (permute (order l) i).
Proof.
  unfold layout_steps. cbn [ChainFits chain_sizes chain_forward next_sizes forward Fits].
  destruct (tiles_chain (tiles l) (tiles_valid l valid) (permute (order l) sizes)) as (F & E1 & E2).
  rewrite order_length. repeat split; auto.
  - rewrite <- order_length. apply order_permutes. exact valid.
  - intros i Hi. apply E2, permuted_in_box; auto. rewrite order_length. exact rank.
Qed.

Theorem chain_elements : volume (chain_sizes (layout_steps l sizes) sizes) = padded_elements l sizes.
Proof. destruct layout_chain as (_ & E & _). rewrite E. reflexivity. Qed.

Theorem chain_agrees : forall index, InBox index sizes -> chain_linear_index l sizes index = linear_index l sizes index.
Proof.
  intros index H. destruct layout_chain as (F & E1 & E2). destruct (chain_right _ _ F) as (_ & R & _).
  destruct (R index H) as [Hin _]. unfold chain_linear_index, linear_index.
  rewrite horner_linearize by exact Hin. rewrite E1, E2 by exact H. ring.
Qed.

Theorem coordinate_of_element : forall index, InBox index sizes ->
  coordinate l sizes (linear_index l sizes index) = Some index.
Proof.
  intros index H. destruct layout_chain as (F & E1 & E2). destruct (chain_right _ _ F) as (_ & R & _).
  destruct (R index H) as [Hin B]. unfold coordinate, linear_index.
  rewrite <- E1, <- E2 by exact H. rewrite delinearize_linearize by exact Hin. exact B.
Qed.

Theorem element_of_coordinate : Forall (fun d => 0 <= d) sizes -> forall p index, 0 <= p < padded_elements l sizes ->
  coordinate l sizes p = Some index -> InBox index sizes /\ linear_index l sizes index = p.
Proof.
  intros Hs p index Hp Hc. destruct layout_chain as (F & E1 & E2). destruct (chain_right _ _ F) as (N & R & B).
  destruct (linearize_delinearize (chain_sizes (layout_steps l sizes) sizes) p) as [Hin Ep].
  - apply positive_of_volume; [apply N; exact Hs |]. rewrite chain_elements. lia.
  - rewrite chain_elements. exact Hp.
  - destruct (B Hs _ _ Hin Hc) as [Hi Ei]. split; [exact Hi |].
    unfold linear_index. rewrite <- E1, <- E2 by exact Hi. rewrite Ei. exact Ep.
Qed.
End Layout.
