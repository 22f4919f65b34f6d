# One example, compiled by hand with the flags that pkg-config gives.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(ENV{PKG_CONFIG_PATH} ${LIBDIR}/pkgconfig)
run(pkg-config --cflags --libs subcore)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${COMPILER} -std=c++17 ${SOURCE} ${flags} -o ${WORK}/example)
run(${CMAKE_COMMAND} -E env SUBCORE_DATA=${DATA} ${WORK}/example ${TRACE})
