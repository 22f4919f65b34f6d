# One source file, compiled by hand with the flags that pkg-config returns for MODULE (default: subcore), and run with ARGUMENTS
# before the trace.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(ENV{PKG_CONFIG_PATH} ${LIBDIR}/pkgconfig)
if(NOT MODULE)
  set(MODULE subcore)
endif()
run(pkg-config --cflags --libs ${MODULE})
separate_arguments(flags UNIX_COMMAND "${output}")
separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
run(${COMPILER} -std=c++17 ${SOURCE} ${flags} -o ${WORK}/example)
run(${CMAKE_COMMAND} -E env SUBCORE_DATA=${DATA} ${WORK}/example ${arguments} ${TRACE})
