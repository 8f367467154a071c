// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/triton_layout.h"
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_strides.h"
#include "layoutcheck/core/linear/triton_encodings.h"

namespace layoutcheck {
namespace {

using Keys = std::vector<std::string_view>;

const Keys kRegisterImages = {"register", "lane", "warp", "block"};
const Keys kSharedImages = {"offset", "block"};

// An attribute with its entries. Those of `with_cluster` may say what the blocks of a cluster have as well.
struct Encoding {
  std::string_view name;
  TritonMemory memory;
  Keys keys;
  bool with_cluster = true;
  // One of these: a layout for a shape, or the inputs whose images are the entries, for which a shape may be left out.
  Expected<LinearLayout> (*layout)(TritonEntries& entries, const TritonSizes& sizes) = nullptr;
  Keys images = {};
  ImageRule rule = ImageRule::kAny;
};

constexpr std::string_view kPadded = "padded_shared";

const std::vector<Encoding>& Encodings() {
  using enum TritonMemory;
  static const std::vector<Encoding> kEncodings = {
      {"blocked", kRegisters, {"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"}, true, BlockedLayout},
      {"nvidia_mma", kRegisters, {"versionMajor", "versionMinor", "warpsPerCTA", "instrShape"}, true, NvidiaMmaLayout},
      {"amd_mfma",
       kRegisters,
       {"version", "warpsPerCTA", "instrShape", "isTransposed", "tilesPerWarp", "elementBitWidth"},
       true,
       AmdMfmaLayout},
      {"amd_wmma", kRegisters, {"version", "isTranspose", "ctaLayout", "instrShape", "rank"}, true, AmdWmmaLayout},
      {"dot_op", kRegisters, {"opIdx", "parent", "kWidth"}, false, DotOperandLayout},
      {"slice", kRegisters, {"dim", "parent"}, false, SliceLayout},
      {"linear", kRegisters, kRegisterImages, false, nullptr, kRegisterImages, ImageRule::kOneBitEach},
      {"generic_linear", kRegisters, kRegisterImages, false, nullptr, kRegisterImages, ImageRule::kOnto},
      {"swizzled_shared", kShared, {"vec", "perPhase", "maxPhase", "order"}, true, SwizzledSharedLayout},
      {"amd_rotating_shared", kShared, {"vec", "perPhase", "maxPhase", "order"}, true, RotatingSharedLayout},
      {"nvmma_shared",
       kShared,
       {"swizzlingByteWidth", "transposed", "elementBitWidth", "fp4Padded", "rank"},
       true,
       NvmmaSharedLayout},
      {"partitioned_shared",
       kShared,
       {"numPartitions", "numGroups", "partitionDim", "partitionLayout"},
       false,
       PartitionedSharedLayout},
      {"shared_linear",
       kShared,
       {"offset", "block", "alignment"},
       false,
       nullptr,
       kSharedImages,
       ImageRule::kInvertible},
      {kPadded, kShared, {"order", "shape", "offset", "block"}, false, nullptr, kSharedImages},
      {"tensor_memory_encoding",
       kTensorMemory,
       {"blockM", "blockN", "colStride", "twoCTAs", "fp4Padded"},
       true,
       TensorMemoryLayout},
      {"tensor_memory_scales_encoding", kTensorMemory, {"blockRepOrder"}, true, TensorMemoryScalesLayout},
  };
  return kEncodings;
}

// Returns the attribute's encoding after a look at its entries. Errors: those of ParseTritonLayout.
Expected<const Encoding*> FindEncoding(const TritonAttribute& attribute, TritonEntries& entries) {
  const auto encoding = std::ranges::find(Encodings(), attribute.name, &Encoding::name);
  if (encoding == Encodings().end()) {
    std::vector<std::string_view> names;
    for (const Encoding& known : Encodings()) names.push_back(known.name);
    return ErrorAt(attribute.name_column,
                   UnsupportedError("expected one of the attributes ", StrJoin(names, ", "), ", found '",
                                    attribute.name, "'", DidYouMean(attribute.name, names)));
  }
  Keys keys = encoding->keys;
  if (encoding->with_cluster) keys.insert(keys.end(), {"CTAsPerCGA", "CTASplitNum", "CTAOrder", "CGALayout"});
  entries.CheckKeys(keys, encoding->name == kPadded);
  if (entries.error()) return std::unexpected(*entries.error());
  return &*encoding;
}

Expected<LinearLayout> LayoutOf(const Encoding& encoding, TritonEntries& entries,
                                const std::optional<TritonSizes>& sizes) {
  const Expected<LinearLayout> layout = encoding.layout == nullptr
                                            ? ImagesLayout(entries, encoding.images, sizes, encoding.rule)
                                            : encoding.layout(entries, *sizes);
  if (entries.error()) return std::unexpected(*entries.error());
  return layout;
}

// Returns the strides from the array to the padded offset. An offset o has o / interval * padding elements more before
// it, and these quotients add up, because intervals are powers of two and the bits of an offset are added without
// carry.
Expected<ShapeStrideLayout> PaddedShared(TritonEntries& entries, const std::optional<TritonSizes>& sizes) {
  const auto padding = entries.Padding();
  Expected<LinearLayout> plain = LinearLayout();
  if (entries.Has("shape")) {
    const TritonSizes own = entries.PowersOfTwo("shape", std::nullopt);
    if (sizes && *sizes != own) {
      entries.Wrong("shape", StrCat("expected the shape [", StrJoin(*sizes, ","), "] behind the attribute"));
    }
    Factors factors;
    for (const size_t d : entries.Order("order", own.size())) factors.MultiplyIdentity(own[d], "offset", d);
    plain = factors.product();
    if (!entries.error() && plain) plain = InStandardOrder(plain);
  } else {
    plain = ImagesLayout(entries, kSharedImages, sizes, ImageRule::kAny);
    if (plain && !plain->inputs().back().images.empty()) {
      entries.Wrong("block", "expected one block: the offsets of padded_shared are those within a block");
    }
  }
  if (entries.error()) return std::unexpected(*entries.error());
  if (!plain) return std::unexpected(plain.error());
  LAYOUTCHECK_TRY(const LinearLayout offsets, Inverse(*plain));
  uint64_t seen = 0;
  std::vector<ShapeStrideLayout> modes;
  for (const LinearInput& dimension : offsets.inputs()) {
    std::vector<uint64_t> strides;
    for (const uint64_t offset : dimension.images) {
      if ((seen & offset) != 0) {
        entries.Wrong("offset", "expected images of single bits, because padding adds up only for these");
        return std::unexpected(*entries.error());
      }
      seen |= offset;
      CheckedInt64 stride = static_cast<int64_t>(offset);
      for (const auto& [interval, elements] : padding) {
        stride = stride + CheckedInt64(static_cast<int64_t>(offset / interval)) * static_cast<int64_t>(elements);
      }
      LAYOUTCHECK_TRY(const int64_t fits, ValueOrOverflow(stride, "a padded offset"));
      strides.push_back(static_cast<uint64_t>(fits));
    }
    modes.push_back(ModeOfBits(strides));
  }
  return ConcatenateModes(modes);
}

}  // namespace

Expected<LinearLayout> LayoutOfTritonAttribute(const TritonAttribute& attribute,
                                               const std::optional<TritonSizes>& sizes, TritonMemory memory) {
  static constexpr std::array<std::string_view, 3> kPlaces = {"registers", "shared memory", "tensor memory"};
  TritonEntries entries(attribute);
  LAYOUTCHECK_TRY(const Encoding* const encoding, FindEncoding(attribute, entries));
  if (encoding->memory != memory || encoding->name == kPadded) {
    return ErrorAt(
        attribute.name_column,
        UnsupportedError("expected an attribute of ", kPlaces[static_cast<size_t>(memory)],
                         encoding->memory == memory ? " without padding" : "", ", found '", attribute.name, "'"));
  }
  return LayoutOf(*encoding, entries, sizes);
}

Expected<TritonLayout> ParseTritonLayout(std::string_view text) {
  LAYOUTCHECK_TRY(const TritonText read, ParseTritonText(text));
  TritonEntries entries(read.attribute);
  std::optional<TritonSizes> sizes;
  if (read.shape) sizes = entries.Shape(*read.shape);
  if (entries.error()) return std::unexpected(*entries.error());
  LAYOUTCHECK_TRY(const Encoding* const encoding, FindEncoding(read.attribute, entries));
  if (!sizes && encoding->layout != nullptr) {
    return SyntaxErrorAt(read.end_column, "expected the shape of the array after the attribute, such as [128,64]");
  }
  if (encoding->name == kPadded) {
    LAYOUTCHECK_TRY(ShapeStrideLayout padded, PaddedShared(entries, sizes));
    return padded;
  }
  LAYOUTCHECK_TRY(LinearLayout layout, LayoutOf(*encoding, entries, sizes));
  return layout;
}

}  // namespace layoutcheck
