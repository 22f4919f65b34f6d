# Static and shared libraries, each built once by each compiler that is there. Other tests have the static libraries of this
# compiler, and build every example with them. The Debian packages have this compiler's shared libraries. clang++ builds shared
# ones. If tools are missing, the tests are left out, and scripts/test says so.
find_program(SHLIBDEPS dpkg-shlibdeps)
find_program(LINTIAN lintian)
mark_as_advanced(CLANGXX SHLIBDEPS LINTIAN)

# Tests of the package in a prefix, which the fixture with its name sets up: EXAMPLES and a plugin are built with it and run. A
# further argument says where the loader finds libraries that a program needs only for another library, as it would below /usr.
function(package_tests name fixture compiler prefix examples)
  set(data ${prefix}/${CMAKE_INSTALL_DATADIR}/subcore)
  set(work ${PROJECT_BINARY_DIR}/packages/${fixture})
  set(common -DGENERATOR=${CMAKE_GENERATOR} -DCOMPILER=${compiler} -DPREFIX=${prefix} -DDATA=${data})
  set(external_dram "")
  set(strict_target "l2 updated")
  set(host_launch "malekeh ${work}_host_launch.json")
  foreach(example IN LISTS examples)
    set(test "package: ${example}, ${name}")
    add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} ${common} -DNAME=${example} -DWORK=${work}_${example}
      -DSOURCE=${data}/examples/${example} "-DARGUMENTS=${${example}}" -DTRACE=${data}/traces/hotspot
      -P ${CMAKE_CURRENT_SOURCE_DIR}/run_example.cmake)
    list(APPEND tests ${test})
  endforeach()
  set(test "package: plugin, ${name}")
  add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} ${common} -DWORK=${work}_plugin -DTRACE=${data}/traces/hotspot
    -DPROGRAM=$<TARGET_FILE:subcore> -P ${CMAKE_CURRENT_SOURCE_DIR}/run_plugin.cmake)
  set_tests_properties(${tests} ${test} PROPERTIES FIXTURES_REQUIRED ${fixture} TIMEOUT 1200)
  if(ARGN)
    set_tests_properties(${tests} ${test} PROPERTIES ENVIRONMENT LD_LIBRARY_PATH=${ARGN})
  endif()
endfunction()

set(examples external_dram host_launch strict_target)
function(package_variant name fixture)
  set(folder ${PROJECT_BINARY_DIR}/packages/${fixture})
  add_test(NAME "package: ${name}" COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DGENERATOR=${CMAKE_GENERATOR}
    -DCOMPILER=${CLANGXX} -DWORK=${folder} -DPREFIX=${folder}_prefix "-DOPTIONS=-DCMAKE_UNITY_BUILD=ON;${ARGN}"
    -P ${CMAKE_CURRENT_SOURCE_DIR}/install_variant.cmake)
  set_tests_properties("package: ${name}" PROPERTIES FIXTURES_SETUP ${fixture} PROCESSORS 2 TIMEOUT 3600)
  package_tests("${name}" ${fixture} ${CLANGXX} ${folder}_prefix "${examples}")
endfunction()

package_tests("static" installed_prefix ${CMAKE_CXX_COMPILER} ${prefix} "")
if(CLANGXX)
  # Also with a later C++ standard than that of Debian's SystemC.
  package_variant("clang++ shared" clang_shared -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_STANDARD=20)
endif()
if(SHLIBDEPS AND LINTIAN)
  set(folder ${PROJECT_BINARY_DIR}/packages/debian)
  add_test(NAME "package: Debian" COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DWORK=${folder}
    -DROOT=${folder}_root -P ${CMAKE_CURRENT_SOURCE_DIR}/install_debian.cmake)
  set_tests_properties("package: Debian" PROPERTIES FIXTURES_SETUP debian PROCESSORS 2 TIMEOUT 3600)
  package_tests("Debian" debian ${CMAKE_CXX_COMPILER} ${folder}_root/usr "${examples}"
    ${folder}_root/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()
