# Debian packages as scripts/package makes them and lintian accepts them, unpacked below ROOT.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK} ${ROOT})
# Other tests cover the code of the packages. With fewer optimisations the packages are made in two thirds of the time.
run(${CMAKE_COMMAND} -E chdir ${SOURCE} ${CMAKE_COMMAND} --preset package -B ${WORK} -DCMAKE_CXX_FLAGS_RELEASE=-O1\ -DNDEBUG)
run(${SOURCE}/scripts/package ${WORK})
file(GLOB packages ${WORK}/*.deb)
list(LENGTH packages count)
if(NOT count EQUAL 4)
  message(FATAL_ERROR "${count} packages; expected libraries, what is needed to build with them, the program, and Python's")
endif()
foreach(package IN LISTS packages)
  run(dpkg-deb --extract ${package} ${ROOT})
endforeach()
