# Configures, builds and runs one example in an empty folder, with ARGUMENTS before the trace.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_PREFIX_PATH=${PREFIX} ${OPTIONS})
run(${CMAKE_COMMAND} --build ${WORK} --parallel 2)
separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
run(${CMAKE_COMMAND} -E env SUBCORE_DATA=${DATA} ${WORK}/${NAME} ${arguments} ${TRACE})
