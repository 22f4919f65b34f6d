# Debian packages, made with cpack -G DEB (scripts/package does the whole work): libraries with the data that they read,
# files to build with them, the program, the Python package.
find_program(GZIP gzip REQUIRED)
set(SUBCORE_PACKAGER "subcore maintainers <maintainers@subcore.example.org>" CACHE STRING "Maintainer: name and address")

# This release sorts before a Debian revision of the same version.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0upstream1)
set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(library libsubcore${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME subcore)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGE_CONTACT ${SUBCORE_PACKAGER})
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL runtime development program python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE subcore)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Libraries of the packages that are being made belong to no installed package yet.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${rooms} program)
list(TRANSFORM CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS PREPEND ${PROJECT_BINARY_DIR}/)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "model of a GPU's sub-cores - shared libraries
SystemC modules of the sub-cores of a GPU's streaming multiprocessors and
of their register-operand path, and the platform files and energy tables
that they read.")
# The data belong to exactly one version.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_PROVIDES libsubcore)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONFLICTS libsubcore)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsubcore-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library} (= ${version}), libsystemc-dev, libyaml-dev, libzstd-dev, libboost-dev, libboost-iostreams-dev, libboost-program-options-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS nlohmann-json3-dev)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "model of a GPU's sub-cores - headers and examples
What is needed to build simulations in SystemC and TLM-2.0 with subcore's
modules: headers, files for CMake and pkg-config, examples.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME subcore)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "${library} (= ${version})")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "python3-subcore (= ${version})")  # for reports and figures; everything else runs without
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "model of a GPU's sub-cores - simulator
Plays warp traces on transaction-level models of the sub-cores of a GPU's
streaming multiprocessors, and says what register file caches and operand
collectors do to cycles, bank traffic and energy.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-subcore)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9), python3-jinja2, python3-matplotlib, python3-pandas, python3-scipy, python3-tqdm, python3-yaml")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS subcore)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "model of a GPU's sub-cores - tables and figures in Python
Reads the results of the simulator subcore as tables of pandas, runs it, and
draws figures of IPC, energy and stalls with matplotlib.")

# Texts that Debian requires in every package.
set(made ${PROJECT_BINARY_DIR}/debian)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # or SOURCE_DATE_EPOCH, if that is set
configure_file(cmake/debian/changelog.in ${made}/changelog @ONLY)
configure_file(cmake/debian/library.overrides ${made}/${library} @ONLY)
foreach(text ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${made}/changelog)
  get_filename_component(name ${text} NAME)
  execute_process(COMMAND ${GZIP} -9nc ${text} OUTPUT_FILE ${made}/${name}.gz COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(component runtime development program python)
  string(TOUPPER ${component} upper)
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES cmake/debian/copyright DESTINATION ${doc} COMPONENT ${component})
  install(FILES ${made}/changelog.gz DESTINATION ${doc} RENAME changelog.Debian.gz COMPONENT ${component})
  install(FILES ${made}/CHANGELOG.md.gz DESTINATION ${doc} RENAME changelog.gz COMPONENT ${component})
endforeach()
install(FILES ${made}/${library} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT runtime)
install(FILES cmake/debian/development.overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
  RENAME ${CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME} COMPONENT development)

include(CPack)
