# ringspan_fuzz(NAME SOURCE file CORPUS folder)
#
# SOURCE defines LLVMFuzzerTestOneInput. Every build replays the files of CORPUS through it as a CTest
# test, with any compiler, so a found input stays fixed. With RINGSPAN_FUZZ (preset `fuzz`, clang) the
# program `fuzz_NAME` searches for new ones:  build/fuzz/tests/fuzz/fuzz_NAME CORPUS

function(ringspan_fuzz name)
  cmake_parse_arguments(arg "" "SOURCE;CORPUS" "" ${ARGN})
  add_executable(replay_${name} ${arg_SOURCE} "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cpp")
  target_link_libraries(replay_${name} PRIVATE ringspan ringspan_options)
  set_target_properties(replay_${name} PROPERTIES CXX_EXTENSIONS OFF)
  add_test(NAME fuzz.replay.${name}
           COMMAND replay_${name} "${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS}")
  set_tests_properties(fuzz.replay.${name} PROPERTIES TIMEOUT 120)
  if(NOT RINGSPAN_FUZZ)
    return()
  endif()
  add_executable(fuzz_${name} ${arg_SOURCE})
  target_link_libraries(fuzz_${name} PRIVATE ringspan ringspan_options)
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(fuzz_${name} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()
