# SPDX-License-Identifier: GPL-3.0-or-later
# Compile rules of the whole project, and one function for each kind of target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_AUTOMOC ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Debian's g++ 12 switches symmetric transfer off below -O2; the engine does not rely on it (core/engine/task.h).

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

find_program(WAITSCOPE_CCACHE ccache)
if(WAITSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${WAITSCOPE_CCACHE})
endif()

add_library(waitscope_rules INTERFACE)
target_compile_options(waitscope_rules INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Woverloaded-virtual
    -Wconversion -Wno-sign-conversion -Wswitch-enum -Wno-error=deprecated-declarations)
if(WAITSCOPE_WERROR)
    target_compile_options(waitscope_rules INTERFACE -Werror)
endif()
target_compile_definitions(waitscope_rules INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH QT_NO_KEYWORDS QT_DISABLE_DEPRECATED_BEFORE=0x060400
    WAITSCOPE_VERSION="${PROJECT_VERSION}")
target_include_directories(waitscope_rules INTERFACE ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR})
if(WAITSCOPE_SANITIZE)
    target_compile_options(waitscope_rules INTERFACE -fsanitize=${WAITSCOPE_SANITIZE} -fno-omit-frame-pointer
        -fno-sanitize-recover=all)
    target_link_options(waitscope_rules INTERFACE -fsanitize=${WAITSCOPE_SANITIZE})
endif()
if(WAITSCOPE_TIDY)
    find_program(WAITSCOPE_CLANG_TIDY NAMES clang-tidy-14 clang-tidy REQUIRED)
    set(CMAKE_CXX_CLANG_TIDY ${WAITSCOPE_CLANG_TIDY} --quiet)
endif()

# waitscope_library(<name> [links...]): a static library of all sources in the current folder and below.
function(waitscope_library name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp *.h)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC waitscope_rules Qt6::Core ${ARGN})
    # moc only where a header asks for it: its include folder differs between build trees and would keep ccache from
    # sharing objects among them.
    set(moc OFF)
    foreach(source IN LISTS sources)
        file(STRINGS ${source} needs_moc REGEX "^ +Q_OBJECT" LIMIT_COUNT 1)
        if(needs_moc)
            set(moc ON)
            break()
        endif()
    endforeach()
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX AUTOMOC ${moc} AUTORCC OFF)
endfunction()

# waitscope_tests(<prefix> <links...>): one test program for each tst_*.cpp of the current folder.
# A line "// ctest-labels: slow net" or "// ctest-timeout: 300" in the first ten lines of the file sets those.
function(waitscope_tests prefix)
    file(GLOB tests CONFIGURE_DEPENDS tst_*.cpp)
    foreach(source IN LISTS tests)
        get_filename_component(unit ${source} NAME_WE)
        set(name ${prefix}_${unit})
        add_executable(${name} ${source})
        target_link_libraries(${name} PRIVATE Qt6::Test test_support ${ARGN})
        target_compile_definitions(${name} PRIVATE TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/tests/data"
            RESOURCES_DIR="${PROJECT_SOURCE_DIR}/resources")
        add_test(NAME ${name} COMMAND ${name})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
        file(STRINGS ${source} head LIMIT_COUNT 10)
        set(timeout 120)
        set(labels "")
        foreach(line IN LISTS head)
            if(line MATCHES "^// ctest-timeout: ([0-9]+)")
                set(timeout ${CMAKE_MATCH_1})
            elseif(line MATCHES "^// ctest-labels: (.*)$")
                string(REPLACE " " ";" labels "${CMAKE_MATCH_1}")
            endif()
        endforeach()
        set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} LABELS "${labels}"
            ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_LOGGING_RULES=qt.qpa.*=false;LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp;UBSAN_OPTIONS=print_stacktrace=1")
    endforeach()
endfunction()
