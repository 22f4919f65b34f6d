# Finds SystemC and provides SystemC::systemc. First choice is a CMake package (Accellera's own builds), and then
# library and headers. The places are below SYSTEMC_HOME, if that is set, then where pkg-config says (Debian), then
# in the usual places.
if(TARGET SystemC::systemc)
  set(SystemC_FOUND TRUE)
  return()
endif()
find_package(SystemCLanguage CONFIG QUIET HINTS $ENV{SYSTEMC_HOME})
if(TARGET SystemC::systemc)
  set(SystemC_FOUND TRUE)
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(PC_SYSTEMC QUIET systemc)
  endif()
  find_path(SystemC_INCLUDE_DIR systemc HINTS $ENV{SYSTEMC_HOME}/include ${PC_SYSTEMC_INCLUDE_DIRS})
  find_library(SystemC_LIBRARY systemc
    HINTS $ENV{SYSTEMC_HOME}/lib $ENV{SYSTEMC_HOME}/lib-linux64 ${PC_SYSTEMC_LIBRARY_DIRS})
  include(FindPackageHandleStandardArgs)
  find_package_handle_standard_args(SystemC REQUIRED_VARS SystemC_LIBRARY SystemC_INCLUDE_DIR)
  if(SystemC_FOUND)
    # GLOBAL: projects that have this project as a subfolder can link its dependencies.
    add_library(SystemC::systemc UNKNOWN IMPORTED GLOBAL)
    set_target_properties(SystemC::systemc PROPERTIES IMPORTED_LOCATION ${SystemC_LIBRARY})
    target_include_directories(SystemC::systemc SYSTEM INTERFACE ${SystemC_INCLUDE_DIR})
  endif()
  mark_as_advanced(SystemC_INCLUDE_DIR SystemC_LIBRARY)
endif()

# A program that links SystemC must name a symbol that says with which C++ standard SystemC was built. SystemC's headers
# need that standard or a later one. The library has the symbol. An installed CMake package may have set the standard
# itself.
if(SystemC_FOUND)
  get_target_property(library SystemC::systemc LOCATION)
  get_target_property(definitions SystemC::systemc INTERFACE_COMPILE_DEFINITIONS)
  if(EXISTS "${library}" AND NOT "${definitions}" MATCHES "SC_CPLUSPLUS")
    file(STRINGS ${library} symbol REGEX "sc_api_version_[0-9_]+_cxx[0-9]+L" LIMIT_COUNT 1)
  endif()
  if(symbol MATCHES "_cxx(20([0-9][0-9])[0-9][0-9]L)")
    set_property(TARGET SystemC::systemc APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS SC_CPLUSPLUS=${CMAKE_MATCH_1})
    set_property(TARGET SystemC::systemc APPEND PROPERTY INTERFACE_COMPILE_FEATURES cxx_std_${CMAKE_MATCH_2})
  endif()
endif()
