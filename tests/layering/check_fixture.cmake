# cmake -P check_fixture.cmake: the check finds exactly what is wrong in fixture/, and nothing else.
set(here "${CMAKE_CURRENT_LIST_DIR}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" "-DROOT=${here}/fixture" "-DMODULES=${here}/fixture/modules.txt"
          -P "${here}/check_layering.cmake"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
file(READ "${here}/fixture/expected.txt" expected)
string(FIND "${errors}" "${expected}" at)
if(result EQUAL 0 OR NOT at EQUAL 0)
  message(FATAL_ERROR "expected a failure (exit ${result}) that begins with\n${expected}\ngot\n${errors}")
endif()
