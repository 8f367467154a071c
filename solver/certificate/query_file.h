// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of queries, for other solvers.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_QUERY_FILE_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_QUERY_FILE_H_

#include <string>
#include <string_view>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

// Returns the file name of a query about this layout. It consists of letters, digits, '-', '.' and '_' and is different
// for different layouts: f32[M,N]{1,0:T(8,128)} and "injective every two indices.certificate" give
// f32_M_N_1_0_T_8_128-HASH-injective_every_two_indices.certificate.smt2. If `layout` is empty, the name is that of the
// part.
std::string QueryFileName(std::string_view layout, std::string_view part);

// Writes the query to directory/file_name, and makes the directory if it is missing. Errors: unavailable.
Expected<void> EmitQuery(const std::string& directory, const std::string& file_name, const SmtQuery& query);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_QUERY_FILE_H_
