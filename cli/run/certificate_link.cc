// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/certificate_link.h"
#include <zlib.h>
#include <cstdint>
#include <cstdlib>
#include <new>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::string Compressed(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string packed(size, '\0');
  const auto* const source = reinterpret_cast<const Bytef*>(text.data());
  // Memory is all that compress2 can lack here.
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, source, static_cast<uLong>(text.size()),
                Z_BEST_COMPRESSION) != Z_OK) {
    throw std::bad_alloc();
  }
  packed.resize(size);
  return packed;
}

std::string Base64ForAddresses(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  for (size_t begin = 0; begin < bytes.size(); begin += 3) {
    const std::string_view group = bytes.substr(begin, 3);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < group.size() ? static_cast<uint8_t>(group[k]) : 0U);
    for (size_t k = 0; k <= group.size(); ++k) text += kDigits[bits >> (18 - 6 * k) & 63];
  }
  return text;
}

}  // namespace

std::string PageAddress() {
  const char* const address = std::getenv("LAYOUTCHECK_PAGE");
  return address == nullptr || *address == '\0' ? "index.html" : address;
}

std::string CertificateLink(std::string_view page, std::string_view certificates) {
  return StrCat(page, "#certificate=", Base64ForAddresses(Compressed(certificates)));
}

}  // namespace layoutcheck
