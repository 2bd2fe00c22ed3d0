# Install rules and the CMake package `Ringspan` (target Ringspan::ringspan). Headers keep their paths
# from the root below include/ringspan, so that a user writes the same #include lines as we do.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(RINGSPAN_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/Ringspan")

install(TARGETS ringspan EXPORT RingspanTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ringspan")
foreach(command IN ITEMS ringspan_command)
  if(TARGET ${command})
    install(TARGETS ${command} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()

get_property(modules GLOBAL PROPERTY RINGSPAN_MODULES)
foreach(module IN LISTS modules)
  get_property(folder GLOBAL PROPERTY RINGSPAN_FOLDER_${module})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ringspan/${folder}"
          FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY "${PROJECT_BINARY_DIR}/generated/"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ringspan" FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT RingspanTargets NAMESPACE Ringspan:: DESTINATION "${RINGSPAN_PACKAGE_DIR}")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/RingspanConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/RingspanConfig.cmake"
  INSTALL_DESTINATION "${RINGSPAN_PACKAGE_DIR}")
# Below 1.0 every minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/RingspanConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/RingspanConfig.cmake"
              "${PROJECT_BINARY_DIR}/package/RingspanConfigVersion.cmake"
        DESTINATION "${RINGSPAN_PACKAGE_DIR}")
