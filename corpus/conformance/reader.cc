// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads conformance files, checks the digests of the tables that are written out, and prints what there is.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

uint64_t Fnv1a(const std::string& bytes, uint64_t digest = 0xcbf29ce484222325) {
  for (const char byte : bytes) digest = (digest ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return digest;
}

int main(int argc, char** argv) {
  for (int k = 1; k < argc; ++k) {
    std::ifstream file(argv[k]);
    std::string line;
    std::getline(file, line);
    const auto header = nlohmann::json::parse(line);
    if (header.at("format") != "layoutcheck-conformance" || header.at("version") != 1) std::abort();
    uint64_t digest = Fnv1a("");
    size_t records = 0, offsets = 0, samples = 0;
    std::map<std::string, int> verdicts = {{"accept", 0}, {"may", 0}, {"reject", 0}};
    for (; std::getline(file, line); ++records) {
      const auto record = nlohmann::json::parse(line);
      std::string table;
      for (const int64_t offset : record.value("offsets", nlohmann::json::array())) {
        for (int byte = 0; byte < 8; ++byte)
          table += static_cast<char>(static_cast<uint64_t>(offset) >> 8 * byte & 255);
        ++offsets;
      }
      const std::string stated = record.value("digest", "");
      if (record.contains("offsets") && Fnv1a(table) != std::stoull(stated, nullptr, 16)) std::abort();
      samples += record.value("samples", nlohmann::json::array()).size();
      if (record.contains("verdict")) ++verdicts[record["verdict"]];
      digest =
          Fnv1a(record.contains("layout") ? record.value("layout", "") + stated : record.value("text", ""), digest);
    }
    std::printf("%s: %zu records, %zu offsets, %zu samples", header["file"].get<std::string>().c_str(), records,
                offsets, samples);
    for (const auto& [verdict, count] : verdicts)
      std::printf("%s %s %d", verdict == "accept" ? "," : "", verdict.c_str(), count);
    std::printf(", %016llx\n", static_cast<unsigned long long>(digest));
  }
}
