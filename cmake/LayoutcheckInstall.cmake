# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installed copies beyond the targets themselves: the files by which CMake and pkg-config find the libraries, and the Debian
# packages of `cpack -G DEB`. The install component `library` becomes the package liblayoutcheck-dev, `program` the package
# layoutcheck.

include(CMakePackageConfigHelpers)
set(config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/layoutcheck")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/layoutcheckConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/layoutcheckConfig.cmake" "${PROJECT_BINARY_DIR}/layoutcheckConfigVersion.cmake"
        DESTINATION "${config_folder}" COMPONENT library)
configure_file("${CMAKE_CURRENT_LIST_DIR}/layoutcheck.pc.in" "${PROJECT_BINARY_DIR}/layoutcheck.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/layoutcheck.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT library)
foreach(component program library)
  if(component STREQUAL "program")
    set(package layoutcheck)
  else()
    set(package liblayoutcheck-dev)
  endif()
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" RENAME copyright
          COMPONENT ${component})
endforeach()

set(CPACK_PACKAGE_CONTACT "The layoutcheck maintainers <maintainers@layoutcheck.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_COMPONENTS_ALL library program)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME layoutcheck)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME liblayoutcheck-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
# The component `core` needs none of these, so they are not Depends.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "libfmt-dev, libpcre2-dev, libz3-dev")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The layoutcheck program, its manual page and shell completions.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Headers and static libraries: layoutcheck::core, ::properties and ::solver.")
include(CPack)
