# isl::isl, the library that every proof is made with: the static one that tools/build_isl.sh puts into
# .isl, or that of the system.
option(SOLWAY_SYSTEM_ISL "Link the isl of the system; Debian's takes twice as long for a proof" OFF)

if(SOLWAY_SYSTEM_ISL)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(isl REQUIRED IMPORTED_TARGET isl>=0.25)
  add_library(isl::isl ALIAS PkgConfig::isl)
else()
  set(isl_place ${PROJECT_SOURCE_DIR}/.isl)
  if(NOT EXISTS ${isl_place}/stamp)
    message(
      FATAL_ERROR
        "isl is not built: run tools/build_isl.sh, or configure with -DSOLWAY_SYSTEM_ISL=ON to link "
        "the isl of the system (Debian's has GMP's numbers, and proofs take twice as long); "
        "pip install . -C cmake.define.SOLWAY_SYSTEM_ISL=ON does so")
  endif()
  add_library(isl::isl STATIC IMPORTED)
  set_target_properties(
    isl::isl PROPERTIES IMPORTED_LOCATION ${isl_place}/lib/libisl.a INTERFACE_INCLUDE_DIRECTORIES
                                                                    ${isl_place}/include)
  if(SKBUILD)
    install(DIRECTORY ${isl_place}/licenses DESTINATION solway COMPONENT python)
  endif()
endif()
