# Flags and choices every target shares. The arithmetic flags are part of the contract that the same
# input gives the same bytes on both compilers: no contraction, no fast-math, no -march=native.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

option(RINGSPAN_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(RINGSPAN_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
option(RINGSPAN_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(RINGSPAN_FUZZ "Build the libFuzzer programs of tests/fuzz (clang only)" OFF)
if(RINGSPAN_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "RINGSPAN_FUZZ needs clang++ (preset `fuzz`); this is ${CMAKE_CXX_COMPILER_ID}")
endif()

find_program(RINGSPAN_CCACHE ccache)
if(RINGSPAN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${RINGSPAN_CCACHE}")
endif()

add_library(ringspan_options INTERFACE)
target_compile_features(ringspan_options INTERFACE cxx_std_20)
target_compile_options(ringspan_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -ffp-contract=off
  # With optimisation g++ 12 sees overlapping copies in "text" + std::string (GCC bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<NOT:$<CONFIG:Debug>>>:-Wno-restrict>
  $<$<BOOL:${RINGSPAN_WARNINGS_AS_ERRORS}>:-Werror>)
if(RINGSPAN_SANITIZE)
  target_compile_options(ringspan_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(ringspan_options INTERFACE -fsanitize=address,undefined)
endif()
if(RINGSPAN_FUZZ)
  # Coverage counters in the library too, else the fuzzer sees only its own entry function.
  target_compile_options(ringspan_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
