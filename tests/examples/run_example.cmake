# Configures, builds and runs one example in an empty folder.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_PREFIX_PATH=${PREFIX} ${OPTIONS})
run(${CMAKE_COMMAND} --build ${WORK} --parallel 2)
run(${CMAKE_COMMAND} -E env SUBCORE_DATA=${DATA} ${WORK}/${NAME} ${TRACE})
