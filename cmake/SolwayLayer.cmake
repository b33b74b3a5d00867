include(GoogleTest)

# What every target is compiled with. A user's compiler may warn where ours does not, so that the
# wheel's build takes warnings as warnings (pyproject.toml). Optimising, g++ 12 takes strings of
# aggregates for uninitialised and their assignment for overlapping copies (GCC bug 105329).
set(SOLWAY_WARNINGS -Wall -Wextra -Wswitch-enum)
if(SOLWAY_WARNINGS_AS_ERRORS)
  list(APPEND SOLWAY_WARNINGS -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  list(APPEND SOLWAY_WARNINGS -Wno-maybe-uninitialized -Wno-restrict)
endif()

# solway_add_layer(<name> SOURCES ... DEPS <layer>... [PRIVATE_LIBS <target>...])
#
# Declares one layer: a static library `solway_<name>` (alias solway::<name>) built from the
# files of its folder. DEPS is what tools/check_layering.py holds its includes against.
function(solway_add_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_LIBS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "solway_add_layer(${name}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  add_library(solway_${name} STATIC ${ARG_SOURCES})
  add_library(solway::${name} ALIAS solway_${name})
  target_include_directories(solway_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_features(solway_${name} PUBLIC cxx_std_20)
  target_compile_options(solway_${name} PRIVATE ${SOLWAY_WARNINGS})
  list(TRANSFORM ARG_DEPS PREPEND solway::)
  target_link_libraries(solway_${name} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_LIBS})
  set_target_properties(solway_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# solway_add_test(<layer> SOURCES <file>_test.cpp... DEPS <layer>... [LIBS <target>...])
#
# Declares the GoogleTest program `solway_<layer>_test` of one layer; ctest runs each of its
# tests on its own, named <layer>.<suite>.<test>. Layers that are not part of this build (see
# the root CMakeLists.txt) have no tests either.
function(solway_add_test layer)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LIBS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "solway_add_test(${layer}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(solway_${layer}_test ${ARG_SOURCES})
  target_include_directories(solway_${layer}_test PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_features(solway_${layer}_test PRIVATE cxx_std_20)
  target_compile_options(solway_${layer}_test PRIVATE ${SOLWAY_WARNINGS})
  target_compile_definitions(solway_${layer}_test PRIVATE SOLWAY_TEST_LAYER="${layer}")
  list(TRANSFORM ARG_DEPS PREPEND solway::)
  target_link_libraries(solway_${layer}_test PRIVATE ${ARG_DEPS} ${ARG_LIBS} solway_test_paths
                                                     GTest::gtest GTest::gmock GTest::gmock_main)
  gtest_discover_tests(solway_${layer}_test TEST_PREFIX "${layer}." DISCOVERY_TIMEOUT 120)
endfunction()
