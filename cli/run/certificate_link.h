// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address at which the page of web/ checks certificates: docs/page.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace layoutcheck {

// Number of characters of the longest address that is printed. A comment on GitHub has at most 65,536 characters.
inline constexpr size_t kMaxLinkSize = 32'000;

// Returns the address of the page: the environment variable LAYOUTCHECK_PAGE, or "index.html" if it is not set.
std::string PageAddress();
// Returns "index.html#certificate=eNpL...": the certificates, compressed as zlib does (RFC 1950), in base64 for
// addresses (RFC 4648, section 5) without padding.
std::string CertificateLink(std::string_view page, std::string_view certificates);

}  // namespace layoutcheck
