# ringspan_test(NAME SOURCES file... [LIBRARIES target...]): one GoogleTest program over the library.
# Every test case becomes a CTest test.

function(ringspan_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ringspan ringspan_options GTest::gmock_main ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT 300)
endfunction()
