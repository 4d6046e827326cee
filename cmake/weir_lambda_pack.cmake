# Packs PROGRAM into the FOLDER and from there into the ZIP: weir_lambda_zip.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${FOLDER}")
file(REMOVE "${ZIP}")
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${PROGRAM}" RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing)
if(missing)
  message(FATAL_ERROR "weir_lambda_zip: ${PROGRAM} needs what is not on this machine: ${missing}")
endif()
set(loader "")
file(MAKE_DIRECTORY "${FOLDER}/lib")
foreach(library IN LISTS libraries)
  get_filename_component(name "${library}" NAME)
  if(name MATCHES "^ld-linux")
    set(loader "${name}")
  endif()
  file(REAL_PATH "${library}" file)
  file(COPY_FILE "${file}" "${FOLDER}/lib/${name}")
endforeach()
if(NOT loader)
  message(FATAL_ERROR "weir_lambda_zip: ${PROGRAM} has no loader of glibc, so it cannot be packed in this way")
endif()

get_filename_component(name "${PROGRAM}" NAME)
file(COPY_FILE "${PROGRAM}" "${FOLDER}/${name}")
file(GLOB packed "${FOLDER}/lib/*")
foreach(file IN LISTS packed ITEMS "${FOLDER}/${name}")
  file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
execute_process(COMMAND "${STRIP}" "${FOLDER}/${name}" COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${FOLDER}/bootstrap" "#!/bin/sh
# Starts the program with the libraries it was built with. Certificates are where the system has them.
here=\${LAMBDA_TASK_ROOT:-$(dirname \"$0\")}
for file in /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/certs/ca-certificates.crt; do
  [ -z \"$SSL_CERT_FILE\" ] && [ -r \"$file\" ] && export SSL_CERT_FILE=\"$file\"
done
exec \"$here/lib/${loader}\" --library-path \"$here/lib\" \"$here/${name}\" \"$@\"
")
file(CHMOD "${FOLDER}/bootstrap" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
execute_process(COMMAND "${CMAKE_COMMAND}" -E tar cf "${ZIP}" --format=zip . WORKING_DIRECTORY "${FOLDER}" COMMAND_ERROR_IS_FATAL ANY)
file(SIZE "${FOLDER}/${name}" program_size)
file(SIZE "${ZIP}" zip_size)
message("${ZIP}: ${zip_size} bytes; the program in it: ${program_size} bytes")
