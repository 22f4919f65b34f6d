# The installed package: libraries and headers, the program, data, and files by which CMake and pkg-config find them.
# All paths in it are relative to the prefix, so that it can be moved.
include(CMakePackageConfigHelpers)

# There are three components, which become three Debian packages: the files that programs need at run time, the files to
# build them, and the program subcore.
function(subcore_install export)
  install(TARGETS ${ARGN} EXPORT ${export}
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
endfunction()
subcore_install(subcore_targets subcore_base subcore_model subcore_tracer subcore_modules subcore_platforms subcore_power subcore_monitors
  subcore_observers subcore_all)
if(SUBCORE_PROGRAM)
  install(TARGETS subcore subcore-trace RUNTIME COMPONENT program)
  # CUDA programs link the library by its path. The library is no part of this project's interfaces.
  install(TARGETS subcore_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/subcore COMPONENT program)
  if(CMAKE_INSTALL_RPATH)
    set_target_properties(subcore_cuda PROPERTIES INSTALL_RPATH "$ORIGIN/..")
  endif()
  subcore_install(subcore_program_targets subcore_analysis subcore_runs subcore_report subcore_commands)
  # The program itself makes its shell completions and its manual pages.
  set(terminal ${PROJECT_BINARY_DIR}/terminal)
  add_custom_command(OUTPUT ${terminal}/man1/subcore.1.gz
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/terminal_files $<TARGET_FILE:subcore> ${terminal}
    DEPENDS subcore cmake/terminal_files VERBATIM)
  add_custom_target(terminal_files ALL DEPENDS ${terminal}/man1/subcore.1.gz)
  install(FILES ${terminal}/bash/subcore DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  # Debian keeps the folder site-functions for /usr/local.
  if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
    set(zsh_functions vendor-completions)
  else()
    set(zsh_functions site-functions)
  endif()
  install(FILES ${terminal}/zsh/_subcore DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_functions} COMPONENT program)
  install(DIRECTORY ${terminal}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
  install(FILES program/commands/program.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/subcore/program/commands
    COMPONENT development)
  install(FILES program/report/diagram/diagram_svg.h program/report/diagram/diagram.h program/report/diagram/layout.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/subcore/program/report/diagram COMPONENT development)
endif()
install(DIRECTORY python/subcore DESTINATION ${SUBCORE_PYTHON_FOLDER} COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN "*.mplstyle" PATTERN "page.*" PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${rooms} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/subcore COMPONENT development
  FILES_MATCHING PATTERN *.h)

set(data ${CMAKE_INSTALL_DATADIR}/subcore)
install(DIRECTORY platforms DESTINATION ${data} COMPONENT runtime FILES_MATCHING PATTERN *.yaml)
install(DIRECTORY power/tables DESTINATION ${data}/power COMPONENT runtime)
install(DIRECTORY scenarios/traces/vectoradd scenarios/traces/hotspot DESTINATION ${data}/traces COMPONENT runtime)
install(DIRECTORY docs examples DESTINATION ${data} COMPONENT development)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${data} COMPONENT development)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/subcore)
install(EXPORT subcore_targets NAMESPACE subcore:: FILE subcore-targets.cmake DESTINATION ${package}
  COMPONENT development)
if(SUBCORE_PROGRAM)
  install(EXPORT subcore_program_targets NAMESPACE subcore:: FILE subcore-program-targets.cmake DESTINATION ${package}
    COMPONENT development)
endif()
configure_package_config_file(cmake/subcore-config.cmake.in ${PROJECT_BINARY_DIR}/subcore-config.cmake
  INSTALL_DESTINATION ${package} PATH_VARS data)
# Before 1.0 every minor version may change interfaces.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/subcore-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/subcore-config.cmake ${PROJECT_BINARY_DIR}/subcore-config-version.cmake
  cmake/FindSystemC.cmake cmake/FindLibYaml.cmake cmake/FindZstd.cmake DESTINATION ${package} COMPONENT development)

file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(modules_of_pkg_config subcore)
if(SUBCORE_PROGRAM)
  list(APPEND modules_of_pkg_config subcore-program)
endif()
foreach(module ${modules_of_pkg_config})
  configure_file(cmake/${module}.pc.in ${PROJECT_BINARY_DIR}/${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endforeach()
