// The file in which `prove --results` keeps what it found out, so that a run that was ended goes on there.
#ifndef LAYOUTCHECK_SOLVER_FILES_PROVE_RESULTS_FILE_H_
#define LAYOUTCHECK_SOLVER_FILES_PROVE_RESULTS_FILE_H_

#include <cstdio>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// A JSON line an entry, {"asked":...,"entry":...,"results":[...]}, written as soon as the results are known; they are
// lines of `prove --json`.
class ProveResultsFile {
 public:
  using Json = nlohmann::ordered_json;

  // A file in which nothing is found, and that keeps nothing.
  ProveResultsFile() = default;
  ~ProveResultsFile();
  ProveResultsFile(const ProveResultsFile&) = delete;
  ProveResultsFile& operator=(const ProveResultsFile&) = delete;

  // Opens the file, which need not exist. `asked` says what is asked apart from the entries: results of another
  // question are kept, and not found. A line that a run was ended in, and is no JSON for that, is passed over. To be
  // called once. Errors: a file that cannot be written (unavailable); JSON that Write did not write (syntax, with the
  // line's number).
  Expected<void> Open(const std::string& path, std::string asked);

  // The results for an entry, null where there are none.
  const std::vector<Json>* Find(const std::string& entry) const;
  // Keeps the results. May be called from several threads.
  void Write(const std::string& entry, const std::vector<Json>& results);

 private:
  Expected<void> Read(const std::string& path);

  std::string asked_;
  std::map<std::string, std::vector<Json>> known_;
  std::FILE* file_ = nullptr;
  std::mutex mutex_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FILES_PROVE_RESULTS_FILE_H_
