// A fact about a layout, as a line of text beside its picture.
#ifndef LAYOUTCHECK_CLI_PICTURES_FACT_H_
#define LAYOUTCHECK_CLI_PICTURES_FACT_H_

#include <string>

namespace layoutcheck {

// A line in what `show` says of a layout beside its sizes: "tile (2,2)" and "2 x 3 x 2 x 2".
struct Fact {
  std::string name;
  std::string value;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_PICTURES_FACT_H_
