// Queries as files, for other people's solvers.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_QUERY_FILE_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_QUERY_FILE_H_

#include <string>
#include <string_view>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

// A file name for a query about this layout: letters, digits, '-', '.' and '_' only, different for different layouts.
// f32[M,N]{1,0:T(8,128)} and "injective every two indices.certificate" give
// f32_M_N_1_0_T_8_128-HASH-injective_every_two_indices.certificate.smt2. Without a layout the part alone makes it.
std::string QueryFileName(std::string_view layout, std::string_view part);

// Writes the query to directory/file_name, making the directory where it is missing. Errors: unavailable.
Expected<void> EmitQuery(const std::string& directory, const std::string& file_name, const SmtQuery& query);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_QUERY_FILE_H_
