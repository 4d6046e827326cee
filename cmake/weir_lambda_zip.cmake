# weir_lambda_zip(target): makes the target <target>_zip, which packs a program that calls use_aws_lambda into <target>.zip, a function for
# the runtimes provided.al2023 and provided.al2: the program, the libraries of this machine that it links, the loader for them, so
# that it does not matter which the system there has, and the `bootstrap` that starts it. Nothing else is needed there.
#
# What is packed lies beside it in <target>_zip.folder.
include_guard()
set(WEIR_LAMBDA_PACK "${CMAKE_CURRENT_LIST_DIR}/weir_lambda_pack.cmake" CACHE INTERNAL "What packs a function of Lambda")

function(weir_lambda_zip target)
  set(zip "${CMAKE_CURRENT_BINARY_DIR}/${target}.zip")
  add_custom_command(OUTPUT "${zip}"
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>" "-DZIP=${zip}"
            "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/${target}_zip.folder" "-DSTRIP=${CMAKE_STRIP}" -P "${WEIR_LAMBDA_PACK}"
    DEPENDS ${target} "${WEIR_LAMBDA_PACK}" COMMENT "Packing ${target}.zip" VERBATIM)
  add_custom_target(${target}_zip DEPENDS "${zip}")
endfunction()
