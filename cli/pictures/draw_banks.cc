// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/cli/pictures/accessed_banks.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr double kCell = 40;  // wide enough for "10-11", two lanes of one word
constexpr double kRow = 22;
constexpr double kLabels = 84;  // width of the labels to the left of the cells
constexpr double kLeft = SvgCanvas::kMargin + kLabels;
constexpr int64_t kLanesInRow = 32;  // of the table of lanes
constexpr size_t kMostTables = 4;
constexpr size_t kMostRows = 72;  // rows of shared memory in all phases
constexpr size_t kLabelLength = 5;

constexpr std::string_view kNotAccessed = "page swatch";
constexpr std::string_view kOneWord = "s2";
constexpr std::string_view kSeveralWords = "s3";

int64_t RowOf(int64_t word) { return word / kBanks; }
int64_t BankOf(int64_t word) { return word % kBanks; }
int64_t WordsOfLane(const AccessedBanks& banks) { return std::max<int64_t>(1, banks.bytes / kBankBytes); }

// Returns "5", "4-7" or, for other lanes, "0+3": the first one and the number of the others.
std::string LanesLabel(std::span<const int64_t> lanes) {
  if (lanes.size() == 1) return StrCat(lanes[0]);
  const bool adjacent = lanes.back() - lanes.front() == static_cast<int64_t>(lanes.size()) - 1;
  std::string label =
      StrCat(lanes.front(), adjacent ? "-" : "+", adjacent ? lanes.back() : static_cast<int64_t>(lanes.size()) - 1);
  return label.size() <= kLabelLength ? label : StrCat(lanes.front(), "+");
}

// A phase with all words that it needs.
struct PhaseWords {
  const AccessPhase* phase = nullptr;
  std::map<int64_t, std::vector<int64_t>> lanes;        // by word
  std::map<int64_t, std::array<int64_t, kBanks>> rows;  // by row: the words of it that are needed, or -1
  std::array<int64_t, kBanks> needed{};                 // words per bank
};

PhaseWords WordsOf(const AccessedBanks& banks, const AccessPhase& phase) {
  PhaseWords words;
  words.phase = &phase;
  for (int64_t lane = phase.first_lane; lane < phase.first_lane + phase.lane_count; ++lane) {
    const int64_t first = banks.addresses[static_cast<size_t>(lane)] / kBankBytes;
    for (int64_t word = first; word < first + WordsOfLane(banks); ++word) words.lanes[word].push_back(lane);
  }
  for (const auto& [word, lanes] : words.lanes) {
    const auto [row, is_new] = words.rows.try_emplace(RowOf(word));
    if (is_new) row->second.fill(-1);
    row->second[static_cast<size_t>(BankOf(word))] = word;
    ++words.needed[static_cast<size_t>(BankOf(word))];
  }
  return words;
}

void DrawLegend(bool has_conflicts, SvgCanvas& canvas) {
  double x = SvgCanvas::kMargin;
  const auto add = [&](std::string css, std::string_view meaning) {
    x = canvas.Legend(x, std::span(&css, 1), meaning) + 28;
  };
  add(PaleCss(0), "a word that lanes access");
  if (has_conflicts) add(PaleCss(0) + " marked", "its bank serves several words in turn");
  add(std::string(kNotAccessed), "not accessed");
  add(std::string(kOneWord), "one word of a bank");
  if (has_conflicts) add(std::string(kSeveralWords), "several: a conflict");
  canvas.y += 30;
}

// Draws loads or stores.
class BanksDrawing {
 public:
  // `who` begins the headings: "Loads", "Stores", or "" for both.
  BanksDrawing(const AccessedBanks& banks, const BankConflicts& conflicts, std::string_view who, SvgCanvas& canvas)
      : banks_(banks), who_(who), canvas_(canvas) {
    for (const AccessPhase& phase : conflicts.phases) phases_.push_back(WordsOf(banks, phase));
  }

  void Draw() {
    DrawTables();
    DrawPhases();
  }

 private:
  // Returns true if the phase needs several words of the bank of this one.
  static bool Conflicts(const PhaseWords& phase, int64_t word) {
    return phase.needed[static_cast<size_t>(BankOf(word))] > 1;
  }

  void Cell(double x, std::string_view css, bool marked, const std::string& label, const std::string& details) {
    if (css == kNotAccessed) {
      canvas_.Rect(x, canvas_.y, kCell, kRow, css, details);
    } else {
      canvas_.Cell(x, canvas_.y, kCell, kRow, css, marked, label, details);
    }
  }

  void RowLabel(std::string_view text) { canvas_.Text(kLeft - 8, canvas_.y + 15, "faint number", text); }

  void Frame(double top, double columns) {
    canvas_.Frame(kLeft, top, columns * kCell, canvas_.y - top);
    canvas_.right = std::max(canvas_.right, kLeft + columns * kCell);
  }

  void Heading(std::string_view text) {
    canvas_.Line(0, "head", who_.empty() ? std::string(text) : StrCat(who_, ". ", text), 8, 24);
  }

  // Draws tables of 32 lanes each, with a line per register and the bank in each cell.
  void DrawTables() {
    const auto lanes = static_cast<int64_t>(banks_.addresses.size());
    const int64_t words = WordsOfLane(banks_);
    Heading("Lanes and their registers; in each cell the bank, colored by bank / 4");
    size_t tables = 0;
    for (int64_t first = 0; first < lanes; first += kLanesInRow, ++tables) {
      if (tables == kMostTables) {
        canvas_.Note(StrCat(lanes - first, " more lanes are left out."), 20);
        break;
      }
      DrawTable(first, std::min(lanes - first, kLanesInRow), words);
    }
    canvas_.y += 12;
  }

  void DrawTable(int64_t first, int64_t lanes, int64_t words) {
    canvas_.Text(kLeft - 8, canvas_.y + 12, "faint number", banks_.input);
    for (int64_t k = 0; k < lanes; ++k) {
      canvas_.Text(kLeft + kCell * (static_cast<double>(k) + 0.5), canvas_.y + 12, "faint cell", StrCat(first + k));
    }
    canvas_.y += 18;
    const double top = canvas_.y;
    for (int64_t w = 0; w < words; ++w) {
      RowLabel(StrCat("register ", w));
      for (int64_t k = 0; k < lanes; ++k) {
        const int64_t lane = first + k;
        const int64_t word = banks_.addresses[static_cast<size_t>(lane)] / kBankBytes + w;
        const PhaseWords& phase = PhaseOf(lane);
        const int64_t bank = BankOf(word);
        Cell(kLeft + kCell * static_cast<double>(k), PaleCss(static_cast<int>(bank / 4)), Conflicts(phase, word),
             StrCat(bank),
             StrCat(banks_.input, " ", lane, ", register ", w, ": bank ", bank, ", byte ", word * kBankBytes));
      }
      canvas_.y += kRow;
    }
    // Lanes of different phases do not meet.
    for (int64_t k = 1; k < lanes; ++k) {
      if (&PhaseOf(first + k) == &PhaseOf(first + k - 1)) continue;
      const double x = kLeft + kCell * static_cast<double>(k);
      canvas_.Border(true, x, top, x, canvas_.y);
    }
    Frame(top, static_cast<double>(lanes));
    canvas_.y += 14;
  }

  const PhaseWords& PhaseOf(int64_t lane) const {
    const auto after = std::ranges::upper_bound(phases_, lane, std::ranges::less(),
                                                [](const PhaseWords& words) { return words.phase->first_lane; });
    return *std::prev(after);
  }

  void DrawPhases() {
    Heading(
        "Shared memory, a row per 128 bytes and a column per bank; in each cell the lane, colored by lane modulo 8");
    size_t rows = 0;
    for (const PhaseWords& phase : phases_) rows += phase.rows.size();
    std::vector<size_t> order(phases_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    if (rows > kMostRows) {
      std::ranges::stable_sort(order, std::ranges::greater(), [&](size_t k) { return phases_[k].phase->passes; });
    }
    rows = 0;
    for (size_t k = 0; k < order.size(); ++k) {
      const PhaseWords& phase = phases_[order[k]];
      rows += phase.rows.size();
      if (k > 0 && rows > kMostRows) {
        canvas_.Note(StrCat(order.size() - k, " more phases are left out, none of them worse."), 20);
        break;
      }
      DrawPhase(phase);
    }
  }

  void DrawPhase(const PhaseWords& phase) {
    const int64_t passes = phase.phase->passes;
    const int64_t last = phase.phase->first_lane + phase.phase->lane_count - 1;
    canvas_.Line(0, "bold",
                 StrCat(phase.phase->lane_count == 1 ? StrCat("Lane ", last)
                                                     : StrCat("Lanes ", phase.phase->first_lane, " to ", last),
                        ": ", passes, passes == 1 ? " pass, no conflict" : " passes",
                        phase.phase->merged_by != 0 ? StrCat("; one phase, as ", WhyMerged(*phase.phase, banks_)) : ""),
                 SvgCanvas::kCharacter, 20);
    canvas_.Text(kLeft - 8, canvas_.y + 12, "faint number", "bank");
    for (int64_t bank = 0; bank < kBanks; ++bank) {
      canvas_.Text(kLeft + kCell * (static_cast<double>(bank) + 0.5), canvas_.y + 12,
                   phase.needed[static_cast<size_t>(bank)] > 1 ? "cell bold" : "faint cell", StrCat(bank));
    }
    canvas_.y += 18;
    double top = canvas_.y;
    int64_t next = phase.rows.begin()->first;
    for (const auto& [row, words] : phase.rows) {
      if (row != next) {
        Frame(top, kBanks);
        canvas_.Dots(kLeft + kCell * kBanks / 2, canvas_.y + 9, true);
        canvas_.y += 18;
        top = canvas_.y;
      }
      next = row + 1;
      DrawMemoryRow(phase, row, words);
    }
    Frame(top, kBanks);
    canvas_.y += 6;
    DrawNeeded(phase);
    canvas_.y += 22;
  }

  void DrawMemoryRow(const PhaseWords& phase, int64_t row, std::span<const int64_t> words) {
    RowLabel(StrCat("byte ", row * kBanks * kBankBytes));
    for (size_t bank = 0; bank < words.size(); ++bank) {
      const double x = kLeft + kCell * static_cast<double>(bank);
      if (words[bank] < 0) {
        Cell(x, kNotAccessed, false, "", "");
        continue;
      }
      const std::vector<int64_t>& lanes = phase.lanes.at(words[bank]);
      Cell(x, PaleCss(static_cast<int>(lanes.front() % 8)), Conflicts(phase, words[bank]), LanesLabel(lanes),
           StrCat("byte ", words[bank] * kBankBytes, ", bank ", bank, ": ", banks_.input, " ", StrJoin(lanes, ",")));
    }
    canvas_.y += kRow;
  }

  // Draws how many words each bank has to serve.
  void DrawNeeded(const PhaseWords& phase) {
    RowLabel("words");
    for (size_t bank = 0; bank < phase.needed.size(); ++bank) {
      const int64_t needed = phase.needed[bank];
      Cell(kLeft + kCell * static_cast<double>(bank),
           needed == 0   ? kNotAccessed
           : needed == 1 ? kOneWord
                         : kSeveralWords,
           needed > 1, needed == 0 ? "" : StrCat(needed),
           StrCat("bank ", bank, ": ", needed, needed == 1 ? " word" : " words"));
    }
    canvas_.y += kRow;
  }

  const AccessedBanks& banks_;
  const std::string_view who_;
  SvgCanvas& canvas_;
  std::vector<PhaseWords> phases_;
};

}  // namespace

std::string WhyMerged(const AccessPhase& phase, const AccessedBanks& banks) {
  return StrCat("every ", banks.input, " accesses the address of ", banks.input, " ^ ", phase.merged_by);
}

void DrawBanks(const AccessedBanks& banks, SvgCanvas& canvas) {
  DrawLegend(std::max(banks.loads.degree, banks.stores.degree) > 1, canvas);
  if (!banks.MergesLoads()) return BanksDrawing(banks, banks.stores, "", canvas).Draw();
  BanksDrawing(banks, banks.loads, "Loads", canvas).Draw();
  canvas.y += 12;
  BanksDrawing(banks, banks.stores, "Stores", canvas).Draw();
}

}  // namespace layoutcheck
