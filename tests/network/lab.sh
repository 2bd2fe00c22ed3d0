# shellcheck shell=bash
# Sourced. Eight hosts in network namespaces, two bridges as leaf switches in one of their own, veth
# links shaped with tbf in both directions. Hosts with even numbers hang on leaf0, odd ones on leaf1,
# so that every step of a ring crosses between the leaves. Everything has a name with this process's
# number in it and is removed by lab_remove.

lab=ringspan-$$
lab_hosts=8
: "${lab_folder:?the folder of agent.sh}" "${lab_control:?a congestion control}"

lab_missing() {
  [ "$(id -u)" -eq 0 ] || { echo "this is not root: network namespaces cannot be made"; return; }
  local tool
  for tool in ip tc unshare mpirun; do
    command -v $tool >/dev/null || { echo "$tool is missing"; return; }
  done
  ip netns add "$lab-try" 2>/dev/null || { echo "network namespaces are not allowed here"; return; }
  ip -n "$lab-try" link add nic type veth peer name port 2>/dev/null || echo "veth is not available"
  ip -n "$lab-try" link add leaf type bridge 2>/dev/null || echo "bridges are not available"
  ip netns exec "$lab-try" tc qdisc add dev nic root tbf rate 1mbit burst 16k limit 1m 2>/dev/null ||
    echo "tbf is not available"
  ip netns del "$lab-try"
}

# shape NAMESPACE DEVICE MBIT: nothing is dropped, bursts are short.
shape() { ip netns exec "$1" tc qdisc replace dev "$2" root tbf rate "$3mbit" burst 16k limit 16m; }

# lab_build MBIT: links of hosts; the uplink is as fast as all of them.
lab_build() {
  local fabric=$lab-fabric host leaf name
  ip netns add "$fabric"
  for leaf in 0 1; do ip -n "$fabric" link add "leaf$leaf" type bridge; done
  ip -n "$fabric" link add up0 type veth peer name up1
  for leaf in 0 1; do
    ip -n "$fabric" link set "up$leaf" master "leaf$leaf" up
    ip -n "$fabric" link set "leaf$leaf" up
  done
  for ((host = 0; host < lab_hosts; host++)); do
    name=$lab-host$host
    ip netns add "$name"
    ip -n "$name" link set lo up
    ip link add name nic netns "$name" type veth peer name "port$host" netns "$fabric"
    ip -n "$fabric" link set "port$host" master "leaf$((host % 2))" up
    ip -n "$name" link set nic up
    ip -n "$name" addr add "10.77.0.$((host + 1))/24" dev nic
    # The one congestion control that every kernel has; the machine's own may be another.
    ip -n "$name" route replace 10.77.0.0/24 dev nic src "10.77.0.$((host + 1))" congctl "$lab_control"
    shape "$name" nic "$1"
    shape "$fabric" "port$host" "$1"
  done
}

# lab_uplink MBIT
lab_uplink() { shape "$lab-fabric" up0 "$1"; shape "$lab-fabric" up1 "$1"; }

# Ends what runs in them, and removes the namespaces with all that is in them.
lab_remove() {
  local name
  for name in $(ip netns list 2>/dev/null | awk '{ print $1 }' | grep "^$lab-" || true); do
    ip netns pids "$name" 2>/dev/null | xargs -r kill -KILL 2>/dev/null || true
    ip netns del "$name" || true
  done
}

# What a process left behind that was killed.
lab_remove_stale() {
  local name owner
  for name in $(ip netns list | awk '{ print $1 }' | grep -E '^ringspan-[0-9]+-' || true); do
    owner=${name#ringspan-}
    owner=${owner%%-*}
    [ -d "/proc/$owner" ] || lab=ringspan-$owner lab_remove
  done
}

# lab_run PROGRAM [ARGUMENT...]: one rank on each host, ahead of what else runs on the machine.
lab_run() {
  local addresses host
  addresses=$(for ((host = 1; host <= lab_hosts; host++)); do printf '10.77.0.%d,' "$host"; done)
  LAB=$lab OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    nice -n -15 ip netns exec "$lab-host0" unshare --uts bash -c 'hostname "$LAB-0"; exec "$@"' lab \
    mpirun --host "${addresses%,}" -np $lab_hosts --map-by node --bind-to none \
    --mca plm rsh --mca plm_rsh_agent "$lab_folder/agent.sh" --mca plm_rsh_no_tree_spawn 1 \
    --mca pml ob1 --mca btl self,tcp --mca btl_tcp_if_include 10.77.0.0/24 \
    --mca oob_tcp_if_include 10.77.0.0/24 --mca mpi_yield_when_idle 1 \
    --mca btl_tcp_eager_limit 16777216 --mca btl_tcp_rndv_eager_limit 16777216 "$@"
}
