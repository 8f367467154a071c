// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/layouts/laws.h"
#include <gtest/gtest.h>

namespace layoutcheck::verify {
namespace {

struct Stated {
  std::vector<std::string> facts;
  std::vector<std::string> goals;
};

std::vector<std::string> PartsOf(std::string_view law, const Layout& layout) {
  std::vector<std::string> parts;
  for (const Sequent& sequent : SequentsOf(law, layout)) parts.push_back(sequent.part);
  return parts;
}

Stated State(const Sequent& sequent) {
  Statement statement;
  sequent.state(statement);
  const auto texts = [&](const std::vector<Relation>& relations) {
    std::vector<std::string> result;
    for (const Relation& r : relations) {
      result.push_back(statement.ring().ToText(r.polynomial) + (r.is_equation ? " = 0" : " >= 0"));
    }
    return result;
  };
  return {texts(statement.facts()), texts(statement.goals())};
}

TEST(Laws, EachHasItsParts) {
  const Layout layout = *ReadLayout("f32[M,N,M]{2,1,0:T(8,N)}");
  using Parts = std::vector<std::string>;
  EXPECT_EQ(PartsOf("injective", layout), Parts{"every two indices"});
  EXPECT_EQ(PartsOf("in-bounds", layout), Parts{"every index"});
  EXPECT_EQ(PartsOf("padding-minimal", layout), Parts{"every tile"});
  EXPECT_EQ(PartsOf("equals-pad-reshape-transpose", layout), Parts{"every index"});
  EXPECT_EQ(PartsOf("equals-mixed-radix", layout), (Parts{"padded elements", "every index"}));
  EXPECT_EQ(PartsOf("inverse", layout), (Parts{"every index", "every offset that is no padding", "M = 0"}));
  EXPECT_EQ(PartsOf("onto-padded-box", layout), (Parts{"every point of the padded box", "every offset", "M = 0"}));
  EXPECT_EQ(PartsOf("equals-hlo", layout), Parts{});
  const Layout empty = *ReadLayout("f32[M,0]{1,0}");
  EXPECT_EQ(PartsOf("inverse", empty), Parts{"no element, as a dimension is 0"});
  EXPECT_EQ(PartsOf("equals-mixed-radix", empty), (Parts{"padded elements", "no element, as a dimension is 0"}));
  EXPECT_EQ(PartsOf("padding-minimal", empty), Parts{"every tile"});
}

TEST(Laws, InBoundsIsStatedAboutElements) {
  const Layout layout = *ReadLayout("f32[M,N]{0,1}");
  const Stated stated = State(SequentsOf("in-bounds", layout)[0]);
  EXPECT_EQ(stated.facts, (std::vector<std::string>{"-1 + M >= 0", "-1 + N >= 0", "i0 >= 0", "-1 + M - i0 >= 0",
                                                    "i1 >= 0", "-1 + N - i1 >= 0"}));
  EXPECT_EQ(stated.goals, (std::vector<std::string>{"-1 - i0 - M*i1 + M*N >= 0", "i0 + M*i1 >= 0"}));
}

TEST(Laws, AnIndexMayHaveTheNameOfADimension) {
  const Layout layout = *ReadLayout("f32[j0]{0}");
  const Stated stated = State(SequentsOf("injective", layout)[0]);
  EXPECT_EQ(stated.facts, (std::vector<std::string>{"-1 + j0 >= 0", "i0 >= 0", "-1 + j0 - i0 >= 0", "j0! >= 0",
                                                    "-1 + j0 - j0! >= 0", "i0 - j0! = 0"}));
  EXPECT_EQ(stated.goals, std::vector<std::string>{"i0 - j0! = 0"});
}

TEST(Laws, PaddingIsMinimalPerTiledDigit) {
  const Layout layout = *ReadLayout("f32[N]{0:T(8)(P)}");
  const Stated stated = State(SequentsOf("padding-minimal", layout)[0]);
  EXPECT_EQ(stated.facts,
            (std::vector<std::string>{"N >= 0", "-1 + P >= 0", "-N + 8*tiles0 >= 0", "-8 + P*tiles1 >= 0"}));
  EXPECT_EQ(stated.goals.size(), 6u);
  EXPECT_EQ(stated.goals[1], "7 + N - 8*((7 + N) floordiv 8) >= 0");
}

TEST(Laws, ANameThatIsZeroIsReplaced) {
  const Layout layout = *ReadLayout("f32[M,N]{1,0:T(8,P)}");
  const std::vector<Sequent> sequents = SequentsOf("inverse", layout);
  ASSERT_EQ(sequents.size(), 4u);
  const Stated stated = State(sequents[3]);
  EXPECT_EQ(sequents[3].part, "N = 0");
  EXPECT_EQ(stated.facts, (std::vector<std::string>{"M >= 0", "-1 + P >= 0"}));
  EXPECT_EQ(stated.goals.size(), 2u);
}

}  // namespace
}  // namespace layoutcheck::verify
