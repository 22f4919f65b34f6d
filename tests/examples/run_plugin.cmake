# A user's shared object with a GPU in it can be loaded, and counts the cycles that the program counts.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/plugin -B ${WORK} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_PREFIX_PATH=${PREFIX})
run(${CMAKE_COMMAND} --build ${WORK} --parallel 2)
set(environment ${CMAKE_COMMAND} -E env SUBCORE_DATA=${DATA})
run(${environment} ${PROGRAM} run -p malekeh -t ${TRACE} --json ${WORK}/malekeh.json)
file(READ ${WORK}/malekeh.json json)
string(JSON expected GET "${json}" cycles)
run(${environment} ${WORK}/host ${WORK}/libplugin.so malekeh ${TRACE})
if(NOT output MATCHES "cycles: ${expected}\n")
  message(FATAL_ERROR "the program takes ${expected} cycles")
endif()
