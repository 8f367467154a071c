(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Proves that a tiled layout (Layout.v) places each element of an array within the allocation, and no two elements at
   the same place. Both follow from one observation: combining, cutting into tiles and permuting map the points of one
   box to points of the next, and each has a left inverse, which is defined here, too. Holds for every rank, every list
   of tiles and all sizes. *)
Require Import ZArith List Lia Permutation.
Require Import Layoutcheck.Box Layoutcheck.Layout.
Import ListNotations.
Open Scope Z_scope.

(** ** The inverse *)

(* Takes combined indices apart. Returns the index, and before it what the major entries combine with. *)
Fixpoint uncombine (t : tile) (sizes : list Z) (combined : list Z) : Z * list Z :=
  match t, sizes with
  | Some _ :: ts, d :: ds =>
      match combined with
      | c :: cs => let '(_, rest) := uncombine ts ds cs in (c / d, c mod d :: rest)
      | [] => (0, [])
      end
  | None :: ts, d :: ds =>
      let '(c, rest) := uncombine ts ds combined in (c / d, c mod d :: rest)
  | _, _ => (0, [])
  end.

(* Returns what was cut into `outer` and `inner` by the sizes `ts`. *)
Definition unsplit (ts outer inner : list Z) : list Z :=
  map2 (fun qt r => qt + r) (map2 Z.mul outer ts) inner.

Definition untiled_index (t : tile) (sizes index : list Z) : list Z :=
  let n := length (tile_sizes t) in
  snd (uncombine t sizes (unsplit (tile_sizes t) (firstn n index) (skipn n index))).
Definition level_inverse (t : tile) (sizes index : list Z) : list Z :=
  let extended := extend_sizes t sizes in
  let k := untiled_count t extended in
  skipn (leading_count t (length sizes)) (firstn k index ++ untiled_index t (skipn k extended) (skipn k index)).

Fixpoint physical_inverse (ts : list tile) (sizes index : list Z) : list Z :=
  match ts with
  | [] => index
  | t :: rest => level_inverse t sizes (physical_inverse rest (level_sizes t sizes) index)
  end.

(* Returns the index of the element at place `p`. Where `p` holds padding, the result means nothing. *)
Definition element_at (l : layout) (sizes : list Z) (p : Z) : list Z :=
  let s := permute (order l) sizes in
  unpermute (order l) (physical_inverse (tiles l) s (delinearize (physical_sizes (tiles l) s) p)).

(** ** One tile *)

Lemma combine_in_box : forall t, ValidTile t -> forall index sizes, InBox index sizes -> length sizes = length t ->
  forall m M, 0 <= m < M ->
  InBox (combine_index t m sizes index) (combine_sizes t M sizes).
Proof.
  induction 1; intros index sizes Hin Hlen m M Hm; inversion Hin; subst; try discriminate; simpl in *.
  - inversion H1; subst; simpl in *; try discriminate. constructor; [nia | constructor].
  - constructor; [nia |]. apply IHValidTile; auto; lia.
  - apply IHValidTile; auto; nia.
Qed.

Lemma combine_length : forall t, ValidTile t -> forall sizes, length sizes = length t -> forall M,
  length (combine_sizes t M sizes) = length (tile_sizes t).
Proof.
  induction 1; intros sizes Hlen M; destruct sizes; try discriminate; simpl in *; auto.
Qed.

Lemma split_in_box : forall combined sizes, InBox combined sizes -> forall ts, length sizes = length ts ->
  Forall (fun t => 0 < t) ts ->
  InBox (map2 Z.div combined ts) (map2 ceil_div sizes ts) /\ InBox (map2 Z.modulo combined ts) ts.
Proof.
  induction 1; intros ts Hlen Hpos; destruct ts; try discriminate; simpl.
  - split; constructor.
  - inversion Hpos; subst. destruct (IHInBox ts ltac:(simpl in Hlen; lia) H4).
    split; constructor; auto.
    + unfold ceil_div. split; [apply Z.div_pos; lia |].
      apply Z.div_lt_upper_bound; [lia |].
      pose proof (Z.div_mod (size + z - 1) z ltac:(lia)).
      pose proof (Z.mod_pos_bound (size + z - 1) z ltac:(lia)). lia.
    + apply Z.mod_pos_bound; lia.
Qed.

Lemma tile_sizes_pos : forall t, ValidTile t -> Forall (fun s => 0 < s) (tile_sizes t).
Proof. induction 1; simpl; auto. Qed.

Lemma tiled_in_box : forall t, ValidTile t -> forall index sizes, InBox index sizes -> length sizes = length t ->
  InBox (tiled_index t sizes index) (tiled_sizes t sizes).
Proof.
  intros t Ht index sizes Hin Hlen. unfold tiled_index, tiled_sizes.
  destruct (split_in_box _ _ (combine_in_box t Ht index sizes Hin Hlen 0 1 ltac:(lia)) (tile_sizes t)).
  - apply combine_length; auto.
  - apply tile_sizes_pos; auto.
  - apply inbox_app; auto.
Qed.

Lemma map2_length : forall {A B C} (f : A -> B -> C) a b, length a = length b -> length (map2 f a b) = length b.
Proof. induction a; destruct b; simpl; intros; try discriminate; auto. Qed.

Lemma unsplit_split : forall combined ts, length combined = length ts -> Forall (fun t => 0 < t) ts ->
  unsplit ts (map2 Z.div combined ts) (map2 Z.modulo combined ts) = combined.
Proof.
  unfold unsplit. induction combined; destruct ts; simpl; intros; try discriminate; auto.
  inversion H0; subst. f_equal; [pose proof (Z.div_mod a z ltac:(lia)); lia | apply IHcombined; auto].
Qed.

Lemma uncombine_combine : forall t, ValidTile t -> forall index sizes, InBox index sizes -> length sizes = length t ->
  forall m, uncombine t sizes (combine_index t m sizes index) = (m, index).
Proof.
  induction 1; intros index sizes Hin Hlen m; inversion Hin; subst; try discriminate; simpl in *.
  - inversion H1; subst; simpl in *; try discriminate.
    rewrite div_of_sum, mod_of_sum by lia. reflexivity.
  - rewrite IHValidTile by (auto; lia).
    rewrite div_of_sum, mod_of_sum by lia. reflexivity.
  - rewrite IHValidTile by (auto; lia).
    rewrite div_of_sum, mod_of_sum by lia. reflexivity.
Qed.

Lemma untiled_tiled : forall t, ValidTile t -> forall index sizes, InBox index sizes -> length sizes = length t ->
  untiled_index t sizes (tiled_index t sizes index) = index.
Proof.
  intros t Ht index sizes Hin Hlen. unfold untiled_index, tiled_index.
  assert (Hc : length (combine_index t 0 sizes index) = length (tile_sizes t)).
  { rewrite <- (combine_length t Ht sizes Hlen 1). apply inbox_length. apply combine_in_box; auto; lia. }
  assert (Hd : length (map2 Z.div (combine_index t 0 sizes index) (tile_sizes t)) = length (tile_sizes t))
    by (apply map2_length; auto).
  rewrite <- Hd at 1 2.
  rewrite firstn_app, Nat.sub_diag, firstn_all, firstn_O, app_nil_r.
  rewrite skipn_app, Nat.sub_diag, skipn_all. simpl.
  rewrite unsplit_split by (auto using tile_sizes_pos).
  rewrite uncombine_combine; auto.
Qed.

(** ** All tiles *)

Lemma inbox_firstn_skipn : forall k index sizes, InBox index sizes ->
  InBox (firstn k index) (firstn k sizes) /\ InBox (skipn k index) (skipn k sizes).
Proof.
  induction k; intros index sizes H; simpl.
  - split; [constructor | exact H].
  - inversion H; subst; simpl; [split; constructor |].
    destruct (IHk _ _ H1). split; auto. constructor; auto.
Qed.

Lemma inbox_extend : forall n index sizes, InBox index sizes -> InBox (repeat 0 n ++ index) (repeat 1 n ++ sizes).
Proof. induction n; simpl; intros; auto. constructor; [lia | auto]. Qed.

Lemma skipn_length_tile : forall t sizes,
  length (skipn (untiled_count t (extend_sizes t sizes)) (extend_sizes t sizes)) = length t.
Proof.
  intros. rewrite skipn_length. unfold untiled_count, extend_sizes, leading_count.
  rewrite app_length, repeat_length. lia.
Qed.

Lemma level_in_box : forall t, ValidTile t -> forall index sizes, InBox index sizes ->
  InBox (level_index t sizes index) (level_sizes t sizes).
Proof.
  intros t Ht index sizes H. unfold level_index, level_sizes.
  pose proof (inbox_extend (leading_count t (length sizes)) _ _ H) as Hl.
  destruct (inbox_firstn_skipn (untiled_count t (extend_sizes t sizes)) _ _ Hl).
  apply inbox_app; auto. apply tiled_in_box; auto. apply skipn_length_tile.
Qed.

Lemma level_left_inverse : forall t, ValidTile t -> forall index sizes, InBox index sizes ->
  level_inverse t sizes (level_index t sizes index) = index.
Proof.
  intros t Ht index sizes H. unfold level_inverse, level_index.
  pose proof (inbox_extend (leading_count t (length sizes)) _ _ H) as Hl.
  fold (extend_sizes t sizes) in Hl. fold (extend_index t sizes index) in Hl.
  assert (Hn := skipn_length_tile t sizes).
  assert (Hr : (untiled_count t (extend_sizes t sizes) <= length (extend_sizes t sizes))%nat) by (unfold untiled_count; lia).
  revert Hn Hr. generalize (untiled_count t (extend_sizes t sizes)). intros k Hn Hr.
  destruct (inbox_firstn_skipn k _ _ Hl) as [_ Hs].
  assert (Hk : length (firstn k (extend_index t sizes index)) = k).
  { rewrite firstn_length, (inbox_length _ _ Hl). lia. }
  rewrite firstn_app, Hk, Nat.sub_diag, firstn_O, app_nil_r, firstn_firstn, Nat.min_id.
  rewrite (skipn_app k), Hk, Nat.sub_diag, (@skipn_all2 _ k (firstn k (extend_index t sizes index))) by lia. simpl app.
  rewrite untiled_tiled by auto.
  rewrite firstn_skipn. unfold extend_index.
  rewrite skipn_app, repeat_length, Nat.sub_diag, skipn_all2 by (rewrite repeat_length; lia). reflexivity.
Qed.

Lemma physical_in_box : forall ts, Forall ValidTile ts -> forall index sizes, InBox index sizes ->
  InBox (physical_index ts sizes index) (physical_sizes ts sizes).
Proof. induction 1; simpl; intros; auto using level_in_box. Qed.

Lemma physical_left_inverse : forall ts, Forall ValidTile ts -> forall index sizes, InBox index sizes ->
  physical_inverse ts sizes (physical_index ts sizes index) = index.
Proof.
  induction 1; simpl; intros; auto.
  rewrite IHForall by auto using level_in_box. auto using level_left_inverse.
Qed.

Lemma inbox_nth : forall index sizes, InBox index sizes -> forall d, (d < length sizes)%nat ->
  0 <= nth d index 0 < nth d sizes 0.
Proof.
  induction 1; simpl; intros d Hd; [lia |]. destruct d; auto. apply IHInBox. lia.
Qed.

Lemma permute_in_box : forall o index sizes, InBox index sizes ->
  Forall (fun d => (d < length sizes)%nat) o -> InBox (permute o index) (permute o sizes).
Proof.
  unfold permute. intros o index sizes H. induction 1; simpl; constructor; auto using inbox_nth.
Qed.

Lemma nth_place_of : forall (f : nat -> Z) o d, In d o -> nth (place_of d o) (map f o) 0 = f d.
Proof.
  induction o; simpl; intros d H; [contradiction |].
  destruct (Nat.eqb_spec a d); [subst; reflexivity |]. destruct H; [contradiction |]. simpl. auto.
Qed.

Lemma unpermute_permute : forall o index, Permutation o (seq 0 (length o)) ->
  length index = length o -> unpermute o (permute o index) = index.
Proof.
  intros o index Hp Hl. unfold unpermute, permute.
  transitivity (map (fun d => nth d index 0) (seq 0 (length o))).
  - apply map_ext_in. intros d Hd. apply (nth_place_of (fun d => nth d index 0)).
    eapply Permutation_in; [apply Permutation_sym; exact Hp | exact Hd].
  - rewrite <- Hl. clear. induction index using rev_ind; simpl; auto.
    rewrite app_length, Nat.add_comm. simpl length. rewrite seq_S, map_app. simpl.
    rewrite app_nth2, Nat.sub_diag by lia. simpl. f_equal.
    etransitivity; [| exact IHindex]. apply map_ext_in. intros d Hd. apply in_seq in Hd.
    apply app_nth1. lia.
Qed.

Lemma order_permutes : forall l, Valid l -> Permutation (order l) (seq 0 (length (order l))).
Proof.
  intros l [Hp _]. unfold order. rewrite rev_length. transitivity (minor_to_major l); [| exact Hp].
  apply Permutation_sym, Permutation_rev.
Qed.

Lemma order_length : forall l, length (order l) = length (minor_to_major l).
Proof. intros. apply rev_length. Qed.

Lemma tiles_valid : forall l, Valid l -> Forall ValidTile (tiles l).
Proof. intros l (_ & Ht & _). exact Ht. Qed.

Lemma order_in_range : forall l, Valid l -> forall sizes : list Z, length sizes = length (order l) ->
  Forall (fun d => (d < length sizes)%nat) (order l).
Proof.
  intros l Hv sizes Hl. pose proof (order_permutes l Hv) as Hp. apply Forall_forall. intros d Hd. rewrite Hl.
  apply (Permutation_in d Hp) in Hd. apply in_seq in Hd. lia.
Qed.

Lemma place_of_nth : forall o k, NoDup o -> (k < length o)%nat -> place_of (nth k o 0%nat) o = k.
Proof.
  induction o as [| x o IH]; simpl; intros k Hd Hk; [lia |]. inversion Hd; subst. destruct k as [| k].
  - rewrite Nat.eqb_refl. reflexivity.
  - destruct (Nat.eqb_spec x (nth k o 0%nat)) as [E | _].
    + destruct H1. rewrite E. apply nth_In. lia.
    + f_equal. apply IH; auto. lia.
Qed.

Lemma nth_unpermute : forall o values d, (d < length o)%nat ->
  nth d (unpermute o values) 0 = nth (place_of d o) values 0.
Proof.
  intros o values d Hd. unfold unpermute.
  rewrite nth_indep with (d' := nth (place_of 0%nat o) values 0) by (rewrite map_length, seq_length; exact Hd).
  rewrite (map_nth (fun d => nth (place_of d o) values 0)), seq_nth by exact Hd. reflexivity.
Qed.

Lemma permutation_facts : forall o, Permutation o (seq 0 (length o)) ->
  NoDup o /\ forall d, In d o <-> (d < length o)%nat.
Proof.
  intros o Hp. split.
  - eapply Permutation_NoDup; [apply Permutation_sym; exact Hp | apply seq_NoDup].
  - intros d. split; intros Hd.
    + apply (Permutation_in d Hp) in Hd. apply in_seq in Hd. lia.
    + apply (Permutation_in d (Permutation_sym Hp)). apply in_seq. lia.
Qed.

Lemma permute_unpermute : forall o values, Permutation o (seq 0 (length o)) ->
  length values = length o -> permute o (unpermute o values) = values.
Proof.
  intros o values Hp Hl. destruct (permutation_facts o Hp) as [Hd Hin].
  apply nth_ext with (d := nth 0 (unpermute o values) 0) (d' := 0); unfold permute; rewrite map_length; [auto |].
  intros k Hk. rewrite (map_nth (fun d => nth d (unpermute o values) 0) o 0%nat k).
  rewrite nth_unpermute by (apply Hin, nth_In; exact Hk). rewrite place_of_nth by auto. reflexivity.
Qed.

Lemma inbox_of_nth : forall index sizes, length index = length sizes ->
  (forall d, (d < length sizes)%nat -> 0 <= nth d index 0 < nth d sizes 0) -> InBox index sizes.
Proof.
  induction index as [| i index IH]; destruct sizes; simpl; intros Hl H; try discriminate; constructor.
  - apply (H 0%nat). lia.
  - apply IH; [lia |]. intros d Hd. apply (H (S d)). lia.
Qed.

Lemma unpermute_length : forall o values, length (unpermute o values) = length o.
Proof. intros. unfold unpermute. rewrite map_length, seq_length. reflexivity. Qed.

Lemma unpermute_in_box : forall o sizes index, Permutation o (seq 0 (length o)) -> length sizes = length o ->
  InBox index (permute o sizes) -> InBox (unpermute o index) sizes.
Proof.
  intros o sizes index Hp Hl H. destruct (permutation_facts o Hp) as [Hd Hin].
  apply inbox_of_nth; [rewrite unpermute_length; auto |].
  intros d Hlt. rewrite Hl in Hlt. rewrite nth_unpermute by exact Hlt.
  assert (Hr : nth (place_of d o) (permute o sizes) 0 = nth d sizes 0)
    by (unfold permute; apply (nth_place_of (fun d => nth d sizes 0)), Hin, Hlt).
  rewrite <- Hr. apply inbox_nth; [exact H |].
  unfold permute. rewrite map_length. apply Hin in Hlt. clear - Hlt.
  induction o as [| x o IH]; simpl in *; [contradiction |]. destruct (Nat.eqb_spec x d); [lia |].
  destruct Hlt; [contradiction |]. apply -> Nat.succ_lt_mono. auto.
Qed.

Section Theorems.
Variable l : layout.
Hypothesis valid : Valid l.
Variable sizes : list Z.
Hypothesis rank : length sizes = length (order l).

Lemma permuted_in_box : forall index, InBox index sizes ->
  InBox (permute (order l) index) (permute (order l) sizes).
Proof. intros. apply permute_in_box; auto. apply order_in_range; auto. Qed.

Theorem in_bounds : forall index, InBox index sizes ->
  0 <= linear_index l sizes index < padded_elements l sizes.
Proof.
  intros. unfold linear_index, padded_elements. apply linearize_in_bounds, physical_in_box.
  - apply tiles_valid; auto.
  - apply permuted_in_box; auto.
Qed.

Theorem left_inverse : forall index, InBox index sizes ->
  element_at l sizes (linear_index l sizes index) = index.
Proof.
  intros index H. unfold element_at, linear_index.
  pose proof (permuted_in_box _ H) as Hp.
  rewrite delinearize_linearize by (apply physical_in_box; [apply tiles_valid; auto | auto]).
  rewrite physical_left_inverse by (try apply tiles_valid; auto).
  apply unpermute_permute; [apply order_permutes; auto |]. rewrite (inbox_length _ _ H). auto.
Qed.

Theorem injective : forall a b, InBox a sizes -> InBox b sizes ->
  linear_index l sizes a = linear_index l sizes b -> a = b.
Proof.
  intros a b Ha Hb H. rewrite <- (left_inverse a Ha), <- (left_inverse b Hb), H. reflexivity.
Qed.
End Theorems.

Theorem in_bounds_of_allocation : forall l sizes, Valid l -> length sizes = length (minor_to_major l) ->
  forall index, InBox index sizes ->
  0 <= linear_index l sizes index < padded_elements l sizes /\ padded_elements l sizes <= allocated_elements l sizes.
Proof.
  intros l sizes v r index H. rewrite <- order_length in r.
  split; [apply in_bounds; auto |]. destruct v as (_ & _ & Ha).
  unfold allocated_elements, ceil_div.
  pose proof (Z.div_mod (padded_elements l sizes + alignment l - 1) (alignment l) ltac:(lia)).
  pose proof (Z.mod_pos_bound (padded_elements l sizes + alignment l - 1) (alignment l) ltac:(lia)). lia.
Qed.
