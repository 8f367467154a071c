// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/relayout/bit_packing.h"

namespace layoutcheck {
namespace {

// The number of elements of kBits bits per byte, and the mask of one element.
template <int kBits>
constexpr size_t kPerByte = 8 / kBits;
template <int kBits>
constexpr unsigned kMask = (1U << kBits) - 1;

template <int kBits>
std::byte PackByte(const std::byte* elements, size_t count) {
  unsigned byte = 0;
  for (size_t k = 0; k < count; ++k) {
    byte |= (std::to_integer<unsigned>(elements[k]) & kMask<kBits>) << (k * kBits);
  }
  return static_cast<std::byte>(byte);
}

template <int kBits>
void UnpackByte(std::byte byte, std::byte* elements, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    elements[k] = static_cast<std::byte>((std::to_integer<unsigned>(byte) >> (k * kBits)) & kMask<kBits>);
  }
}

template <int kBits>
void Pack(std::span<const std::byte> unpacked, std::span<std::byte> packed) {
  const size_t full = unpacked.size() / kPerByte<kBits>;
  const size_t rest = unpacked.size() % kPerByte<kBits>;
  const std::byte* elements = unpacked.data();
  for (size_t b = 0; b < full; ++b) packed[b] = PackByte<kBits>(elements + b * kPerByte<kBits>, kPerByte<kBits>);
  if (rest > 0) packed[full] = PackByte<kBits>(elements + full * kPerByte<kBits>, rest);
}

template <int kBits>
void Unpack(std::span<const std::byte> packed, std::span<std::byte> unpacked) {
  const size_t full = unpacked.size() / kPerByte<kBits>;
  const size_t rest = unpacked.size() % kPerByte<kBits>;
  std::byte* elements = unpacked.data();
  for (size_t b = 0; b < full; ++b) UnpackByte<kBits>(packed[b], elements + b * kPerByte<kBits>, kPerByte<kBits>);
  if (rest > 0) UnpackByte<kBits>(packed[full], elements + full * kPerByte<kBits>, rest);
}

Expected<void> CheckSizes(int64_t bits, size_t elements, size_t packed_bytes) {
  if (bits != 1 && bits != 2 && bits != 4) return ArgumentError("packing ", bits, " bits, expected 1, 2 or 4");
  const auto per_byte = static_cast<size_t>(8 / bits);
  const size_t expected = elements / per_byte + (elements % per_byte != 0 ? 1 : 0);
  if (packed_bytes != expected) {
    return ArgumentError(elements, " elements of ", bits, " bits take ", expected, " packed bytes, not ", packed_bytes);
  }
  return {};
}

}  // namespace

Expected<void> PackIntN(int64_t bits, std::span<const std::byte> unpacked, std::span<std::byte> packed) {
  if (Expected<void> fits = CheckSizes(bits, unpacked.size(), packed.size()); !fits) return fits;
  switch (bits) {
    case 1: Pack<1>(unpacked, packed); break;
    case 2: Pack<2>(unpacked, packed); break;
    default: Pack<4>(unpacked, packed); break;
  }
  return {};
}

Expected<void> UnpackIntN(int64_t bits, std::span<const std::byte> packed, std::span<std::byte> unpacked) {
  if (Expected<void> fits = CheckSizes(bits, unpacked.size(), packed.size()); !fits) return fits;
  switch (bits) {
    case 1: Unpack<1>(packed, unpacked); break;
    case 2: Unpack<2>(packed, unpacked); break;
    default: Unpack<4>(packed, unpacked); break;
  }
  return {};
}

}  // namespace layoutcheck
