// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/manual/terminal_text.h"
#include <algorithm>
#include <optional>
#include <vector>
#include "layoutcheck/cli/manual/markdown.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kPlain = "\033[0m";

// Writes blocks of text one after another.
class TerminalWriter {
 public:
  TerminalWriter(size_t width, bool bold) : width_(std::max<size_t>(width, 20)), bold_(bold) {}

  // Appends words, wrapped. The first line begins with `first`, the others with as many blanks.
  void Wrap(std::string_view first, std::string_view text) {
    std::string line(first);
    size_t column = first.size();
    bool has_word = false;
    for (size_t begin = text.find_first_not_of(' '); begin < text.size();) {
      const size_t end = std::min(text.find(' ', begin), text.size());
      const std::string_view word = text.substr(begin, end - begin);
      const size_t columns = Columns(word);
      if (has_word && column + 1 + columns > width_) {
        StrAppend(out_, line, "\n");
        line.assign(first.size(), ' ');
        column = first.size();
        has_word = false;
      }
      StrAppend(line, has_word ? " " : "", word);
      column += columns + (has_word ? 1 : 0);
      has_word = true;
      begin = std::min(text.find_first_not_of(' ', end), text.size());
    }
    StrAppend(out_, line, "\n");
  }

  void Line(std::string_view line) { StrAppend(out_, line, "\n"); }
  void Blank() {
    if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
  }

  std::string Bold(std::string_view text) const { return bold_ ? StrCat(kBold, text, kPlain) : std::string(text); }

  // Returns a text of Markdown without its marks. Code keeps its backquotes, which a reader of plain text needs.
  std::string Inline(std::string_view text) const {
    std::string out;
    bool in_code = false;
    bool in_bold = false;
    for (size_t k = 0; k < text.size(); ++k) {
      if (text[k] == '`') {
        in_code = !in_code;
        out += '`';
      } else if (in_code) {
        // Within the cells of a table, even code escapes the mark between two cells.
        if (text.substr(k).starts_with("\\|")) ++k;
        out += text[k];
      } else if (text.substr(k).starts_with("**")) {
        in_bold = !in_bold;
        if (bold_) out += in_bold ? kBold : kPlain;
        ++k;
      } else if (text[k] == '\\' && k + 1 < text.size()) {
        out += text[++k];
      } else if (const auto link = LinkAt(text, k)) {
        out += Inline(link->text);
        if (link->target.starts_with("http")) StrAppend(out, " (", link->target, ")");
        k = link->end - 1;
      } else {
        out += text[k];
      }
    }
    return out;
  }

  const std::string& out() const { return out_; }

 private:
  // Returns the columns of a word: its characters in UTF-8 without escape sequences.
  static size_t Columns(std::string_view word) {
    size_t columns = 0;
    for (size_t k = 0; k < word.size(); ++k) {
      if (word[k] == '\033') {
        k = std::min(word.find('m', k), word.size());
      } else if ((static_cast<unsigned char>(word[k]) & 0xC0U) != 0x80U) {
        ++columns;
      }
    }
    return columns;
  }

  size_t width_;
  bool bold_;
  std::string out_;
};

// Writes the rows of a table below its head.
void WriteTable(TerminalWriter& writer, const std::vector<std::string_view>& lines) {
  const std::vector<std::string> head = CellsOf(lines[0]);
  for (size_t row = 2; row < lines.size(); ++row) {
    const std::vector<std::string> cells = CellsOf(lines[row]);
    if (cells.empty()) continue;
    writer.Line(writer.Bold(writer.Inline(cells[0])));
    for (size_t k = 1; k < cells.size(); ++k) {
      if (cells[k].empty()) continue;
      const std::string name = cells.size() == 2 || k >= head.size() ? "" : StrCat(head[k], ": ");
      writer.Wrap("    ", StrCat(name, writer.Inline(cells[k])));
    }
  }
}

// Returns the length of the mark of an item, "- " or "12. ", with the blanks before it, or nothing.
std::optional<size_t> ItemMark(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const size_t digits = std::min(line.find_first_not_of("0123456789", begin), line.size());
  if (line.substr(begin).starts_with("- ")) return begin + 2;
  if (digits > begin && line.substr(digits).starts_with(". ")) return digits + 2;
  return std::nullopt;
}

}  // namespace

std::string TerminalText(std::string_view markdown, size_t width, bool bold) {
  TerminalWriter writer(width, bold);
  const std::vector<std::string_view> lines = MarkdownLines(markdown);
  for (size_t k = 0; k < lines.size();) {
    const std::string_view line = lines[k];
    if (line.starts_with("```")) {
      writer.Blank();
      for (++k; k < lines.size() && !lines[k].starts_with("```"); ++k) writer.Line(StrCat("    ", lines[k]));
      ++k;
      writer.Blank();
    } else if (line.starts_with('#')) {
      writer.Blank();
      writer.Wrap("", writer.Bold(writer.Inline(HeadingOf(line))));
      writer.Blank();
      ++k;
    } else if (line.starts_with('|')) {
      std::vector<std::string_view> table;
      for (; k < lines.size() && lines[k].starts_with('|'); ++k) table.push_back(lines[k]);
      WriteTable(writer, table);
    } else if (line.starts_with("![")) {
      ++k;  // a picture
    } else if (line.starts_with("    ")) {
      writer.Line(line);
      ++k;
    } else if (line.find_first_not_of(' ') == std::string_view::npos) {
      writer.Blank();
      ++k;
    } else {
      // A paragraph or an item goes on to the next block.
      const std::optional<size_t> mark = ItemMark(line);
      std::string text(line.substr(mark.value_or(0)));
      for (++k; k < lines.size() && !BeginsBlock(lines[k]) && !ItemMark(lines[k]); ++k) StrAppend(text, " ", lines[k]);
      writer.Wrap(line.substr(0, mark.value_or(0)), writer.Inline(text));
    }
  }
  std::string out = writer.out();
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace layoutcheck
