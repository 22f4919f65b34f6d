# The recipe of docs/extending.md for an execution unit. The patch on the page is applied to a copy of the sources. Another
# project builds this copy as one of its folders. Programs of that project run, and one of them uses the new unit.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
foreach(entry base model tracer modules platforms power observers program cmake examples CMakeLists.txt)
  file(COPY ${SOURCE}/${entry} DESTINATION ${WORK}/subcore)
endforeach()
file(READ ${SOURCE}/docs/extending.md text)
if(NOT "${text}" MATCHES "\n```diff\n([^`]*)```")
  message(FATAL_ERROR "docs/extending.md shows no patch")
endif()
file(WRITE ${WORK}/unit.patch "${CMAKE_MATCH_1}")
run(${CMAKE_COMMAND} -E chdir ${WORK}/subcore patch --fuzz=0 -p1 -i ${WORK}/unit.patch)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -B ${WORK}/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DSUBCORE_SOURCE=${WORK}/subcore)
run(${CMAKE_COMMAND} --build ${WORK}/build --parallel 2)
foreach(program at_memory new_unit)
  run(${CMAKE_COMMAND} -E env SUBCORE_DATA=${SOURCE} ${WORK}/build/${program} ${TRACE})
endforeach()
