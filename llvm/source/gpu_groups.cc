// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/source/gpu_functions.h"

namespace layoutcheck {
namespace {

// Groups of threads, as of <cooperative_groups.h>.
constexpr std::string_view kGroups = R"(namespace cooperative_groups {
__device__ inline unsigned layoutcheck_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
struct thread_block {
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned thread_rank() const { return layoutcheck_rank(); }
  __device__ unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ unsigned num_threads() const { return size(); }
  __device__ dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
template <unsigned Size> struct thread_block_tile {
  __device__ void sync() const { layoutcheck_tile_barrier(Size); }
  __device__ unsigned thread_rank() const { return layoutcheck_rank() % Size; }
  __device__ unsigned meta_group_rank() const { return layoutcheck_rank() / Size; }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static constexpr unsigned num_threads() { return Size; }
  template <class T> LAYOUTCHECK_ANY T shfl(T value, unsigned lane) const;
  template <class T> LAYOUTCHECK_ANY T shfl_up(T value, unsigned lanes) const;
  template <class T> LAYOUTCHECK_ANY T shfl_down(T value, unsigned lanes) const;
  template <class T> LAYOUTCHECK_ANY T shfl_xor(T value, unsigned lanes) const;
  LAYOUTCHECK_ANY int any(int value) const;
  LAYOUTCHECK_ANY int all(int value) const;
  LAYOUTCHECK_ANY unsigned ballot(int value) const;
  __device__ unsigned meta_group_size() const {
    return (blockDim.x * blockDim.y * blockDim.z + Size - 1) / Size;
  }
};
__device__ inline thread_block this_thread_block() { return thread_block(); }
template <unsigned Size, class Group> __device__ inline thread_block_tile<Size> tiled_partition(const Group&) {
  return thread_block_tile<Size>();
}
template <class Group> __device__ inline void sync(const Group& group) { group.sync(); }
template <class T> struct plus {};
template <class T> struct less {};
template <class T> struct greater {};
template <class Group, class T, class F> LAYOUTCHECK_ANY T reduce(const Group& group, T value, const F& operation);
}  // namespace cooperative_groups
)";

// Products of tiles by warps, as of <mma.h>. The elements of a tile lie in the registers of a warp, a row-major tile's
// one after another in its threads: the toolkit says no order, and code must not rely on one.
constexpr std::string_view kWarpTiles = R"(namespace nvcuda { namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32 {}; }
template <class T> struct layoutcheck_element { typedef T type; };
template <> struct layoutcheck_element<precision::tf32> { typedef float type; };
template <class Use, int M, int N, int K> struct layoutcheck_tile { static constexpr int kRows = M, kColumns = N; };
template <int M, int N, int K> struct layoutcheck_tile<matrix_a, M, N, K> { static constexpr int kRows = M, kColumns = K; };
template <int M, int N, int K> struct layoutcheck_tile<matrix_b, M, N, K> { static constexpr int kRows = K, kColumns = N; };
template <class Layout> struct layoutcheck_is_column { static constexpr bool value = false; };
template <> struct layoutcheck_is_column<col_major> { static constexpr bool value = true; };
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  typedef typename layoutcheck_element<T>::type element_type;
  typedef layoutcheck_tile<Use, M, N, K> tile;
  static constexpr int num_elements = tile::kRows * tile::kColumns / 32;
  static constexpr bool kIsColumn = layoutcheck_is_column<Layout>::value;
  element_type x[num_elements];
};
__device__ inline unsigned layoutcheck_place(unsigned k, unsigned rows, unsigned columns, unsigned stride, bool is_column) {
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned element = k * 32 + thread % 32;
  return is_column ? element / rows * stride + element % rows : element / columns * stride + element % columns;
}
template <class Fragment, class T>
__device__ inline void layoutcheck_load(Fragment& tile, const T* from, unsigned stride, bool is_column) {
  for (int k = 0; k < Fragment::num_elements; ++k) {
    tile.x[k] = from[layoutcheck_place(k, Fragment::tile::kRows, Fragment::tile::kColumns, stride, is_column)];
  }
}
template <class Use, int M, int N, int K, class T, class Layout, class From>
__device__ inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& tile, const From* from, unsigned stride) {
  layoutcheck_load(tile, from, stride, fragment<Use, M, N, K, T, Layout>::kIsColumn);
}
template <int M, int N, int K, class T, class From>
__device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& tile, const From* from, unsigned stride,
                                        layout_t layout) {
  layoutcheck_load(tile, from, stride, layout == mem_col_major);
}
template <int M, int N, int K, class T, class To>
__device__ inline void store_matrix_sync(To* to, const fragment<accumulator, M, N, K, T>& tile, unsigned stride,
                                         layout_t layout) {
  for (int k = 0; k < tile.num_elements; ++k) {
    to[layoutcheck_place(k, M, N, stride, layout == mem_col_major)] = tile.x[k];
  }
}
template <class Fragment, class T> __device__ inline void fill_fragment(Fragment& tile, const T& value) {
  for (int k = 0; k < Fragment::num_elements; ++k) tile.x[k] = value;
}
template <class T> LAYOUTCHECK_ANY T layoutcheck_product(T sum);
template <class D, class A, class B, class C> __device__ inline void mma_sync(D& d, const A&, const B&, const C&) {
  for (int k = 0; k < D::num_elements; ++k) d.x[k] = layoutcheck_product<typename D::element_type>(0);
}
__device__ inline float __float_to_tf32(float value) { return value; }
} }  // namespace nvcuda::wmma
)";

}  // namespace

std::string GpuGroups() { return StrCat(kGroups, kWarpTiles); }

}  // namespace layoutcheck
