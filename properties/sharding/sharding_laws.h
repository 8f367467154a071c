// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws of arrays on several devices. Their arguments are texts: a shape with its sharding, or two of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/sharding/sharding_conversion.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

struct ShardingLaw {
  std::string_view name;
  std::string_view statement;
  std::string_view domain;  // the arguments to which the law applies, in words
  // Checks the law on these arguments. They are outside the domain if the law cannot read them.
  LawResult (*check)(Subject&, std::span<const std::string> arguments);
  enum class Topic : uint8_t { kOne, kTwo, kView };  // the arguments: an array, two shardings, an array and sizes
  Topic topic = Topic::kOne;
};

// Returns all laws of sharded arrays, in the order in which they are listed and checked.
std::span<const ShardingLaw> ShardingLaws();

// Returns the notations of shardings in which the subject answers ShardOf. Asks it one question per notation.
std::vector<ShardingNotation> NotationsOfShards(Subject& subject);
// Returns true if the subject answers Reshard or kShardViewFunction in one of the notations. Asks it one question per
// notation.
bool AnswersReshards(Subject& subject);
bool AnswersShardViews(Subject& subject);

// Returns the device that the text of a finding's witness names, or -1.
int64_t DeviceOfWitness(std::string_view witness);

}  // namespace layoutcheck
