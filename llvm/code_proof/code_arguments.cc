// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/code_arguments.h"
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/code_proof/source_types.h"
#include "layoutcheck/llvm/ir/function_code.h"
#include "layoutcheck/llvm/ir/machine_value.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxElement = int64_t{1} << 30;

std::unexpected<Error> SyntaxError(size_t at, std::string_view expected) {
  Error error{ErrorKind::kSyntax, StrCat("expected ", expected), static_cast<int64_t>(at) + 1};
  return std::unexpected(std::move(error));
}

bool IsWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

class ArgumentParser {
 public:
  ArgumentParser(std::string_view text, std::string_view result) : text_(text), result_(result) {}

  Expected<std::vector<CodeArgument>> Read() {
    std::vector<CodeArgument> arguments;
    SkipBlanks();
    while (at_ < text_.size()) {
      if (!arguments.empty() && !Take(',')) return SyntaxError(at_, "',' or the end after an argument");
      LAYOUTCHECK_TRY(auto argument, ReadArgument(arguments.size()));
      arguments.push_back(std::move(argument));
    }
    return arguments;
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    SkipBlanks();
    return true;
  }
  Expected<std::string> ReadWord() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsWord(text_[at_])) ++at_;
    std::string word(text_.substr(begin, at_ - begin));
    if (word.empty() || word.find('-', 1) != std::string::npos) {
      return SyntaxError(begin, "an index (i0), a name, a number, [A,B], {M,1} or _");
    }
    SkipBlanks();
    return word;
  }
  Expected<CodeArgument> ReadArgument(size_t number) {
    CodeArgument argument;
    char close = 0;
    if (Take('[')) {
      argument.kind = CodeArgument::Kind::kArray;
      close = ']';
    } else if (Take('{')) {
      argument.kind = CodeArgument::Kind::kStruct;
      close = '}';
    }
    do {
      LAYOUTCHECK_TRY(auto word, ReadWord());
      if (word == "_") word = StrCat("_", number + 1);
      argument.values.push_back(std::move(word));
    } while (close != 0 && Take(','));
    if (close != 0 && !Take(close)) return SyntaxError(at_, close == ']' ? "',' or ']'" : "',' or '}'");
    if (close == 0 && argument.values[0] == StrCat("_", number + 1)) argument.kind = CodeArgument::Kind::kUnused;
    if (close == 0 && !result_.empty() && argument.values[0] == result_) argument = {CodeArgument::Kind::kResult, {}};
    return argument;
  }

  std::string_view text_;
  std::string_view result_;
  size_t at_ = 0;
};

NativeType Native(const SourceInteger& integer) { return {integer.bits, !integer.is_unsigned}; }

// Returns the reason why a number is none of the type, or "".
std::string WhyNotOf(const SourceInteger& type, const std::string& value) {
  int64_t number = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
  if (read.ec != std::errc() || type.bits >= 64) return "";
  const int64_t half = int64_t{1} << (type.bits - 1);
  const int64_t least = type.is_unsigned ? 0 : -half;
  const int64_t most = type.is_unsigned || !type.is_sign_known ? 2 * half - 1 : half - 1;
  if (number >= least && number <= most) return "";
  return StrCat(value, " does not fit its type, whose values are ", least, " to ", most);
}

// Returns the integers of which the parameter points to one or, if it is a single one, to an array of them.
Expected<std::vector<SourceInteger>> ElementsAt(const llvm::DIType* pointed, bool has_types,
                                                const llvm::Argument& parameter) {
  std::vector<SourceInteger> integers = IntegersOf(pointed);
  if (!integers.empty()) return integers;
  if (has_types && pointed != nullptr) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("it points to '", TypeText(pointed),
                            "', and the values in brackets are integers: expected _, or a function whose parameter "
                            "points to integers or structs of integers"));
  }
  if (const auto bits = AccessedBits(parameter)) {
    return std::vector<SourceInteger>{{.bits = *bits, .is_sign_known = false}};
  }
  return MakeError(ErrorKind::kInvalidArgument,
                   "the type of the elements is not known, and the code's accesses do not tell: expected a parameter "
                   "that points to an integer type, in C or C++ or in code compiled with -g");
}

class Binder {
 public:
  Binder(const llvm::Function& function, const std::vector<CodeArgument>& arguments, std::optional<int64_t> element)
      : function_(function), arguments_(arguments), element_(element) {
    call_.code.function = &function;
    if (const llvm::DISubprogram* const program = function.getSubprogram();
        program != nullptr && program->getType() != nullptr) {
      for (const llvm::DIType* type : program->getType()->getTypeArray()) types_.push_back(type);
    }
  }

  Expected<CodeCall> Bind() {
    for (size_t k = 0; k < arguments_.size(); ++k) {
      if (next_ >= function_.arg_size()) return WrongCount();
      const Expected<void> bound = BindArgument(k);
      if (!bound) return MakeError(bound.error().kind, StrCat("argument ", k + 1, ": ", bound.error().message));
    }
    if (next_ != function_.arg_size()) return WrongCount();
    LAYOUTCHECK_RETURN_IF_ERROR(BindResult());
    call_.code.is_unsigned = !call_.result.is_signed;
    call_.code.code = std::make_shared<const ModuleCode>(function_);
    if (!is_callable_) call_.parameters.clear();
    return std::move(call_);
  }

 private:
  std::unexpected<Error> WrongCount() const {
    const size_t parameters = types_.empty() ? function_.arg_size() : types_.size() - 1;
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(function_.getName().str(), " takes ", parameters,
                            parameters == 1 ? " argument, found " : " arguments, found ", arguments_.size()));
  }
  const llvm::DIType* TypeOf(size_t argument) const {
    return argument + 1 < types_.size() ? types_[argument + 1] : nullptr;
  }
  const llvm::Type& Parameter() const { return *function_.getArg(static_cast<unsigned>(next_))->getType(); }
  void Add(ParameterBinding binding) {
    call_.code.parameters.push_back(std::move(binding));
    ++next_;
  }

  // Adds a value and returns its number. A name must fit the type.
  size_t AddValue(const std::string& value, const SourceInteger& type) {
    const bool is_number = value[0] == '-' || (value[0] >= '0' && value[0] <= '9');
    if (is_number && misfit_.empty()) misfit_ = WhyNotOf(type, value);
    const Int128 half = Int128{1} << (type.bits - 1);
    if (!is_number) {
      // Any bits of an unused argument are those of a signed integer.
      const bool is_known = type.is_sign_known || value[0] == '_';
      const Int128 values = type.is_unsigned ? 2 * half : half;
      call_.limits.push_back({value, type.is_unsigned ? 0 : -half, values - 1, is_known});
    }
    native_.types.push_back(Native(type));
    call_.values.push_back(value);
    return call_.values.size() - 1;
  }

  Expected<void> BindArgument(size_t k) {
    const CodeArgument& argument = arguments_[k];
    native_ = {.types = {}};
    const size_t first = call_.values.size();
    if (Expected<void> bound = BindKind(k, argument); !bound) return bound;
    if (!misfit_.empty()) return MakeError(ErrorKind::kInvalidArgument, misfit_);
    native_.kind = argument.kind == CodeArgument::Kind::kArray    ? NativeParameter::Kind::kArray
                   : argument.kind == CodeArgument::Kind::kResult ? NativeParameter::Kind::kResult
                   : argument.kind == CodeArgument::Kind::kStruct ? NativeParameter::Kind::kStruct
                                                                  : NativeParameter::Kind::kInteger;
    is_callable_ = is_callable_ && !native_.types.empty();
    call_.parameters.push_back(native_);
    std::vector<size_t>& numbers = call_.parameter_values.emplace_back();
    for (size_t value = first; value < call_.values.size(); ++value) numbers.push_back(value);
    return {};
  }

  Expected<void> BindKind(size_t k, const CodeArgument& argument) {
    const bool is_pointer = Parameter().isPointerTy();
    switch (argument.kind) {
      case CodeArgument::Kind::kResult:
        if (!is_pointer)
          return MakeError(ErrorKind::kInvalidArgument, "expected a pointer, to which the result is written");
        return BindResultMemory(PointedTo(TypeOf(k)));
      case CodeArgument::Kind::kTensor:
        if (!is_pointer) return MakeError(ErrorKind::kInvalidArgument, "expected a pointer, to an array");
        Add({.kind = ParameterBinding::Kind::kTensor, .fields = {{tensors_++, 0, 0}}});
        return {};
      case CodeArgument::Kind::kUnused:
        if (!Parameter().isIntegerTy()) {
          Add({.kind = is_pointer ? ParameterBinding::Kind::kUnknownMemory : ParameterBinding::Kind::kUnknown});
          return {};
        }
        return BindValue(argument.values[0], TypeOf(k));
      case CodeArgument::Kind::kValue: return BindValue(argument.values[0], TypeOf(k));
      case CodeArgument::Kind::kArray: return is_pointer ? BindArray(argument, PointedTo(TypeOf(k))) : NotPointer();
      case CodeArgument::Kind::kStruct: return BindStruct(argument, TypeOf(k));
    }
    return {};
  }

  // Finds element number `element_` by the type in the source or, without one, by the width of the accesses.
  Expected<void> BindResultMemory(const llvm::DIType* pointed) {
    LAYOUTCHECK_TRY(const auto fields,
                    ElementsAt(pointed, !types_.empty(), *function_.getArg(static_cast<unsigned>(next_))));
    const int64_t bytes =
        (fields.size() > 1 ? static_cast<int64_t>(pointed->getSizeInBits()) : fields[0].bits) / kBitsPerByte;
    if (*element_ > kMaxElement) return MakeError(ErrorKind::kInvalidArgument, "--result: expected a smaller number");
    const auto count = static_cast<int64_t>(fields.size());
    const SourceInteger& field = fields[static_cast<size_t>(*element_ % count)];
    const int64_t offset = *element_ / count * bytes + field.offset;
    call_.code.result_element = {*element_, offset, field.bits};
    call_.result = Native(field);
    Add({.kind = ParameterBinding::Kind::kResult});
    native_.types.push_back(call_.result);
    native_.offset = offset;
    return {};
  }

  Expected<void> NotPointer() const {
    return MakeError(ErrorKind::kInvalidArgument, "[...] is bound to a pointer, and the parameter is none");
  }

  Expected<void> BindValue(const std::string& value, const llvm::DIType* type) {
    // Nothing that is asked of a kernel, whose other arguments are arrays, needs such a number.
    const bool has_arrays =
        std::ranges::find(arguments_, CodeArgument::Kind::kTensor, &CodeArgument::kind) != arguments_.end();
    if (has_arrays && Parameter().isFPOrFPVectorTy()) {
      Add({.kind = ParameterBinding::Kind::kUnknown});
      return {};
    }
    if (!Parameter().isIntegerTy() || Parameter().getIntegerBitWidth() > 64) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("'", value, "' is bound to an integer, and the parameter is ",
                              Parameter().isPointerTy() ? "a pointer: expected [A,B] or _" : "none: expected _"));
    }
    const auto bits = static_cast<int>(Parameter().getIntegerBitWidth());
    SourceInteger integer = IntegerOf(type, bits);
    integer.bits = bits;
    Add({.fields = {{AddValue(value, integer), 0, bits}}});
    return {};
  }

  Expected<void> BindArray(const CodeArgument& argument, const llvm::DIType* pointed) {
    LAYOUTCHECK_TRY(const auto elements,
                    ElementsAt(pointed, !types_.empty(), *function_.getArg(static_cast<unsigned>(next_))));
    ParameterBinding binding{.kind = ParameterBinding::Kind::kArray};
    for (size_t k = 0; k < argument.values.size(); ++k) {
      if (elements.size() > 1 && k >= elements.size()) return WrongFields(elements.size());
      SourceInteger place = elements[elements.size() > 1 ? k : 0];
      if (elements.size() == 1) place.offset = static_cast<int64_t>(k) * place.bits / kBitsPerByte;
      binding.fields.push_back({AddValue(argument.values[k], place), place.offset, place.bits});
    }
    Add(std::move(binding));
    return {};
  }

  Expected<void> WrongFields(size_t fields) const {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("the struct has ", fields, " integers"));
  }

  // A struct by value is behind a pointer, or in as many integers as hold its bytes.
  Expected<void> BindStruct(const CodeArgument& argument, const llvm::DIType* type) {
    if (Parameter().isPointerTy()) return BindArray(argument, PointedTo(type) == nullptr ? type : PointedTo(type));
    std::vector<SourceInteger> fields = IntegersOf(type);
    if (types_.empty() && Parameter().isIntegerTy()) {
      // Without debug information, each value takes a whole parameter.
      const auto bytes = static_cast<int64_t>(Parameter().getIntegerBitWidth()) / kBitsPerByte;
      for (int64_t k = 0; k < std::ssize(argument.values); ++k) {
        fields.push_back({.offset = k * bytes, .bits = static_cast<int>(bytes) * kBitsPerByte, .is_sign_known = false});
      }
    }
    if (fields.size() != argument.values.size()) return WrongFields(fields.size());
    for (size_t k = 0; k < fields.size();) {
      if (next_ >= function_.arg_size() || !Parameter().isIntegerTy() || Parameter().getIntegerBitWidth() > 64) {
        return MakeError(ErrorKind::kInvalidArgument, "a struct that is not passed in integers");
      }
      const int64_t begin = fields[k].offset;
      const int64_t end = begin + static_cast<int64_t>(Parameter().getIntegerBitWidth()) / kBitsPerByte;
      ParameterBinding binding;
      for (; k < fields.size() && fields[k].offset < end; ++k) {
        binding.fields.push_back({AddValue(argument.values[k], fields[k]), fields[k].offset - begin, fields[k].bits});
      }
      Add(std::move(binding));
    }
    return {};
  }

  Expected<void> BindResult() {
    const auto& parameters = call_.code.parameters;
    const bool has_memory =
        std::ranges::find(parameters, ParameterBinding::Kind::kResult, &ParameterBinding::kind) != parameters.end();
    if (tensors_ > 0) return {};
    const llvm::Type& type = *function_.getReturnType();
    if (element_) {
      if (has_memory) return {};
      return MakeError(ErrorKind::kInvalidArgument, "--result names no argument: expected its name in --args, too");
    }
    if (!type.isIntegerTy() || type.getIntegerBitWidth() > 64) {
      return MakeError(
          ErrorKind::kInvalidArgument,
          StrCat(function_.getName().str(), " returns no integer: expected --result 'out[0]' and out in --args"));
    }
    call_.result.bits = static_cast<int>(type.getIntegerBitWidth());
    const SourceInteger result = IntegerOf(types_.empty() ? nullptr : types_[0], call_.result.bits);
    const bool is_extended = function_.hasRetAttribute(llvm::Attribute::ZExt);
    call_.result.is_signed = result.is_sign_known ? !result.is_unsigned : !is_extended;
    call_.is_sign_known = result.is_sign_known || is_extended || function_.hasRetAttribute(llvm::Attribute::SExt);
    return {};
  }

  const llvm::Function& function_;
  const std::vector<CodeArgument>& arguments_;
  std::optional<int64_t> element_;          // of the memory that the function writes
  std::vector<const llvm::DIType*> types_;  // of the result and the parameters in the source; empty if unknown
  CodeCall call_;
  NativeParameter native_;  // the present one
  bool is_callable_ = true;
  std::string misfit_;  // of a number and its type
  size_t tensors_ = 0;
  size_t next_ = 0;  // parameter of the IR
};

}  // namespace

Expected<std::vector<CodeArgument>> ParseCodeArguments(std::string_view text, std::string_view result) {
  return ArgumentParser(text, result).Read();
}

Expected<CodeCall> BindCode(const llvm::Function& function, const std::vector<CodeArgument>& arguments,
                            std::optional<int64_t> element) {
  return Binder(function, arguments, element).Bind();
}

}  // namespace layoutcheck
