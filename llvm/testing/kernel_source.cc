// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/testing/random_kernel.h"

namespace layoutcheck {
namespace {

using Kind = KernelStatement::Kind;

class SourceWriter {
 public:
  SourceWriter(const RandomKernel& kernel, ModelMistake mistake) : kernel_(kernel), mistake_(mistake) {}

  std::string Kernel() const {
    const std::string element = Element();
    std::string text =
        StrCat("__global__ void ", kernel_.name, "(const ", element, "* in, ", element, "* out, int n) {\n");
    for (size_t k = 0; k < 2; ++k) {
      if (kernel_.shared[k] > 0 && mistake_ != ModelMistake::kSharedIsGlobal) text += SharedArray(k);
    }
    StrAppend(text, "  const int t = ", kernel_.block[1] > 1 ? StrCat("threadIdx.y * ", kernel_.block[0], " + ") : "",
              "threadIdx.x;\n  const int b = ", Is(ModelMistake::kOneBlock) ? "0" : "blockIdx.x", ";\n  ", element,
              " v = ", kFirstValue, ";\n  ", Pair(), " w = make_", Pair(), "(", kFirstValue, ", ", kFirstValue, ");\n");
    if (Stays()) text += "  bool gone = false;\n";
    text += Statements(kernel_.body, "  ");
    // Where threads that have returned stay, they do here what all do.
    if (Stays()) text += "  v = in[b];\n";
    return text + "}\n";
  }

 private:
  bool Is(ModelMistake mistake) const { return mistake_ == mistake; }
  bool Stays() const { return Is(ModelMistake::kReturnedThreadsStay); }

  std::string Element() const { return ElementTypeOf(kernel_); }

  std::string Pair() const {
    switch (kernel_.element_bytes) {
      case 1: return "char2";
      case 2: return "short2";
      case 4: return "int2";
      default: return "longlong2";
    }
  }

  std::string Array(size_t number) const {
    constexpr std::array<const char*, 4> kNames{"in", "out", "s", "r"};
    return number < 2 ? kNames[number] : StrCat(kNames[number], "_", kernel_.name);
  }

  std::string SharedArray(size_t k) const {
    const bool is_static = kernel_.shared_memory == RandomKernel::SharedMemory::kStatic;
    const std::string name = StrCat(Element(), " ", Array(k + 2));
    if (Is(ModelMistake::kSharedIsPrivate)) return StrCat("  ", name, "[", kernel_.shared[k], "];\n");
    const bool is_sized = is_static || (k == 1 && Is(ModelMistake::kNamesAreApart));
    return StrCat("  ", is_sized ? "" : "extern ", "__shared__ __align__(16) ", name, "[",
                  is_sized ? StrCat(kernel_.shared[k]) : "", "];\n");
  }

  // Returns the place of an access as a pointer to its type.
  std::string Place(const KernelStatement& access, bool is_pair) const {
    std::string place = access.formula.Text();
    if (access.is_pair) place = StrCat("2 * ", place);
    std::string array = Array(static_cast<size_t>(access.array));
    if (access.array >= 2 && Is(ModelMistake::kSharedIsGlobal)) {
      array = StrCat("(out + ", kernel_.elements, " * (int)gridDim.x",
                     access.array == 3 ? StrCat(" + ", kernel_.shared[0]) : "", ")");
    }
    const std::string type = is_pair ? Pair() : Element();
    return StrCat("(", access.array == 0 ? "const " : "", type, "*)&", array, "[", place, "]");
  }

  std::string Access(const KernelStatement& access) const {
    const bool is_pair = access.is_pair && !Is(ModelMistake::kPairsAreSingle);
    const std::string value = is_pair ? "w" : "v";
    const std::string place = Place(access, is_pair);
    const bool is_atomic = access.kind == Kind::kAtomicAdd;
    if (access.kind == Kind::kLoad) return StrCat(value, " = *", place, ";");
    if (is_atomic && Is(ModelMistake::kNoAtomics)) return "";
    const bool is_mistaken = Is(ModelMistake::kStoresAreAtomic) && kernel_.element_bytes == 4 && !is_pair;
    if (is_atomic ? !Is(ModelMistake::kAtomicsArePlain) : is_mistaken) return StrCat("atomicAdd(", place, ", 1);");
    return StrCat("*(", place, ") = ", value, ";");
  }

  std::string Barrier(const KernelStatement& statement) const {
    constexpr std::string_view kOfBlock = "__syncthreads();";
    if (statement.kind == Kind::kBarrier) return Is(ModelMistake::kNoBarriers) ? "" : std::string(kOfBlock);
    if (Is(ModelMistake::kNoWarpBarriers)) return "";
    if (Is(ModelMistake::kWarpsAreBlocks)) return std::string(kOfBlock);
    const bool is_full = statement.formula.literal == kFullMask || Is(ModelMistake::kMasksAreFull);
    return StrCat("__syncwarp(", is_full ? "" : statement.formula.Text(), ");");
  }

  std::string Statement(const KernelStatement& statement, const std::string& indent) const {
    const auto block = [&](const std::vector<KernelStatement>& body) {
      return StrCat(" {\n", Statements(body, indent + "  "), indent, "}");
    };
    const std::string formula = statement.formula.Text();
    switch (statement.kind) {
      case Kind::kSet: return StrCat("v = ", formula, ";");
      case Kind::kBarrier:
      case Kind::kWarpBarrier: return Barrier(statement);
      case Kind::kShuffle: {
        const uint64_t lanes = (uint64_t{1} << kernel_.threads()) - 1;
        return Is(ModelMistake::kShufflesKeep) ? "" : StrCat("v = __shfl_xor_sync(", lanes, "u, v, ", formula, ");");
      }
      case Kind::kReturn: return Stays() ? "gone = true;" : "return;";
      case Kind::kIf: {
        const std::string condition = Is(ModelMistake::kBranchesAreTaken) ? "1" : formula;
        return StrCat("if (", condition, ")", block(statement.body),
                      statement.otherwise.empty() ? "" : StrCat(" else", block(statement.otherwise)));
      }
      case Kind::kLoop: {
        const std::string name = statement.counter == KernelNumber::kOuterLoop ? "k0" : "k1";
        const std::string steps = StrCat(formula, Is(ModelMistake::kOneStepLess)   ? " - 1"
                                                  : Is(ModelMistake::kOneStepMore) ? " + 1"
                                                                                   : "");
        return StrCat("for (int ", name, " = 0; ", name, " < ", steps, "; ++", name, ")", block(statement.body));
      }
      default: return Access(statement);
    }
  }

  std::string Statements(const std::vector<KernelStatement>& statements, const std::string& indent) const {
    std::vector<const KernelStatement*> order;
    for (const KernelStatement& statement : statements) order.push_back(&statement);
    const auto is_barrier = [](const KernelStatement* statement) { return statement->kind == Kind::kBarrier; };
    for (size_t k = 1; k < order.size() && Is(ModelMistake::kBarriersEarly); ++k) {
      if (is_barrier(order[k])) std::swap(order[k - 1], order[k]);
    }
    for (size_t k = order.size(); k > 1 && Is(ModelMistake::kBarriersLate); --k) {
      if (is_barrier(order[k - 2])) std::swap(order[k - 2], order[k - 1]);
    }
    std::string text;
    for (const KernelStatement* const statement : order) {
      const std::string line = Statement(*statement, indent);
      if (line.empty()) continue;
      const bool is_block = statement->kind == Kind::kIf || statement->kind == Kind::kLoop;
      const bool is_guarded = Stays() && !is_block && statement->kind != Kind::kReturn;
      StrAppend(text, indent, is_guarded ? "if (!gone) " : "", line, "\n");
    }
    return text;
  }

  const RandomKernel& kernel_;
  ModelMistake mistake_;
};

}  // namespace

std::string ElementTypeOf(const RandomKernel& kernel) {
  switch (kernel.element_bytes) {
    case 1: return "signed char";
    case 2: return "short";
    case 4: return "int";
    default: return "long long";
  }
}

std::string SourceOf(const RandomKernel& kernel, ModelMistake mistake) {
  return SourceWriter(kernel, mistake).Kernel();
}

}  // namespace layoutcheck
