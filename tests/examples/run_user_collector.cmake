# The example whose main is the program's: its own kind of collector is compared with the one it is made from, proves
# itself like any other, and is found out when results leave old copies in its victim buffer.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_PREFIX_PATH=${PREFIX})
run(${CMAKE_COMMAND} --build ${WORK} --parallel 2)
set(program ${CMAKE_COMMAND} -E env SUBCORE_DATA=${DATA} ${WORK}/user_collector)

run(${program} compare -p malekeh -p ${SOURCE}/victim.yaml -t ${TRACE} -r ${WORK}/results)
if(NOT output MATCHES "malekeh +[0-9]+ .*victim +[0-9]+ ")
  message(FATAL_ERROR "no table of both platforms")
endif()
file(READ ${WORK}/results/results.json results)
string(REGEX MATCHALL "\"stale_operands\": 0," proofs "${results}")
list(LENGTH proofs count)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "${count} runs without stale operands; expected 2")
endif()
file(GLOB_RECURSE statistics ${WORK}/results/victim/stats.csv)
file(STRINGS ${statistics} hits REGEX "victim_hits,[1-9]")
if(NOT hits)
  message(FATAL_ERROR "nothing was found in a victim buffer")
endif()

execute_process(COMMAND ${program} run -p ${SOURCE}/victim.yaml -t ${TRACE} --set sub_core.collector.stale_victims=true
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
message(STATUS "${output}")
if(result EQUAL 0 OR NOT output MATCHES "is version [0-9]+, program order demands [0-9]+")
  message(FATAL_ERROR "stale operands of the victim buffer were not found")
endif()
