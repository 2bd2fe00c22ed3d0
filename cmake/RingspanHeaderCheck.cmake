# Target `header_check`: compiles every header of the modules alone, twice in one file, so that each
# includes what it uses and has its guard. Not part of `all`: it compiles what others compile anyway.

get_property(modules GLOBAL PROPERTY RINGSPAN_MODULES)
set(sources "")
foreach(module IN LISTS modules)
  get_property(folder GLOBAL PROPERTY RINGSPAN_FOLDER_${module})
  file(GLOB headers RELATIVE "${PROJECT_SOURCE_DIR}"
       "${PROJECT_SOURCE_DIR}/${folder}/*.h")
  foreach(header IN LISTS headers)
    set(source "${PROJECT_BINARY_DIR}/header_check/${header}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${header}\"\n#include \"${header}\"\n" @ONLY)
    list(APPEND sources "${source}")
  endforeach()
endforeach()

add_library(header_check OBJECT EXCLUDE_FROM_ALL ${sources})
target_include_directories(header_check PRIVATE
  "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
target_link_libraries(header_check PRIVATE ringspan_options)
set_target_properties(header_check PROPERTIES CXX_EXTENSIONS OFF)
