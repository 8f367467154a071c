(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception *)
(* Defines shape:stride layouts as functions, as CuTe's document "CuTe Layouts" does (https://github.com/NVIDIA/cutlass,
   media/docs/cpp/cute/01_layout.md): a layout is a nested tuple of modes size:stride; a coordinate is a number, or a
   tuple with one coordinate per mode. A number is taken apart colexicographically, the first mode fastest. The offset
   is the sum of coordinate times stride over all modes.

   Proves that offsets are below the cosize if no stride is negative, and that different coordinates have different
   offsets if, in some order of the modes, the magnitude of each stride is larger than what the ones after it reach
   together. *)
Require Import ZArith List Lia Permutation.
Require Import Layoutcheck.Box Layoutcheck.Layout Layoutcheck.Injective.
Import ListNotations.
Open Scope Z_scope.

Inductive shape_stride :=
| Mode (size stride : Z)
| Tuple (modes : list shape_stride).

Inductive coordinate :=
| Number (n : Z)
| Coordinates (components : list coordinate).

(* Returns the sizes, or strides, of all modes from left to right. *)
Fixpoint sizes (l : shape_stride) : list Z :=
  match l with
  | Mode size _ => [size]
  | Tuple modes => flat_map sizes modes
  end.
Fixpoint strides (l : shape_stride) : list Z :=
  match l with
  | Mode _ stride => [stride]
  | Tuple modes => flat_map strides modes
  end.

(* Returns the number of coordinates. *)
Definition size (l : shape_stride) : Z := volume (sizes l).

(* Takes a number apart. The last digit is what is left. *)
Fixpoint digits (sizes : list Z) (n : Z) : list Z :=
  match sizes with
  | [] => []
  | [_] => [n]
  | d :: rest => n mod d :: digits rest (n / d)
  end.

(* Returns one number per mode. *)
Fixpoint flat (l : shape_stride) (c : coordinate) {struct c} : list Z :=
  match c, l with
  | Number n, _ => digits (sizes l) n
  | Coordinates components, Tuple modes =>
      (fix each (modes : list shape_stride) (components : list coordinate) {struct components} :=
         match modes, components with
         | m :: ms, c :: cs => flat m c ++ each ms cs
         | _, _ => []
         end) modes components
  | Coordinates _, Mode _ _ => []
  end.

Fixpoint dot (a b : list Z) : Z :=
  match a, b with
  | x :: a', y :: b' => x * y + dot a' b'
  | _, _ => 0
  end.

(* Returns the offset of a coordinate: CuTe's crd2idx. *)
Definition offset (l : shape_stride) (c : coordinate) : Z := dot (flat l c) (strides l).

(* Returns the largest offset of modes without negative strides. *)
Definition reach (sizes strides : list Z) : Z := dot (map (fun d => d - 1) sizes) strides.
Definition cosize (l : shape_stride) : Z := reach (sizes l) (strides l) + 1.

(* A coordinate fits a layout if its numbers are below the sizes of the modes that they stand for. *)
Inductive Within : shape_stride -> coordinate -> Prop :=
| WithinNumber : forall l n, 0 <= n < size l -> Within l (Number n)
| WithinTuple : forall modes components, Forall2 Within modes components -> Within (Tuple modes) (Coordinates components).

(* The magnitude of each stride is larger than what the modes after it reach together. Modes of size 1 may have any stride. *)
Fixpoint Descending (sizes strides : list Z) : Prop :=
  match sizes, strides with
  | d :: ds, s :: ss => (d = 1 \/ reach ds (map Z.abs ss) < Z.abs s) /\ Descending ds ss
  | _, _ => True
  end.
(* So it is in some order of the modes. *)
Definition StridesDominate (l : shape_stride) : Prop := exists o,
  Permutation o (seq 0 (length (sizes l))) /\ Descending (permute o (sizes l)) (permute o (strides l)).

(** ** A number is one coordinate per mode *)

Lemma positive_sizes : forall s, Forall (fun d => 0 < d) s -> 0 < volume s.
Proof. induction 1; cbn [volume]; [lia | nia]. Qed.

Lemma digits_in_box : forall s, Forall (fun d => 0 < d) s -> forall n, 0 <= n < volume s -> InBox (digits s n) s.
Proof.
  induction 1 as [| d s Hd Hs IH]; intros n Hn; [constructor |]. cbn [volume] in Hn.
  destruct s as [| e s]; [cbn in *; constructor; [lia | constructor] |].
  cbn [digits] in *. constructor; [apply Z.mod_pos_bound; lia |]. apply IH.
  split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia].
Qed.

Lemma digits_injective : forall s, Forall (fun d => 0 < d) s -> forall m n, 0 <= m < volume s -> 0 <= n < volume s ->
  digits s m = digits s n -> m = n.
Proof.
  induction 1 as [| d s Hd Hs IH]; intros m n Hm Hn E; [cbn in *; lia |]. cbn [volume] in *.
  destruct s as [| e s]; [cbn in *; congruence |]. cbn [digits] in E. injection E as E1 E2.
  assert (m / d = n / d).
  { apply IH; [| | exact E2]; (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]). }
  rewrite (Z.div_mod m d), (Z.div_mod n d) by lia. congruence.
Qed.

(* Each coordinate is in the box of all modes. *)
Lemma flat_in_box : forall c l, Forall (fun d => 0 < d) (sizes l) -> Within l c -> InBox (flat l c) (sizes l).
Proof.
  fix IH 1. intros [n | components] l Hs H.
  - cbn [flat]. apply digits_in_box; [exact Hs | inversion H; assumption].
  - assert (exists modes, l = Tuple modes /\ Forall2 Within modes components) as (modes & -> & F)
      by (inversion H; eauto).
    clear H. revert modes Hs F. induction components as [| c components IHc]; intros modes Hs F; inversion F; subst.
    + constructor.
    + cbn [sizes flat_map] in *. apply Forall_app in Hs. destruct Hs as [Hm Hms]. cbn [flat].
      apply inbox_app; [apply IH; assumption |]. apply (IHc l Hms). assumption.
Qed.

(** ** Bounds and injectivity *)

Lemma dot_bounds : forall i s, InBox i s -> forall r, length r = length s -> Forall (fun x => 0 <= x) r ->
  0 <= dot i r <= reach s r.
Proof.
  unfold reach. induction 1; intros r Hl Hr; destruct r as [| x r]; try discriminate; cbn [dot map]; [lia |].
  inversion Hr; subst. specialize (IHInBox r ltac:(simpl in Hl; lia) H4). nia.
Qed.

Lemma dot_difference : forall i s, InBox i s -> forall j r, InBox j s -> length r = length s ->
  Z.abs (dot i r - dot j r) <= reach s (map Z.abs r).
Proof.
  unfold reach. induction 1 as [| i index d ds Hi H IH]; intros j r Hj Hl; inversion Hj; subst; cbn [dot map]; [lia |].
  destruct r as [| x r]; try discriminate. cbn [dot map].
  match goal with Hj : InBox ?j ds |- _ => specialize (IH j r Hj ltac:(simpl in Hl; lia)) end.
  match goal with |- Z.abs (i * x + ?a - (?k * x + ?b)) <= _ =>
    replace (i * x + a - (k * x + b)) with ((i - k) * x + (a - b)) by ring;
    pose proof (Z.abs_triangle ((i - k) * x) (a - b)); rewrite Z.abs_mul in *;
    assert (Z.abs (i - k) * Z.abs x <= (d - 1) * Z.abs x) by (apply Z.mul_le_mono_nonneg_r; lia) end.
  lia.
Qed.

Lemma dot_injective : forall i s, InBox i s -> forall j r, InBox j s -> length r = length s ->
  Descending s r -> dot i r = dot j r -> i = j.
Proof.
  induction 1 as [| i index d ds Hi H IH]; intros j r Hj Hl D E; inversion Hj; subst; [reflexivity |].
  destruct r as [| x r]; try discriminate. cbn [dot Descending] in *. destruct D as [D1 D2].
  match goal with Hj : InBox ?j ds |- _ => pose proof (dot_difference _ _ H j r Hj ltac:(simpl in Hl; lia)) end.
  assert (i = i0) as ->.
  { destruct D1 as [-> | D1]; [lia |]. destruct (Z.eq_dec i i0) as [| Hne]; [assumption | exfalso].
    assert (Z.abs (i - i0) * Z.abs x <= reach ds (map Z.abs r)).
    { rewrite <- Z.abs_mul. replace ((i - i0) * x) with (- (dot index r - dot index0 r)) by lia.
      rewrite Z.abs_opp. assumption. }
    assert (1 * Z.abs x <= Z.abs (i - i0) * Z.abs x) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
  f_equal. apply (IH index0 r); auto; simpl in Hl; lia.
Qed.

Fixpoint sum (l : list Z) : Z := match l with [] => 0 | x :: rest => x + sum rest end.

Lemma sum_permutation : forall a b, Permutation a b -> sum a = sum b.
Proof. induction 1; simpl; lia. Qed.

Lemma dot_sum : forall a b, length b = length a ->
  dot a b = sum (map (fun d => nth d a 0 * nth d b 0) (seq 0 (length a))).
Proof.
  induction a; destruct b; intros Hl; try discriminate; [reflexivity |].
  cbn [length seq map sum dot nth]. rewrite <- seq_shift, map_map, IHa by (simpl in Hl; lia). reflexivity.
Qed.

Lemma dot_permute : forall o a b, length b = length a -> Permutation o (seq 0 (length a)) ->
  dot (permute o a) (permute o b) = dot a b.
Proof.
  intros o a b Hl Hp. rewrite (dot_sum a b Hl).
  transitivity (sum (map (fun d => nth d a 0 * nth d b 0) o)).
  - unfold permute. clear. induction o; cbn [map dot sum]; [reflexivity | rewrite IHo; reflexivity].
  - apply sum_permutation, Permutation_map, Hp.
Qed.

Lemma strides_length : forall l, length (strides l) = length (sizes l).
Proof.
  fix IH 1. destruct l as [d s | modes]; [reflexivity |]. cbn [strides sizes].
  induction modes as [| m modes IHm]; [reflexivity |]. cbn [flat_map]. rewrite !app_length, IHm, IH. reflexivity.
Qed.

Theorem offset_in_bounds : forall l, Forall (fun d => 0 < d) (sizes l) -> Forall (fun s => 0 <= s) (strides l) ->
  forall c, Within l c -> 0 <= offset l c < cosize l.
Proof.
  intros l Hs Hr c H. unfold offset, cosize.
  pose proof (dot_bounds _ _ (flat_in_box c l Hs H) (strides l) (strides_length l) Hr). lia.
Qed.

Theorem offset_injective : forall l, Forall (fun d => 0 < d) (sizes l) -> StridesDominate l -> forall a b, Within l a -> Within l b -> offset l a = offset l b -> flat l a = flat l b.
Proof.
  intros l Hs (o & Hp & D) a b Ha Hb E. unfold offset in E.
  apply flat_in_box in Ha, Hb; try assumption.
  assert (Lo : length o = length (sizes l)) by (rewrite (Permutation_length Hp), seq_length; reflexivity).
  assert (Ho : Permutation o (seq 0 (length o))) by (rewrite Lo; exact Hp).
  assert (Hin : forall d, In d o -> (d < length (sizes l))%nat) by (intros d Hd; apply permutation_facts in Hd; lia || auto).
  rewrite <- (dot_permute o), <- (dot_permute o (flat l b)) in E;
    try (rewrite ?(inbox_length _ _ Ha), ?(inbox_length _ _ Hb); auto using strides_length).
  apply (dot_injective _ (permute o (sizes l))) in E; [| | | | exact D].
  - rewrite <- (unpermute_permute o (flat l a) Ho), <- (unpermute_permute o (flat l b) Ho), E; auto;
      rewrite ?(inbox_length _ _ Ha), ?(inbox_length _ _ Hb); auto.
  - apply permute_in_box; [exact Ha |]. apply Forall_forall. exact Hin.
  - apply permute_in_box; [exact Hb |]. apply Forall_forall. exact Hin.
  - unfold permute. rewrite !map_length. reflexivity.
Qed.

Theorem number_injective : forall l, Forall (fun d => 0 < d) (sizes l) -> StridesDominate l -> forall m n, 0 <= m < size l -> 0 <= n < size l ->
  offset l (Number m) = offset l (Number n) -> m = n.
Proof.
  intros l Hs D m n Hm Hn E. apply (digits_injective (sizes l) Hs); auto.
  apply (offset_injective l Hs D (Number m) (Number n)) in E; auto; constructor; assumption.
Qed.
