# ringspan_embed(OUTPUT_CPP FUNCTION name FILES file...)
#
# Writes a C++ file that defines `std::span<const ringspan::EmbeddedFile> ringspan::FUNCTION()`: the
# files' contents, compiled in, so that the catalogue is found from a build folder, an install and a
# user of the library alike. Files keep the order given; names are without folder and extension.

set(RINGSPAN_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/embed_files.cmake")

function(ringspan_embed output)
  cmake_parse_arguments(arg "" "FUNCTION" "FILES" ${ARGN})
  set(absolute "")
  foreach(file IN LISTS arg_FILES)
    list(APPEND absolute "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  endforeach()
  set(target_file "${CMAKE_CURRENT_BINARY_DIR}/${output}")
  string(REPLACE ";" "|" joined "${absolute}")
  add_custom_command(
    OUTPUT "${target_file}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${target_file}" "-DFUNCTION=${arg_FUNCTION}"
            "-DFILES=${joined}" -P "${RINGSPAN_EMBED_SCRIPT}"
    DEPENDS ${absolute} "${RINGSPAN_EMBED_SCRIPT}"
    COMMENT "Embedding ${arg_FUNCTION}"
    VERBATIM)
endfunction()
