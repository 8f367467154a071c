(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines tiling by what it does to an array, called definition B: the array is padded to whole tiles, reshaped so that
   each tiled dimension becomes two, and transposed so that the places within a tile come last (XLA's document "Tiled
   layout", section "Linear index formulas for tiling given a shape and a tile", states both). Memory then holds the
   result in row-major order.

   Proves that it agrees with the formula of Layout.v: memory holds each element at its linear index (memory_at), and it
   holds elements of the array at no other place (memory_only). *)
Require Import ZArith List Lia Bool.
Require Import Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Injective.
Import ListNotations.
Open Scope Z_scope.

Section Arrays.
Variable V : Type.

(* An array has sizes, and an element or padding (None) at each index of its box. *)
Record array := { sizes_of : list Z; at_index : list Z -> option V }.

Fixpoint in_box (index sizes : list Z) : bool :=
  match index, sizes with
  | [], [] => true
  | i :: js, d :: ds => (0 <=? i) && (i <? d) && in_box js ds
  | _, _ => false
  end.

Lemma in_box_spec : forall index sizes, in_box index sizes = true <-> InBox index sizes.
Proof.
  induction index; destruct sizes; simpl; split; intros H; try discriminate; try solve [constructor];
    try solve [inversion H].
  - apply andb_prop in H. destruct H as [Hi H]. apply andb_prop in Hi. constructor; [lia | apply IHindex; auto].
  - inversion H; subst. rewrite (proj2 (IHindex _)) by auto. lia.
Qed.

(* Puts the elements into a larger box. *)
Definition pad (larger : list Z) (a : array) : array :=
  {| sizes_of := larger; at_index := fun i => if in_box i (sizes_of a) then at_index a i else None |}.

(* Reads the same elements in row-major order with other sizes. *)
Definition reshape (sizes : list Z) (a : array) : array :=
  {| sizes_of := sizes; at_index := fun i => at_index a (delinearize (sizes_of a) (linearize sizes i)) |}.

(* Returns [q1; r1; q2; r2; ...]. *)
Fixpoint interleave (q r : list Z) : list Z :=
  match q, r with
  | x :: q', y :: r' => x :: y :: interleave q' r'
  | _, _ => []
  end.

(* Transposes: after `k` untiled dimensions, counts and places in turns become all counts and then all places. *)
Definition bring_tiles_last (k n : nat) (counts ts : list Z) (a : array) : array :=
  {| sizes_of := firstn k (sizes_of a) ++ counts ++ ts;
     at_index := fun i => at_index a (firstn k i ++ interleave (firstn n (skipn k i)) (skipn n (skipn k i))) |}.

(* Applies one tile: puts sizes of 1 in front and combines by a reshape, pads to whole tiles, cuts each dimension in two
   by another reshape, and transposes. *)
Definition tile_array (t : tile) (a : array) : array :=
  let extended := extend_sizes t (sizes_of a) in
  let k := untiled_count t extended in
  let head := firstn k extended in
  let combined := combine_sizes t 1 (skipn k extended) in
  let ts := tile_sizes t in
  let counts := map2 ceil_div combined ts in
  let combined_array := reshape (head ++ combined) (reshape extended a) in
  let padded := pad (head ++ map2 Z.mul counts ts) combined_array in
  let cut := reshape (head ++ interleave counts ts) padded in
  bring_tiles_last k (length ts) counts ts cut.

Definition tile_arrays (ts : list tile) (a : array) : array := fold_left (fun a t => tile_array t a) ts a.

Lemma linearize_app : forall i a, InBox i a -> forall j b,
  linearize (a ++ b) (i ++ j) = linearize a i * volume b + linearize b j.
Proof. induction 1; intros; cbn [app linearize volume]; [ring |]. rewrite IHInBox, volume_app. ring. Qed.

Lemma combine_volume : forall t, ValidTile t -> forall sizes, length sizes = length t ->
  forall M, volume (combine_sizes t M sizes) = M * volume sizes.
Proof.
  induction 1; intros sizes Hlen M; destruct sizes as [| d ds]; try discriminate; cbn [combine_sizes volume].
  - destruct ds; try discriminate. cbn [combine_sizes volume]. ring.
  - rewrite IHValidTile by (simpl in Hlen; lia). ring.
  - rewrite IHValidTile by (simpl in Hlen; lia). ring.
Qed.

Lemma combine_linearize : forall t, ValidTile t -> forall index sizes, InBox index sizes -> length sizes = length t ->
  forall m M,
  linearize (combine_sizes t M sizes) (combine_index t m sizes index) = m * volume sizes + linearize sizes index.
Proof.
  induction 1; intros index sizes Hin Hlen m M; inversion Hin; subst; try discriminate; cbn [combine_sizes combine_index linearize volume].
  - match goal with H : InBox _ _ |- _ => inversion H; subst end; try discriminate. cbn [combine_sizes combine_index linearize volume]. ring.
  - rewrite IHValidTile by (auto; simpl in Hlen; lia).
    rewrite combine_volume by (auto; simpl in Hlen; lia). ring.
  - rewrite IHValidTile by (auto; simpl in Hlen; lia). ring.
Qed.

Lemma linearize_ones : forall n sizes index, linearize (repeat 1 n ++ sizes) (repeat 0 n ++ index) = linearize sizes index.
Proof. induction n; simpl; auto. Qed.

Lemma interleave_in_box : forall q a, InBox q a -> forall r b, InBox r b -> length b = length a ->
  InBox (interleave q r) (interleave a b).
Proof.
  induction 1; intros r b Hb Hl; inversion Hb; subst; try discriminate; simpl in *; repeat constructor; auto; lia.
Qed.

Lemma interleave_linearize : forall c ts counts, length c = length ts -> length counts = length ts ->
  Forall (fun t => 0 < t) ts ->
  linearize (interleave counts ts) (interleave (map2 Z.div c ts) (map2 Z.modulo c ts)) =
  linearize (map2 Z.mul counts ts) c.
Proof.
  induction c; destruct ts; destruct counts; intros; try discriminate; cbn [interleave map2 linearize volume]; auto.
  inversion H1; subst.
  assert (volume (interleave counts ts) = volume (map2 Z.mul counts ts)) as ->.
  { clear - H H0. simpl in *. assert (length counts = length ts) by lia. clear H H0. revert ts H1.
    induction counts; destruct ts; intros; try discriminate; cbn [interleave map2 volume]; auto.
    rewrite IHcounts by (simpl in H1; lia). ring. }
  rewrite IHc by (auto; simpl in *; lia).
  pose proof (Z.div_mod a z ltac:(lia)). nia.
Qed.

Lemma volume_interleave : forall counts ts, length counts = length ts ->
  volume (interleave counts ts) = volume (map2 Z.mul counts ts).
Proof.
  induction counts; destruct ts; intros; try discriminate; cbn [interleave map2 volume]; auto.
  rewrite IHcounts by (simpl in H; lia). ring.
Qed.

Lemma whole_tiles_in_box : forall c combined, InBox c combined -> forall ts, length combined = length ts ->
  Forall (fun t => 0 < t) ts -> InBox c (map2 Z.mul (map2 ceil_div combined ts) ts).
Proof.
  induction 1; intros ts Hl Ht; destruct ts; try discriminate; simpl; constructor.
  - inversion Ht; subst. unfold ceil_div.
    pose proof (Z.div_mod (size + z - 1) z ltac:(lia)). pose proof (Z.mod_pos_bound (size + z - 1) z ltac:(lia)). nia.
  - inversion Ht; subst. apply IHInBox; auto.
Qed.

Lemma firstn_of_app : forall {A} (a b : list A) n, length a = n -> firstn n (a ++ b) = a.
Proof. intros; subst. rewrite firstn_app, Nat.sub_diag, firstn_O, app_nil_r, firstn_all. reflexivity. Qed.
Lemma skipn_of_app : forall {A} (a b : list A) n, length a = n -> skipn n (a ++ b) = b.
Proof. intros; subst. rewrite skipn_app, Nat.sub_diag, skipn_all. reflexivity. Qed.

Lemma inbox_app_inv : forall a b index, InBox index (a ++ b) ->
  exists i j, index = i ++ j /\ InBox i a /\ InBox j b.
Proof.
  induction a as [| d a IH]; simpl; intros b index H.
  - exists [], index. repeat split; auto. constructor.
  - inversion H; subst. destruct (IH _ _ H4) as (i' & j & -> & Hi & Hj).
    exists (i :: i'), j. repeat split; auto. constructor; auto.
Qed.

Lemma inbox_positive : forall index sizes, InBox index sizes -> Forall (fun d => 0 < d) sizes.
Proof. induction 1; constructor; auto; lia. Qed.

Lemma app_inj_length : forall {A} (a b c d : list A), a ++ b = c ++ d -> length a = length c -> a = c /\ b = d.
Proof.
  induction a; destruct c; simpl; intros; try discriminate; auto.
  inversion H; subst. destruct (IHa _ _ _ H3 ltac:(lia)). subst. auto.
Qed.

Lemma interleave_inj : forall q r q' r', length q = length r -> length q' = length r' -> length q = length q' ->
  interleave q r = interleave q' r' -> q = q' /\ r = r'.
Proof.
  induction q; destruct r; destruct q'; destruct r'; simpl; intros; try discriminate; auto.
  inversion H2; subst. destruct (IHq r q' r') as [-> ->]; auto.
Qed.

Lemma inbox_extend_inv : forall n y sizes, InBox y (repeat 1 n ++ sizes) ->
  exists index, y = repeat 0 n ++ index /\ InBox index sizes.
Proof.
  induction n; simpl; intros y sizes H; [exists y; auto |].
  inversion H; subst. destruct (IHn _ _ H4) as (rest & -> & Hr). exists rest. split; auto.
  f_equal. lia.
Qed.

Lemma positive_of_volume : forall sizes, Forall (fun d => 0 <= d) sizes -> 0 < volume sizes ->
  Forall (fun d => 0 < d) sizes.
Proof.
  induction 1; cbn [volume]; intros Hv; constructor.
  - destruct (Z.eq_dec x 0); [subst; lia | lia].
  - apply IHForall. nia.
Qed.

Section OneTile.
Variable t : tile.
Hypothesis valid : ValidTile t.
Variable a : array.
Let extended := extend_sizes t (sizes_of a).
Let k := untiled_count t extended.
Let combined := combine_sizes t 1 (skipn k extended).
Let ts := tile_sizes t.
Let counts := map2 ceil_div combined ts.

Lemma head_length : length (firstn k extended) = k.
Proof. rewrite firstn_length. unfold k, untiled_count. lia. Qed.
Lemma combined_length : length combined = length ts.
Proof. apply combine_length; auto. apply skipn_length_tile. Qed.
Lemma counts_length : length counts = length ts.
Proof. apply map2_length, combined_length. Qed.

Theorem tile_array_sizes : sizes_of (tile_array t a) = level_sizes t (sizes_of a).
Proof.
  unfold tile_array, level_sizes, tiled_sizes. cbn [sizes_of bring_tiles_last reshape].
  fold extended k combined ts counts. rewrite firstn_of_app by apply head_length. reflexivity.
Qed.

Theorem tile_array_at : forall index, InBox index (sizes_of a) ->
  at_index (tile_array t a) (level_index t (sizes_of a) index) = at_index a index.
Proof.
  intros index H.
  assert (Hl : InBox (extend_index t (sizes_of a) index) extended) by (apply inbox_extend; exact H).
  destruct (inbox_firstn_skipn k _ _ Hl) as [Hh Hs].
  pose proof (skipn_length_tile t (sizes_of a)) as Hn. fold extended k in Hn.
  pose proof (combine_in_box t valid _ _ Hs Hn 0 1 ltac:(lia)) as Hc. fold combined in Hc.
  pose proof combined_length as Lc. pose proof counts_length as Lk.
  pose proof (tile_sizes_pos t valid) as Hpos. fold ts in Hpos.
  unfold tile_array, level_index, tiled_index. fold extended k combined ts counts.
  set (x := extend_index t (sizes_of a) index) in *.
  set (c := combine_index t 0 (skipn k extended) (skipn k x)) in *.
  assert (Lh : length (firstn k x) = k) by (rewrite (inbox_length _ _ Hh); apply head_length).
  assert (Lq : length (map2 Z.div c ts) = length ts)
    by (apply map2_length; rewrite (inbox_length _ _ Hc); exact Lc).
  unfold bring_tiles_last. cbn [at_index sizes_of reshape pad].
  rewrite (firstn_of_app (firstn k x)), (skipn_of_app (firstn k x)) by exact Lh.
  rewrite (firstn_of_app (map2 Z.div c ts)), (skipn_of_app (map2 Z.div c ts)) by exact Lq.
  assert (linearize (firstn k extended ++ interleave counts ts)
            (firstn k x ++ interleave (map2 Z.div c ts) (map2 Z.modulo c ts)) =
          linearize (firstn k extended ++ map2 Z.mul counts ts) (firstn k x ++ c)) as ->.
  { rewrite !linearize_app by exact Hh. rewrite volume_interleave, interleave_linearize; auto.
    rewrite (inbox_length _ _ Hc). exact Lc. }
  rewrite delinearize_linearize.
  2: { apply inbox_app; auto. apply whole_tiles_in_box; auto. }
  rewrite (proj2 (in_box_spec _ _)) by (apply inbox_app; auto).
  assert (linearize (firstn k extended ++ combined) (firstn k x ++ c) = linearize extended x) as ->.
  { transitivity (linearize (firstn k extended ++ skipn k extended) (firstn k x ++ skipn k x)).
    2: { rewrite !firstn_skipn. reflexivity. }
    rewrite !linearize_app by exact Hh. unfold c, combined. rewrite combine_linearize, combine_volume by auto. ring. }
  rewrite delinearize_linearize by exact Hl.
  unfold x, extended, extend_sizes, extend_index. rewrite linearize_ones, delinearize_linearize by exact H. reflexivity.
Qed.

(* Nothing else is in the tiled array: an element that it holds comes from an index of the array. *)
Theorem tile_array_only : Forall (fun d => 0 <= d) (sizes_of a) -> forall j v, InBox j (level_sizes t (sizes_of a)) ->
  at_index (tile_array t a) j = Some v ->
  exists index, InBox index (sizes_of a) /\ j = level_index t (sizes_of a) index.
Proof.
  intros Hsizes j v Hj Hv.
  pose proof combined_length as Lc. pose proof counts_length as Lk. pose proof head_length as Lh.
  pose proof (tile_sizes_pos t valid) as Hpos. fold ts in Hpos.
  pose proof (skipn_length_tile t (sizes_of a)) as Hn. fold extended k in Hn.
  unfold level_sizes, tiled_sizes in Hj. fold extended k combined ts counts in Hj.
  apply inbox_app_inv in Hj. destruct Hj as (hj & qr & -> & Hh & Hqr).
  apply inbox_app_inv in Hqr. destruct Hqr as (q & r & -> & Hq & Hr).
  assert (Lhj : length hj = k) by (rewrite (inbox_length _ _ Hh); exact Lh).
  assert (Lq : length q = length ts) by (rewrite (inbox_length _ _ Hq); exact Lk).
  unfold tile_array, bring_tiles_last in Hv. fold extended k combined ts counts in Hv. cbn [at_index sizes_of reshape pad] in Hv.
  rewrite !(firstn_of_app hj), !(skipn_of_app hj) in Hv by exact Lhj.
  rewrite !(firstn_of_app q), !(skipn_of_app q) in Hv by exact Lq.
  assert (Hi : InBox (hj ++ interleave q r) (firstn k extended ++ interleave counts ts))
    by (apply inbox_app; auto; apply interleave_in_box; auto).
  pose proof (linearize_in_bounds _ _ Hi) as Hp.
  set (p := linearize (firstn k extended ++ interleave counts ts) (hj ++ interleave q r)) in *.
  destruct (in_box (delinearize (firstn k extended ++ map2 Z.mul counts ts) p) (firstn k extended ++ combined)) eqn:Hu; [| discriminate].
  apply in_box_spec in Hu.
  set (u := delinearize (firstn k extended ++ map2 Z.mul counts ts) p) in *.
  apply inbox_app_inv in Hu. destruct Hu as (hu & c & Eu & Hhu & Hc).
  pose proof (whole_tiles_in_box _ _ Hc ts Lc Hpos) as Hw. fold counts in Hw.
  assert (Ep : linearize (firstn k extended ++ map2 Z.mul counts ts) (hu ++ c) = p).
  { rewrite <- Eu. apply linearize_delinearize.
    - apply inbox_positive with (index := hu ++ c). apply inbox_app; auto.
    - rewrite volume_app, <- volume_interleave, <- volume_app by exact Lk. exact Hp. }
  assert (Hsplit : InBox (map2 Z.div c ts) counts /\ InBox (map2 Z.modulo c ts) ts)
    by (apply split_in_box; auto).
  assert (E : hu ++ interleave (map2 Z.div c ts) (map2 Z.modulo c ts) = hj ++ interleave q r).
  { apply (linearize_injective (firstn k extended ++ interleave counts ts)); [| exact Hi |].
    - apply inbox_app; auto. apply interleave_in_box; tauto || auto.
    - fold p. rewrite <- Ep, !linearize_app by exact Hhu. rewrite volume_interleave, interleave_linearize; auto.
      rewrite (inbox_length _ _ Hc). exact Lc. }
  apply app_inj_length in E; [| rewrite (inbox_length _ _ Hhu), (inbox_length _ _ Hh); reflexivity].
  destruct E as [-> E]. apply interleave_inj in E; cycle 1.
  { rewrite (inbox_length _ _ (proj1 Hsplit)), (inbox_length _ _ (proj2 Hsplit)). exact Lk. }
  { rewrite Lq, (inbox_length _ _ Hr). reflexivity. }
  { rewrite (inbox_length _ _ (proj1 Hsplit)), Lq. exact Lk. }
  destruct E as [<- <-].
  assert (Vextended : volume (firstn k extended ++ combined) = volume extended).
  { rewrite <- (firstn_skipn k extended) at 2. rewrite !volume_app. unfold combined. rewrite combine_volume by auto. ring. }
  pose proof (linearize_in_bounds (hj ++ c) (firstn k extended ++ combined) ltac:(apply inbox_app; auto)) as Hpu.
  set (y := delinearize extended (linearize (firstn k extended ++ combined) (hj ++ c))).
  assert (Hy : InBox y extended /\ linearize extended y = linearize (firstn k extended ++ combined) (hj ++ c)).
  { apply linearize_delinearize; [| rewrite <- Vextended; exact Hpu].
    apply positive_of_volume; [| lia].
    apply Forall_app. split; [| exact Hsizes]. apply Forall_forall. intros d Hd. apply repeat_spec in Hd. lia. }
  destruct Hy as [Hy Ey].
  destruct (inbox_extend_inv (leading_count t (length (sizes_of a))) y (sizes_of a) Hy) as (index & Eindex & Hindex).
  exists index. split; [exact Hindex |].
  unfold level_index, extend_index, tiled_index. fold extended k ts. rewrite <- Eindex.
  destruct (inbox_firstn_skipn k _ _ Hy) as [Hhy Hsy].
  pose proof (combine_in_box t valid _ _ Hsy Hn 0 1 ltac:(lia)) as Hcy. fold combined in Hcy.
  assert (E : firstn k y ++ combine_index t 0 (skipn k extended) (skipn k y) = hj ++ c).
  { apply (linearize_injective (firstn k extended ++ combined)); try (apply inbox_app; auto).
    rewrite <- Ey. transitivity (linearize (firstn k extended ++ skipn k extended) (firstn k y ++ skipn k y)).
    - rewrite !linearize_app by exact Hhy. unfold combined. rewrite combine_linearize, combine_volume by auto. ring.
    - rewrite !firstn_skipn. reflexivity. }
  apply app_inj_length in E; [| rewrite (inbox_length _ _ Hhy), (inbox_length _ _ Hh); reflexivity].
  destruct E as [-> ->]. reflexivity.
Qed.
End OneTile.

Theorem tile_arrays_sizes : forall ts, Forall ValidTile ts -> forall a,
  sizes_of (tile_arrays ts a) = physical_sizes ts (sizes_of a).
Proof. induction 1; intros; simpl; auto. unfold tile_arrays in IHForall. rewrite IHForall, tile_array_sizes by auto. reflexivity. Qed.

Theorem tile_arrays_at : forall ts, Forall ValidTile ts -> forall a index, InBox index (sizes_of a) ->
  at_index (tile_arrays ts a) (physical_index ts (sizes_of a) index) = at_index a index.
Proof.
  induction 1; intros a index Hi; simpl; auto.
  rewrite <- (tile_array_at x H a index Hi). rewrite <- tile_array_sizes by auto. apply IHForall.
  rewrite tile_array_sizes by auto. apply level_in_box; auto.
Qed.

Lemma level_sizes_nonnegative : forall t, ValidTile t -> forall sizes, Forall (fun d => 0 <= d) sizes ->
  Forall (fun d => 0 <= d) (level_sizes t sizes).
Proof.
  intros t Ht sizes Hs. unfold level_sizes, tiled_sizes.
  assert (Hl : Forall (fun d => 0 <= d) (extend_sizes t sizes)).
  { apply Forall_app. split; auto. apply Forall_forall. intros d Hd. apply repeat_spec in Hd. lia. }
  rewrite <- (firstn_skipn (untiled_count t (extend_sizes t sizes)) (extend_sizes t sizes)) in Hl.
  apply Forall_app in Hl. destruct Hl as [Hf Hk].
  apply Forall_app. split; [exact Hf |].
  assert (Hc : forall t, ValidTile t -> forall l, Forall (fun d => 0 <= d) l -> forall M, 0 <= M ->
             Forall (fun d => 0 <= d) (map2 ceil_div (combine_sizes t M l) (tile_sizes t))).
  { clear. induction 1; intros l Hl M HM; destruct l as [| d ds]; simpl; auto; inversion Hl; subst.
    - constructor; auto. apply Z.div_pos; nia.
    - constructor; auto with zarith. apply Z.div_pos; nia.
    - apply IHValidTile; auto; nia. }
  apply Forall_app. split; [apply Hc; auto; lia |].
  eapply Forall_impl; [| apply tile_sizes_pos; exact Ht]. simpl. lia.
Qed.

Lemma physical_sizes_nonnegative : forall ts, Forall ValidTile ts -> forall sizes, Forall (fun d => 0 <= d) sizes ->
  Forall (fun d => 0 <= d) (physical_sizes ts sizes).
Proof. induction 1; simpl; intros; auto. apply IHForall, level_sizes_nonnegative; auto. Qed.

Theorem tile_arrays_only : forall ts, Forall ValidTile ts -> forall a, Forall (fun d => 0 <= d) (sizes_of a) ->
  forall j v, InBox j (physical_sizes ts (sizes_of a)) -> at_index (tile_arrays ts a) j = Some v ->
  exists index, InBox index (sizes_of a) /\ j = physical_index ts (sizes_of a) index.
Proof.
  induction 1; intros a Ha j v Hj Hv; simpl in *; eauto.
  rewrite <- tile_array_sizes in Hj by auto.
  assert (Hs : Forall (fun d => 0 <= d) (sizes_of (tile_array x a)))
    by (rewrite tile_array_sizes by auto; apply level_sizes_nonnegative; auto).
  destruct (IHForall _ Hs j v Hj Hv) as (i & Hi & ->).
  rewrite tile_array_sizes in * by auto.
  assert (Hat : at_index (tile_array x a) i = Some v).
  { rewrite <- Hv. unfold tile_arrays in *. change (fold_left _ l (tile_array x a)) with (tile_arrays l (tile_array x a)).
    rewrite <- tile_array_sizes by auto. symmetry. apply tile_arrays_at; auto. rewrite tile_array_sizes by auto. exact Hi. }
  destruct (tile_array_only x H a Ha i v Hi Hat) as (index & Hindex & ->).
  exists index. auto.
Qed.

(* The dimension order is a transposition. *)
Definition transpose (order : list nat) (a : array) : array :=
  {| sizes_of := permute order (sizes_of a); at_index := fun i => at_index a (unpermute order i) |}.

(* What lies at each place of memory. *)
Definition memory (l : layout) (a : array) (p : Z) : option V :=
  let b := tile_arrays (tiles l) (transpose (order l) a) in at_index b (delinearize (sizes_of b) p).

Section Memory.
Variable l : layout.
Hypothesis valid : Valid l.
Variable a : array.
Hypothesis rank : length (sizes_of a) = length (order l).

Theorem memory_at : forall index, InBox index (sizes_of a) ->
  memory l a (linear_index l (sizes_of a) index) = at_index a index.
Proof.
  intros index H. unfold memory, linear_index.
  rewrite tile_arrays_sizes by (apply tiles_valid; auto). cbn [sizes_of transpose].
  pose proof (permuted_in_box l valid (sizes_of a) rank index H) as Hp.
  rewrite delinearize_linearize by (apply physical_in_box; [apply tiles_valid; auto | exact Hp]).
  change (permute (order l) (sizes_of a)) with (sizes_of (transpose (order l) a)).
  rewrite tile_arrays_at; [| apply tiles_valid; auto | exact Hp]. cbn [at_index transpose].
  rewrite unpermute_permute; [reflexivity | apply order_permutes; auto |]. rewrite (inbox_length _ _ H). exact rank.
Qed.

Theorem memory_only : Forall (fun d => 0 <= d) (sizes_of a) -> forall p v, 0 <= p < padded_elements l (sizes_of a) ->
  memory l a p = Some v -> exists index, InBox index (sizes_of a) /\ p = linear_index l (sizes_of a) index.
Proof.
  intros Hs p v Hp Hv. pose proof (order_permutes l valid) as Ho. pose proof (tiles_valid l valid) as Ht.
  assert (Hn : Forall (fun d => 0 <= d) (sizes_of (transpose (order l) a))).
  { cbn [transpose sizes_of]. unfold permute. apply Forall_map, Forall_forall. intros d Hd.
    apply (permutation_facts (order l) Ho) in Hd.
    eapply Forall_forall; [exact Hs |]. apply nth_In. rewrite rank. exact Hd. }
  unfold memory in Hv. rewrite tile_arrays_sizes in Hv by exact Ht.
  unfold padded_elements in Hp.
  change (permute (order l) (sizes_of a)) with (sizes_of (transpose (order l) a)) in Hp.
  destruct (linearize_delinearize (physical_sizes (tiles l) (sizes_of (transpose (order l) a))) p) as [Hin E]; auto.
  { apply positive_of_volume; [| lia]. apply physical_sizes_nonnegative; auto. }
  destruct (tile_arrays_only _ Ht _ Hn _ _ Hin Hv) as (index & Hi & Ej).
  exists (unpermute (order l) index). cbn [transpose sizes_of] in *.
  split; [apply unpermute_in_box; auto |].
  unfold linear_index. rewrite permute_unpermute; [rewrite <- Ej, E; reflexivity | exact Ho |].
  rewrite (inbox_length _ _ Hi). unfold permute. apply map_length.
Qed.
End Memory.
End Arrays.

