(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines the fractal layouts of CATLASS as docs/certificates.md does, and the tiled layouts of XLA that are the same.

   Proves that they are: an element has the same place in both, and both have as many places. *)
Require Import ZArith List Lia Permutation Bool.
Require Import Layoutcheck.Box Layoutcheck.Layout.
Import ListNotations.
Open Scope Z_scope.

Inductive fractal :=
| Vector
  (* Rows, or columns, lie one after another. The length of each is rounded up to a multiple. *)
| Lines (by_rows : bool) (multiple : Z)
  (* Blocks lie row by row, or column by column, and so do the elements of a block. *)
| Blocks (height width : Z) (elements_by_rows blocks_by_rows : bool).

(* Returns where an element lies. *)
Definition fractal_offset (f : fractal) (sizes index : list Z) : Z :=
  match f, sizes, index with
  | Vector, _, [i] => i
  | Lines true m, [_; columns], [i; j] => i * (ceil_div columns m * m) + j
  | Lines false m, [rows; _], [i; j] => j * (ceil_div rows m * m) + i
  | Blocks h w elements blocks, [rows; columns], [i; j] =>
      (if blocks then i / h * ceil_div columns w + j / w else j / w * ceil_div rows h + i / h) * (h * w) +
      (if elements then i mod h * w + j mod w else j mod w * h + i mod h)
  | _, _, _ => 0
  end.

(* Returns the number of places. *)
Definition fractal_places (f : fractal) (sizes : list Z) : Z :=
  match f, sizes with
  | Vector, [n] => n
  | Lines true m, [rows; columns] => rows * (ceil_div columns m * m)
  | Lines false m, [rows; columns] => columns * (ceil_div rows m * m)
  | Blocks h w _ _, [rows; columns] => ceil_div rows h * ceil_div columns w * (h * w)
  | _, _ => 0
  end.

(* Returns the XLA layout. A tile's first entry is of the major dimension. *)
Definition tiled_layout (f : fractal) : layout :=
  match f with
  | Vector => {| minor_to_major := [0%nat]; tiles := []; alignment := 1 |}
  | Lines by_rows m =>
      {| minor_to_major := if by_rows then [1%nat; 0%nat] else [0%nat; 1%nat];
         tiles := if m =? 1 then [] else [[Some 1; Some m]]; alignment := 1 |}
  | Blocks h w elements blocks =>
      let (major, minor) := if blocks then (h, w) else (w, h) in
      {| minor_to_major := if blocks then [1%nat; 0%nat] else [0%nat; 1%nat];
         tiles := [Some major; Some minor] :: if Bool.eqb elements blocks then [] else [[Some major; Some 1]];
         alignment := 1 |}
  end.

Definition ValidFractal (f : fractal) (sizes : list Z) : Prop :=
  match f with
  | Vector => length sizes = 1%nat
  | Lines _ m => length sizes = 2%nat /\ 0 < m
  | Blocks h w _ _ => length sizes = 2%nat /\ 0 < h /\ 0 < w
  end.

Lemma ceil_by_one : forall x, ceil_div x 1 = x.
Proof. intros x. unfold ceil_div. rewrite Z.div_1_r. lia. Qed.

Lemma ceil_of_itself : forall x, 0 < x -> ceil_div x x = 1.
Proof. intros x H. unfold ceil_div. symmetry. apply Z.div_unique with (r := x - 1); lia. Qed.

Ltac compute_layout :=
  cbv beta iota zeta delta [
    linear_index padded_elements tiled_layout order minor_to_major tiles permute map nth rev app physical_sizes
    physical_index level_sizes level_index extend_sizes extend_index leading_count untiled_count tiled_sizes tiled_index
    combine_sizes combine_index tile_sizes map2 linearize volume repeat length firstn skipn Nat.sub Bool.eqb
    fractal_offset fractal_places].
Ltac simplify := rewrite ?Z.mul_0_l, ?Z.add_0_l, ?Z.mul_1_l, ?Z.mul_1_r, ?Z.add_0_r, ?ceil_by_one, ?Z.div_1_r, ?Z.mod_1_r.

Theorem fractal_is_tiled : forall f sizes, ValidFractal f sizes ->
  (forall index, InBox index sizes -> linear_index (tiled_layout f) sizes index = fractal_offset f sizes index) /\
  padded_elements (tiled_layout f) sizes = fractal_places f sizes.
Proof.
  intros [| by_rows m | h w elements blocks] sizes V; cbn [ValidFractal] in V.
  - destruct sizes as [| n [| ? ?]]; try discriminate. split; [| compute_layout; ring].
    intros index H. inversion H as [| i rest ? ? Hi Hr]; subst. inversion Hr; subst. compute_layout. ring.
  - destruct V as [V Hm]. destruct sizes as [| rows [| columns [| ? ?]]]; try discriminate. split.
    + intros index H. inversion H as [| i rest ? ? Hi Hr]; subst. inversion Hr as [| j nil ? ? Hj Hn]; subst.
      inversion Hn; subst. clear H Hr Hn. unfold tiled_layout.
      destruct by_rows, (Z.eqb_spec m 1) as [-> |]; compute_layout; simplify; try ring.
      * pose proof (Z.div_mod j m ltac:(lia)) as E.
        match goal with |- _ = ?a + j => transitivity (a + (m * (j / m) + j mod m)); [ring | rewrite <- E; reflexivity] end.
      * pose proof (Z.div_mod i m ltac:(lia)) as E.
        match goal with |- _ = ?a + i => transitivity (a + (m * (i / m) + i mod m)); [ring | rewrite <- E; reflexivity] end.
    + unfold tiled_layout. destruct by_rows, (Z.eqb_spec m 1) as [-> |]; compute_layout; simplify; ring.
  - destruct V as (V & Hh & Hw). destruct sizes as [| rows [| columns [| ? ?]]]; try discriminate. split.
    + intros index H. inversion H as [| i rest ? ? Hi Hr]; subst. inversion Hr as [| j nil ? ? Hj Hn]; subst.
      inversion Hn; subst. clear H Hr Hn.
      destruct elements, blocks; compute_layout; simplify; rewrite ?ceil_of_itself by assumption;
        rewrite ?Z.mod_mod by lia; rewrite ?(Z.div_small (i mod h)), ?(Z.div_small (j mod w)) by (apply Z.mod_pos_bound; lia);
        ring.
    + destruct elements, blocks; compute_layout; simplify; rewrite ?ceil_of_itself by assumption; ring.
Qed.

(* Show that a fractal layout of the claim is valid, and that the claim's index is in its box. *)
Ltac valid_fractal := cbn [ValidFractal length]; repeat split; lia.
Ltac index_in_box := repeat (apply InBoxCons; [lia |]); apply InBoxNil.
