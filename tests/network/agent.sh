#!/usr/bin/env bash
# agent.sh ADDRESS COMMAND...: what mpirun takes for ssh: runs the command in the namespace of the host
# with that address, under a host name of its own.
host=$((${1##*.} - 1))
shift
exec ip netns exec "$LAB-host$host" unshare --uts bash -c "hostname $LAB-$host; $*"
