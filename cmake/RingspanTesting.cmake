# ringspan_find_test_packages(): sets RINGSPAN_TESTS to whether the tests are built. Wanted but not
# possible is said and not an error: the library and the command need no test package.
#
# ringspan_test(NAME SOURCES file... [LIBRARIES target...]): one GoogleTest program over the library.
# Every test case becomes a CTest test. Does nothing where the tests are not built.

function(ringspan_find_test_packages)
  set(RINGSPAN_TESTS OFF PARENT_SCOPE)
  if(NOT RINGSPAN_BUILD_TESTS)
    return()
  endif()
  find_package(GTest 1.12 QUIET)
  if(NOT TARGET GTest::gmock_main)
    message(STATUS "Tests are not built: GoogleTest >= 1.12 is missing "
                   "(Debian: libgtest-dev libgmock-dev)")
    return()
  endif()
  set_property(GLOBAL PROPERTY RINGSPAN_TESTS ON)
  set(RINGSPAN_TESTS ON PARENT_SCOPE)
endfunction()

if(RINGSPAN_BUILD_TESTS)
  enable_testing()
  include(GoogleTest)
endif()

function(ringspan_test name)
  get_property(wanted GLOBAL PROPERTY RINGSPAN_TESTS)
  if(NOT wanted)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ringspan ringspan_options GTest::gmock_main ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT 300)
endfunction()
