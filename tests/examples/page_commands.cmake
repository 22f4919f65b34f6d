# run_page_commands(PAGE FOLDER PATTERN LEAST): the commands of PAGE that match PATTERN, in their order, in FOLDER, which
# must be LEAST or more. To build and install the library as the pages say would take minutes, so the prefix is that of
# the other tests.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
function(run_page_commands page folder pattern least)
  file(STRINGS ${page} commands REGEX "^    ${pattern}")
  set(count 0)
  foreach(command IN LISTS commands)
    string(STRIP "${command}" command)
    if(command STREQUAL "cmake --build build/library --parallel 2 && cmake --install build/library")
      continue()
    endif()
    string(REPLACE "$HOME/.local" "${PREFIX}" command "${command}")
    run(${CMAKE_COMMAND} -E chdir ${folder} ${CMAKE_COMMAND} -E env CXX=${COMPILER} CMAKE_GENERATOR=${GENERATOR}
      SUBCORE_DATA=${DATA} sh -c "${command}")
    math(EXPR count "${count} + 1")
  endforeach()
  if(count LESS least)
    message(FATAL_ERROR "${count} commands in ${page}; expected ${least} or more")
  endif()
endfunction()
