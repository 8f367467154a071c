// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/content_state.h"
#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>
#include "layoutcheck/core/base/sha256.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> HashOfContent(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::string chunk(size_t{1} << 16, '\0');
  while (file.read(chunk.data(), std::ssize(chunk)), file.gcount() > 0) {
    hash.Add(std::string_view(chunk).substr(0, static_cast<size_t>(file.gcount())));
  }
  if (!file.eof()) return std::nullopt;
  return hash.Digits();
}

// Returns the hash of the names and contents of all files below a folder.
std::optional<std::string> HashOfFolder(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != end(entry);
       entry.increment(error)) {
    if (!entry->is_directory(error)) paths.push_back(entry->path());
    if (error) break;
  }
  if (error) return std::nullopt;
  std::ranges::sort(paths);
  Sha256 hash;
  for (const fs::path& path : paths) {
    // The content of a folder behind a link is not read by any command.
    const bool is_link_to_folder = fs::is_directory(path, error);
    const auto state = is_link_to_folder ? std::string("link") : ContentState(path);
    if (!state) return std::nullopt;
    const std::string name = path.lexically_relative(folder).string();
    hash.Add(StrCat(name.size(), " ", name, " ", *state, "\n"));
  }
  return hash.Digits();
}

// Returns the build ID among the notes of a file that is loaded, or nothing.
std::string BuildIdOf(const dl_phdr_info& info) {
  using namespace std::string_view_literals;
  constexpr std::string_view kGnu = "GNU\0"sv;
  for (size_t k = 0; k < info.dlpi_phnum; ++k) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[k];
    if (segment.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): where a segment is loaded is known as an integer alone.
    const auto* note = reinterpret_cast<const char*>(info.dlpi_addr + segment.p_vaddr);
    const auto rounded = [](size_t size) { return (size + 3) & ~size_t{3}; };
    for (size_t left = segment.p_memsz; left >= sizeof(ElfW(Nhdr));) {
      ElfW(Nhdr) header;
      std::copy_n(note, sizeof(header), reinterpret_cast<char*>(&header));
      const size_t description = sizeof(header) + rounded(header.n_namesz);
      const size_t size = description + rounded(header.n_descsz);
      if (size > left) break;
      const std::string_view name(note + sizeof(header), header.n_namesz);
      if (header.n_type == NT_GNU_BUILD_ID && name == kGnu) {
        return Sha256Digits(std::string_view(note + description, header.n_descsz));
      }
      note += size;
      left -= size;
    }
  }
  return "";
}

int AddLoadedFile(dl_phdr_info* info, size_t, void* text) {
  const std::string id = BuildIdOf(*info);
  std::string& state = *static_cast<std::string*>(text);
  if (!id.empty()) {
    StrAppend(state, " ", id);
    return 0;
  }
  // The program itself has no name here.
  const std::string name = info->dlpi_name == nullptr || *info->dlpi_name == '\0' ? "/proc/self/exe" : info->dlpi_name;
  struct stat status = {};
  if (stat(name.c_str(), &status) != 0) return 0;  // the kernel's own page, which is no file
  StrAppend(state, " ", name, ":", status.st_size, ":", status.st_mtim.tv_sec, ".", status.st_mtim.tv_nsec);
  return 0;
}

}  // namespace

std::optional<std::string> ContentState(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return "none";
  if (status.type() == fs::file_type::none && error == std::errc::filename_too_long) return "none";
  const bool is_folder = fs::is_directory(status);
  if (!is_folder && !fs::is_regular_file(status)) return std::nullopt;
  const auto hash = is_folder ? HashOfFolder(path) : HashOfContent(path);
  if (!hash) return std::nullopt;
  return StrCat(is_folder ? "folder " : "file ", *hash);
}

const std::string& ProgramState() {
  static const std::string state = [] {
    std::string files;
    dl_iterate_phdr(AddLoadedFile, &files);
    return StrCat(LAYOUTCHECK_VERSION, " ", Sha256Digits(files));
  }();
  return state;
}

}  // namespace layoutcheck
