(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines a tiled layout as a chain of steps between boxes, called definition C: the dimensions are permuted into
   memory order; for each tile, sizes of 1 are prepended, `*` merges two digits into one, sizes are padded, every tiled
   digit is split, and the digits are permuted so that the places within a tile come last. Each step has its own
   inverse, and only pad meets digits on the way back that no element has. core/tiling/mixed_radix.h is the same chain
   in C++.

   Proves that each step maps its box to the next one, without collisions, and that its inverse finds back exactly the
   points that it reaches; so does a chain. MixedRadixLayout.v proves that the chain of a layout and the formula of
   Layout.v are the same function. *)
Require Import ZArith List Lia Bool Permutation.
Require Import Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Injective Layoutcheck.Arrays.
Import ListNotations.
Open Scope Z_scope.

(** ** Steps *)

(* A change of the digits from some position on. *)
Inductive change :=
| Merge                    (* the first two digits become one *)
| Pad (tile : list Z)      (* each size becomes a multiple of its tile size *)
| Split (tile : list Z).   (* each digit x becomes x / t and x mod t *)

Inductive step :=
| Permute (source : list nat)  (* digit k comes from digit source[k] *)
| Prepend (count : nat)        (* digits 0 of size 1 *)
| At (first : nat) (c : change).

Definition change_sizes (c : change) (sizes : list Z) : list Z :=
  match c, sizes with
  | Merge, a :: b :: rest => a * b :: rest
  | Merge, _ => sizes
  | Pad tile, _ => map2 Z.mul (map2 ceil_div sizes tile) tile
  | Split tile, _ => interleave (map2 Z.div sizes tile) tile
  end.
Definition change_forward (c : change) (sizes index : list Z) : list Z :=
  match c, sizes, index with
  | Merge, _ :: b :: _, i :: j :: rest => i * b + j :: rest
  | Merge, _, _ => index
  | Pad _, _, _ => index
  | Split tile, _, _ => interleave (map2 Z.div index tile) (map2 Z.modulo index tile)
  end.

(* Takes [q1; r1; q2; r2; ...] back to [q1 * t1 + r1; ...]. *)
Fixpoint join (tile point : list Z) : list Z :=
  match tile, point with
  | t :: rest, q :: r :: tail => q * t + r :: join rest tail
  | _, _ => []
  end.

(* The inverse. Returns None where pad made room that no element has. *)
Definition change_backward (c : change) (sizes point : list Z) : option (list Z) :=
  match c, sizes, point with
  | Merge, _ :: b :: _, x :: rest => Some (x / b :: x mod b :: rest)
  | Merge, _, _ => Some point
  | Pad _, _, _ => if in_box point sizes then Some point else None
  | Split tile, _, _ => Some (join tile point)
  end.

Definition next_sizes (s : step) (sizes : list Z) : list Z :=
  match s with
  | Permute source => permute source sizes
  | Prepend count => repeat 1 count ++ sizes
  | At first c => firstn first sizes ++ change_sizes c (skipn first sizes)
  end.
Definition forward (s : step) (sizes index : list Z) : list Z :=
  match s with
  | Permute source => permute source index
  | Prepend count => repeat 0 count ++ index
  | At first c => firstn first index ++ change_forward c (skipn first sizes) (skipn first index)
  end.
Definition backward (s : step) (sizes point : list Z) : option (list Z) :=
  match s with
  | Permute source => Some (unpermute source point)
  | Prepend count => Some (skipn count point)
  | At first c =>
      match change_backward c (skipn first sizes) (skipn first point) with
      | Some tail => Some (firstn first point ++ tail)
      | None => None
      end
  end.

(** ** Chains *)

Fixpoint chain_sizes (steps : list step) (sizes : list Z) : list Z :=
  match steps with
  | [] => sizes
  | s :: rest => chain_sizes rest (next_sizes s sizes)
  end.
Fixpoint chain_forward (steps : list step) (sizes index : list Z) : list Z :=
  match steps with
  | [] => index
  | s :: rest => chain_forward rest (next_sizes s sizes) (forward s sizes index)
  end.
Fixpoint chain_backward (steps : list step) (sizes point : list Z) : option (list Z) :=
  match steps with
  | [] => Some point
  | s :: rest =>
      match chain_backward rest (next_sizes s sizes) point with
      | Some before => backward s sizes before
      | None => None
      end
  end.

(* The steps for the `*` of a tile whose first digit is at `position`. *)
Fixpoint merges (t : tile) (position : nat) : list step :=
  match t with
  | [] => []
  | None :: entries => At position Merge :: merges entries position
  | Some _ :: entries => merges entries (S position)
  end.

(* After `first` digits, n counts and n places in turns become the counts, then the places. *)
Definition places_last (first n : nat) : list nat :=
  seq 0 first ++
  map (Nat.add first) (map (fun k => (2 * k)%nat) (seq 0 n) ++ map (fun k => (2 * k + 1)%nat) (seq 0 n)).

Definition tile_steps (t : tile) (rank : nat) : list step :=
  let first := (rank - length t)%nat in
  let ts := tile_sizes t in
  Prepend (leading_count t rank) :: merges t first ++
  [At first (Pad ts); At first (Split ts); Permute (places_last first (length ts))].

Fixpoint tiles_steps (ts : list tile) (sizes : list Z) : list step :=
  match ts with
  | [] => []
  | t :: rest =>
      let steps := tile_steps t (length sizes) in
      steps ++ tiles_steps rest (chain_sizes steps sizes)
  end.

Definition layout_steps (l : layout) (sizes : list Z) : list step :=
  Permute (order l) :: tiles_steps (tiles l) (permute (order l) sizes).

(* Returns ((i0 * d1 + i1) * d2 + i2) ...; `major` is the number so far, 0 at the beginning. *)
Fixpoint horner (major : Z) (sizes index : list Z) : Z :=
  match sizes, index with
  | d :: rest, i :: tail => horner (major * d + i) rest tail
  | _, _ => major
  end.

Definition chain_linear_index (l : layout) (sizes index : list Z) : Z :=
  let steps := layout_steps l sizes in horner 0 (chain_sizes steps sizes) (chain_forward steps sizes index).

(* Returns the index of the element at place `p`, or None where there is padding. *)
Definition coordinate (l : layout) (sizes : list Z) (p : Z) : option (list Z) :=
  let steps := layout_steps l sizes in chain_backward steps sizes (delinearize (chain_sizes steps sizes) p).

(** ** Each step is right *)

Definition ChangeFits (c : change) (sizes : list Z) : Prop :=
  match c with
  | Merge => (2 <= length sizes)%nat
  | Pad tile => length sizes = length tile /\ Forall (fun t => 0 < t) tile
  | Split tile => length sizes = length tile /\ Forall (fun t => 0 < t) tile /\
                  map2 Z.mul (map2 Z.div sizes tile) tile = sizes
  end.
Definition Fits (s : step) (sizes : list Z) : Prop :=
  match s with
  | Permute source => length sizes = length source /\ Permutation source (seq 0 (length source))
  | Prepend _ => True
  | At first c => (first <= length sizes)%nat /\ ChangeFits c (skipn first sizes)
  end.

Definition Nonnegative := Forall (fun d => 0 <= d).

(* A step is right if it maps one box into the next and its inverse finds back exactly the points that it reaches. *)
Definition Right (sizes next : list Z) (f : list Z -> list Z) (g : list Z -> option (list Z)) : Prop :=
  (Nonnegative sizes -> Nonnegative next) /\
  (forall i, InBox i sizes -> InBox (f i) next /\ g (f i) = Some i) /\
  (Nonnegative sizes -> forall p i, InBox p next -> g p = Some i -> InBox i sizes /\ f i = p).

Lemma join_interleave : forall c ts, length c = length ts -> Forall (fun t => 0 < t) ts ->
  join ts (interleave (map2 Z.div c ts) (map2 Z.modulo c ts)) = c.
Proof.
  induction c; destruct ts; simpl; intros; try discriminate; auto. inversion H0; subst.
  f_equal; [pose proof (Z.div_mod a z ltac:(lia)); lia | auto].
Qed.

Lemma split_exact : forall index sizes, InBox index sizes -> forall ts, Forall (fun t => 0 < t) ts ->
  map2 Z.mul (map2 Z.div sizes ts) ts = sizes -> length sizes = length ts ->
  InBox (interleave (map2 Z.div index ts) (map2 Z.modulo index ts)) (interleave (map2 Z.div sizes ts) ts).
Proof.
  induction 1; intros ts Ht E Hl; destruct ts; try discriminate; simpl in *; [constructor |].
  inversion Ht; subst. injection E as E1 E2. constructor; [| constructor].
  - split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia].
  - apply Z.mod_pos_bound; lia.
  - apply IHInBox; auto; lia.
Qed.

Lemma join_right : forall ts sizes p, Forall (fun t => 0 < t) ts -> length sizes = length ts ->
  map2 Z.mul (map2 Z.div sizes ts) ts = sizes -> InBox p (interleave (map2 Z.div sizes ts) ts) ->
  InBox (join ts p) sizes /\ interleave (map2 Z.div (join ts p) ts) (map2 Z.modulo (join ts p) ts) = p.
Proof.
  induction ts as [| t ts IH]; intros sizes p Ht Hl E H; destruct sizes as [| d sizes]; try discriminate.
  - inversion H; subst. split; [constructor | reflexivity].
  - cbn [map2 interleave] in *. inversion Ht; subst. injection E as E1 E2.
    inversion H as [| q ? ? ? Hq Htail]; subst. inversion Htail as [| r p' ? ? Hr Hrest]; subst.
    cbn [join map2 interleave].
    destruct (IH sizes p' ltac:(auto) ltac:(simpl in Hl; lia) E2 Hrest) as [Hin Eq].
    rewrite div_of_sum, mod_of_sum, Eq by lia. split; [constructor; [nia | exact Hin] | reflexivity].
Qed.

Lemma nonnegative_div : forall sizes ts, Nonnegative sizes -> Forall (fun t => 0 < t) ts ->
  Nonnegative (interleave (map2 Z.div sizes ts) ts).
Proof.
  unfold Nonnegative. intros sizes ts H. revert ts. induction H; intros ts Ht; destruct ts; simpl; auto.
  inversion Ht; subst. repeat constructor; auto; [apply Z.div_pos |]; lia.
Qed.

Lemma nonnegative_pad : forall sizes ts, Nonnegative sizes -> Forall (fun t => 0 < t) ts ->
  Nonnegative (map2 Z.mul (map2 ceil_div sizes ts) ts).
Proof.
  unfold Nonnegative, ceil_div. intros sizes ts H. revert ts. induction H; intros ts Ht; destruct ts; simpl; auto.
  inversion Ht; subst. constructor; auto. apply Z.mul_nonneg_nonneg; [apply Z.div_pos |]; lia.
Qed.

Lemma change_right : forall c sizes, ChangeFits c sizes ->
  Right sizes (change_sizes c sizes) (change_forward c sizes) (change_backward c sizes).
Proof.
  intros c sizes F. destruct c as [| ts | ts]; simpl in F.
  - destruct sizes as [| a [| b rest]]; simpl in F; try lia. split; [| split].
    + intros H. inversion H; subst. inversion H3; subst. constructor; [nia | assumption].
    + intros x H. inversion H as [| i ? ? ? Hi Htail]; subst. inversion Htail as [| j ? ? ? Hj Hrest]; subst.
      cbn [change_forward change_backward change_sizes]. rewrite div_of_sum, mod_of_sum by lia.
      split; [constructor; [nia | assumption] | reflexivity].
    + intros Hn p x H E. inversion Hn; subst. inversion H3; subst. inversion H as [| y ? ? ? Hy Htail]; subst.
      cbn [change_backward] in E. injection E as <-. cbn [change_forward].
      assert (0 < b) by nia. pose proof (Z.div_mod y b ltac:(lia)). pose proof (Z.mod_pos_bound y b ltac:(lia)).
      split; [| f_equal; lia].
      constructor; [| constructor; [lia | assumption]].
      split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia].
  - destruct F as [Hl Ht]. split; [| split].
    + intros H. apply nonnegative_pad; assumption.
    + intros x H. cbn [change_forward change_backward change_sizes].
      rewrite (proj2 (in_box_spec _ _) H). split; [apply whole_tiles_in_box; auto | reflexivity].
    + intros _ p x H E. cbn [change_backward] in E. destruct (in_box p sizes) eqn:B; [| discriminate].
      injection E as <-. apply in_box_spec in B. auto.
  - destruct F as (Hl & Ht & E). split; [| split].
    + intros H. apply nonnegative_div; assumption.
    + intros x H. cbn [change_forward change_backward change_sizes].
      rewrite join_interleave by (try rewrite (inbox_length _ _ H); auto).
      split; [apply split_exact; auto | reflexivity].
    + intros _ p x H Ex. cbn [change_backward change_forward change_sizes] in *. injection Ex as <-.
      apply join_right; auto.
Qed.

Lemma step_right : forall s sizes, Fits s sizes -> Right sizes (next_sizes s sizes) (forward s sizes) (backward s sizes).
Proof.
  intros s sizes F. destruct s as [source | count | first c]; simpl in F.
  - destruct F as [Hl Hp]. destruct (permutation_facts source Hp) as [_ Hin]. split; [| split].
    + intros H. simpl. unfold Nonnegative, permute. apply Forall_map, Forall_forall. intros d Hd.
      apply Hin in Hd. eapply Forall_forall; [exact H |]. apply nth_In. lia.
    + intros x H. simpl. split.
      * apply permute_in_box; auto. apply Forall_forall. intros d Hd. apply Hin in Hd. lia.
      * rewrite unpermute_permute; auto. rewrite (inbox_length _ _ H). exact Hl.
    + intros _ p x H E. cbn [backward forward next_sizes] in *. injection E as <-. split.
      * apply unpermute_in_box; auto.
      * apply permute_unpermute; auto. rewrite (inbox_length _ _ H). unfold permute. apply map_length.
  - split; [| split]; cbn [backward forward next_sizes].
    + intros H. apply Forall_app. split; auto. apply Forall_forall. intros d Hd. apply repeat_spec in Hd. lia.
    + intros x H. split; [apply inbox_extend; auto |]. rewrite skipn_of_app; auto using repeat_length.
    + intros _ p x H E. destruct (inbox_extend_inv _ _ _ H) as (index & -> & Hi).
      rewrite skipn_of_app in E by apply repeat_length. injection E as <-. auto.
  - destruct F as [Hf F]. destruct (change_right c _ F) as (Hn & Hr & Hb).
    assert (Lf : length (firstn first sizes) = first) by (rewrite firstn_length; lia).
    split; [| split]; cbn [backward forward next_sizes].
    + intros H. rewrite <- (firstn_skipn first sizes) in H. apply Forall_app in H. destruct H.
      apply Forall_app. split; auto. apply Hn. assumption.
    + intros x H. destruct (inbox_firstn_skipn first _ _ H) as [H1 H2]. destruct (Hr _ H2) as [Hin E].
      assert (length (firstn first x) = first) by (rewrite (inbox_length _ _ H1); exact Lf).
      rewrite firstn_of_app, skipn_of_app, E by assumption. rewrite firstn_skipn.
      split; [apply inbox_app; assumption | reflexivity].
    + intros Hs p x H E. apply inbox_app_inv in H. destruct H as (p1 & p2 & -> & H1 & H2).
      assert (length p1 = first) by (rewrite (inbox_length _ _ H1); exact Lf).
      rewrite firstn_of_app, skipn_of_app in E by assumption.
      destruct (change_backward c (skipn first sizes) p2) as [tail |] eqn:B; [| discriminate]. injection E as <-.
      assert (Hs2 : Nonnegative (skipn first sizes)).
      { rewrite <- (firstn_skipn first sizes) in Hs. apply Forall_app in Hs. apply Hs. }
      destruct (Hb Hs2 _ _ H2 B) as [Hin E]. rewrite firstn_of_app, skipn_of_app, E by assumption.
      split; [| reflexivity]. rewrite <- (firstn_skipn first sizes). apply inbox_app; assumption.
Qed.

Fixpoint ChainFits (steps : list step) (sizes : list Z) : Prop :=
  match steps with
  | [] => True
  | s :: rest => Fits s sizes /\ ChainFits rest (next_sizes s sizes)
  end.

Lemma chain_right : forall steps sizes, ChainFits steps sizes ->
  Right sizes (chain_sizes steps sizes) (chain_forward steps sizes) (chain_backward steps sizes).
Proof.
  induction steps as [| s rest IH]; simpl; intros sizes F.
  - split; [auto | split]; intros; [auto |]. injection H1 as <-. auto.
  - destruct F as [F1 F2]. destruct (step_right s sizes F1) as (N1 & R1 & B1). destruct (IH _ F2) as (N2 & R2 & B2).
    split; [auto | split].
    + intros i H. destruct (R1 i H) as [Hin E]. destruct (R2 _ Hin) as [Hin2 E2]. rewrite E2. auto.
    + intros Hn p i H E. destruct (chain_backward rest (next_sizes s sizes) p) as [x |] eqn:B; [| discriminate].
      destruct (B2 (N1 Hn) _ _ H B) as [Hx Ex]. destruct (B1 Hn _ _ Hx E) as [Hi Ei]. rewrite Ei. auto.
Qed.
