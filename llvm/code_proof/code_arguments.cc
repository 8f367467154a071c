// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/code_arguments.h"
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <algorithm>
#include <limits>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/code_proof/stored_width.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxElement = int64_t{1} << 30;
constexpr int kByte = 8;
using Kind = CodeArgument::Kind;

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
      auto argument = ReadArgument(arguments.size());
      if (!argument) return std::unexpected(std::move(argument.error()));
      arguments.push_back(std::move(*argument));
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
      argument.kind = Kind::kArray;
      close = ']';
    } else if (Take('{')) {
      argument.kind = Kind::kStruct;
      close = '}';
    }
    do {
      auto word = ReadWord();
      if (!word) return std::unexpected(std::move(word.error()));
      if (*word == "_") *word = StrCat("_", number + 1);
      argument.values.push_back(std::move(*word));
    } while (close != 0 && Take(','));
    if (close != 0 && !Take(close)) return SyntaxError(at_, close == ']' ? "',' or ']'" : "',' or '}'");
    if (close == 0 && argument.values[0] == StrCat("_", number + 1)) argument.kind = Kind::kUnused;
    if (close == 0 && !result_.empty() && argument.values[0] == result_) argument = {Kind::kResult, {}};
    return argument;
  }

  std::string_view text_;
  std::string_view result_;
  size_t at_ = 0;
};

// A scalar type in the source.
struct SourceInteger {
  int64_t offset = 0;  // in bytes
  int bits = 32;
  bool is_unsigned = false;
};

NativeType Native(const SourceInteger& integer) { return {integer.bits, !integer.is_unsigned}; }

const llvm::DIType* Stripped(const llvm::DIType* type) {
  constexpr int kMostTypedefs = 100;  // one of another; broken debug information may have a circle
  for (int k = 0; k < kMostTypedefs; ++k) {
    const auto* const derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (derived == nullptr) return type;
    const unsigned tag = derived->getTag();
    if (tag == llvm::dwarf::DW_TAG_pointer_type || tag == llvm::dwarf::DW_TAG_reference_type) return derived;
    type = derived->getBaseType();
  }
  return nullptr;
}

const llvm::DIType* PointedTo(const llvm::DIType* type) {
  const auto* const pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(Stripped(type));
  return pointer == nullptr ? nullptr : Stripped(pointer->getBaseType());
}

// Returns the type of the elements of an array, or the type.
const llvm::DIType* ScalarOf(const llvm::DIType* type) {
  type = Stripped(type);
  const auto* const composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  const bool is_array = composite != nullptr && composite->getTag() == llvm::dwarf::DW_TAG_array_type;
  return is_array ? Stripped(composite->getBaseType()) : type;
}

SourceInteger IntegerOf(const llvm::DIType* type, int bits) {
  SourceInteger integer{.bits = bits};
  if (const auto* const basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(Stripped(type))) {
    const uint64_t size = basic->getSizeInBits();
    if (size == 8 || size == 16 || size == 32 || size == 64) integer.bits = static_cast<int>(size);
    integer.is_unsigned = basic->getSignedness() == llvm::DIBasicType::Signedness::Unsigned ||
                          basic->getEncoding() == llvm::dwarf::DW_ATE_boolean;
  }
  return integer;
}

// Returns the integers of a struct in order, or none if there is something else in it.
std::vector<SourceInteger> FieldsOf(const llvm::DIType* type) {
  const auto* const composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(Stripped(type));
  std::vector<SourceInteger> fields;
  if (composite == nullptr) return fields;
  for (const llvm::DINode* element : composite->getElements()) {
    const auto* const member = llvm::dyn_cast<llvm::DIDerivedType>(element);
    if (member == nullptr || member->getTag() != llvm::dwarf::DW_TAG_member || member->isStaticMember()) continue;
    if (!llvm::isa_and_nonnull<llvm::DIBasicType>(Stripped(member->getBaseType()))) return {};
    fields.push_back(IntegerOf(member->getBaseType(), 32));
    fields.back().offset = static_cast<int64_t>(member->getOffsetInBits()) / kByte;
  }
  return fields;
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
    if (const Expected<void> result = BindResult(); !result) return std::unexpected(result.error());
    call_.code.is_unsigned = !call_.result.is_signed;
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
    const bool is_name = value[0] != '-' && !(value[0] >= '0' && value[0] <= '9') && value[0] != '_';
    const int bits = type.is_unsigned ? type.bits : type.bits - 1;
    if (is_name && bits < 63) call_.limits.push_back({value, (int64_t{1} << bits) - 1});
    native_.types.push_back(Native(type));
    call_.values.push_back(value);
    return call_.values.size() - 1;
  }

  Expected<void> BindArgument(size_t k) {
    const CodeArgument& argument = arguments_[k];
    native_ = {.types = {}};
    const size_t first = call_.values.size();
    if (Expected<void> bound = BindKind(k, argument); !bound) return bound;
    native_.kind = argument.kind == Kind::kArray    ? NativeParameter::Kind::kArray
                   : argument.kind == Kind::kResult ? NativeParameter::Kind::kResult
                   : argument.kind == Kind::kStruct ? NativeParameter::Kind::kStruct
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
      case Kind::kResult:
        if (!is_pointer)
          return MakeError(ErrorKind::kInvalidArgument, "expected a pointer, to which the result is written");
        return BindResultMemory(PointedTo(TypeOf(k)));
      case Kind::kTensor:
        if (!is_pointer) return MakeError(ErrorKind::kInvalidArgument, "expected a pointer, to an array");
        Add({.kind = ParameterBinding::Kind::kTensor, .fields = {{tensors_++, 0, 0}}});
        return {};
      case Kind::kUnused:
        if (!Parameter().isIntegerTy()) {
          Add({.kind = is_pointer ? ParameterBinding::Kind::kUnknownMemory : ParameterBinding::Kind::kUnknown});
          return {};
        }
        return BindValue(argument.values[0], nullptr);
      case Kind::kValue: return BindValue(argument.values[0], TypeOf(k));
      case Kind::kArray: return is_pointer ? BindArray(argument, PointedTo(TypeOf(k))) : NotPointer();
      case Kind::kStruct: return BindStruct(argument, TypeOf(k));
    }
    return {};
  }

  // Finds element number `element_` by the type in the source or, without one, by that of what is stored.
  Expected<void> BindResultMemory(const llvm::DIType* pointed) {
    std::vector<SourceInteger> fields = FieldsOf(pointed);  // of one struct of the array
    int64_t bytes = fields.empty() ? 0 : static_cast<int64_t>(Stripped(pointed)->getSizeInBits()) / kByte;
    if (fields.empty()) {
      const llvm::DIType* const scalar = ScalarOf(pointed);
      const bool is_known = llvm::isa_and_nonnull<llvm::DIBasicType>(scalar);
      const auto bits = is_known ? std::optional(0) : StoredWidth(*function_.getArg(static_cast<unsigned>(next_)));
      if (!bits || *bits > 64 || *bits % kByte != 0) {
        return MakeError(ErrorKind::kInvalidArgument,
                         "the type of the elements of --result is not known: expected a pointer to integers, or code "
                         "with debug information (-g)");
      }
      fields.push_back(IntegerOf(scalar, *bits));
      bytes = fields[0].bits / kByte;
    }
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
    const std::vector<SourceInteger> fields = FieldsOf(pointed);
    ParameterBinding binding{.kind = ParameterBinding::Kind::kArray};
    const SourceInteger element = IntegerOf(pointed, 32);
    for (size_t k = 0; k < argument.values.size(); ++k) {
      SourceInteger place = element;
      place.offset = static_cast<int64_t>(k) * element.bits / kByte;
      if (!fields.empty()) {
        if (k >= fields.size()) return WrongFields(fields.size());
        place = fields[k];
      }
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
    std::vector<SourceInteger> fields = FieldsOf(type);
    for (size_t k = 0; fields.size() < argument.values.size() && types_.empty(); ++k) {
      fields.push_back({.offset = static_cast<int64_t>(4 * k)});
    }
    if (fields.size() != argument.values.size()) return WrongFields(fields.size());
    for (size_t k = 0; k < fields.size();) {
      if (next_ >= function_.arg_size() || !Parameter().isIntegerTy() || Parameter().getIntegerBitWidth() > 64) {
        return MakeError(ErrorKind::kInvalidArgument, "a struct that is not passed in integers");
      }
      const int64_t begin = fields[k].offset;
      const int64_t end = begin + static_cast<int64_t>(Parameter().getIntegerBitWidth()) / kByte;
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
    const bool is_known = !types_.empty() && types_[0] != nullptr;
    call_.result.is_signed = is_known ? !IntegerOf(types_[0], call_.result.bits).is_unsigned
                                      : !function_.hasRetAttribute(llvm::Attribute::ZExt);
    return {};
  }

  const llvm::Function& function_;
  const std::vector<CodeArgument>& arguments_;
  std::optional<int64_t> element_;          // of the memory that the function writes
  std::vector<const llvm::DIType*> types_;  // of the result and the parameters in the source; empty if unknown
  CodeCall call_;
  NativeParameter native_;  // the present one
  bool is_callable_ = true;
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
