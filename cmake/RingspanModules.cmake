# ringspan_module(NAME LAYER n SOURCES file... [DEPENDS module...] [PRIVATE_LIBRARIES target...])
#
# Makes one object library per module and refuses, at configure time, a dependency that is not in a
# strictly lower layer (the table of layers is in CONTRIBUTING.md). PRIVATE_LIBRARIES are third-party
# targets which no header of ours shows: of headers only, or one of RINGSPAN_LINKED_LIBRARIES; fmt comes
# by itself. tests/layering compares every #include with DEPENDS.

set_property(GLOBAL PROPERTY RINGSPAN_MODULES "")

# Third-party libraries that are more than headers: users of ours link them too, so that
# RingspanConfig.cmake.in must find each.
set(RINGSPAN_LINKED_LIBRARIES fmt::fmt NLopt::nlopt pugixml::pugixml)

function(ringspan_module name)
  cmake_parse_arguments(arg "" "LAYER" "SOURCES;DEPENDS;PRIVATE_LIBRARIES" ${ARGN})
  if(NOT DEFINED arg_LAYER)
    message(FATAL_ERROR "module ${name}: LAYER is missing")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "module ${name}: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(library IN LISTS arg_PRIVATE_LIBRARIES)
    get_target_property(type ${library} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY" AND NOT library IN_LIST RINGSPAN_LINKED_LIBRARIES)
      message(FATAL_ERROR "module ${name}: ${library} is more than headers, so users of the library "
                          "have to link it: ringspan_library() and RingspanConfig.cmake must know it")
    endif()
  endforeach()
  add_library(${name} OBJECT ${arg_SOURCES})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
  target_link_libraries(${name} PRIVATE ringspan_options fmt::fmt ${arg_PRIVATE_LIBRARIES})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  if(RINGSPAN_SANITIZE)
    # The tests run three times as fast, for half as much compiling again; they themselves stay at -O0.
    target_compile_options(${name} PRIVATE -O1)
  endif()
  foreach(dependency IN LISTS arg_DEPENDS)
    get_property(layer GLOBAL PROPERTY RINGSPAN_LAYER_${dependency})
    if(layer STREQUAL "")
      message(FATAL_ERROR "module ${name} depends on ${dependency}, which is not declared before it")
    endif()
    if(NOT layer LESS arg_LAYER)
      message(FATAL_ERROR "module ${name} (layer ${arg_LAYER}) may not use ${dependency} (layer ${layer})")
    endif()
  endforeach()
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  set_property(GLOBAL PROPERTY RINGSPAN_LAYER_${name} ${arg_LAYER})
  set_property(GLOBAL PROPERTY RINGSPAN_FOLDER_${name} "${folder}")
  set_property(GLOBAL PROPERTY RINGSPAN_DEPENDS_${name} "${arg_DEPENDS}")
  set_property(GLOBAL APPEND PROPERTY RINGSPAN_MODULES ${name})
endfunction()

# ringspan_library(): one static library over all modules, for the command, the tests and users.
function(ringspan_library)
  get_property(modules GLOBAL PROPERTY RINGSPAN_MODULES)
  add_library(ringspan STATIC)
  foreach(module IN LISTS modules)
    target_sources(ringspan PRIVATE $<TARGET_OBJECTS:${module}>)
  endforeach()
  target_include_directories(ringspan PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
    $<INSTALL_INTERFACE:include/ringspan>)
  target_link_libraries(ringspan PRIVATE
    $<BUILD_INTERFACE:ringspan_options> ${RINGSPAN_LINKED_LIBRARIES})
  target_compile_features(ringspan PUBLIC cxx_std_20)
  if(RINGSPAN_SANITIZE)
    # A sanitized archive cannot be linked without the sanitizer's runtime, by anyone.
    target_link_options(ringspan INTERFACE -fsanitize=address,undefined)
  endif()
  add_library(Ringspan::ringspan ALIAS ringspan)
endfunction()

# ringspan_describe_modules(FILE): one line per module, "name|folder|layer|depends,...", for scripts.
function(ringspan_describe_modules file)
  get_property(modules GLOBAL PROPERTY RINGSPAN_MODULES)
  set(lines "")
  foreach(module IN LISTS modules)
    get_property(folder GLOBAL PROPERTY RINGSPAN_FOLDER_${module})
    get_property(layer GLOBAL PROPERTY RINGSPAN_LAYER_${module})
    get_property(depends GLOBAL PROPERTY RINGSPAN_DEPENDS_${module})
    string(REPLACE ";" "," depends "${depends}")
    string(APPEND lines "${module}|${folder}|${layer}|${depends}\n")
  endforeach()
  file(CONFIGURE OUTPUT "${file}" CONTENT "${lines}" @ONLY)
endfunction()
