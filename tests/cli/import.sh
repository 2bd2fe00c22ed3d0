#!/usr/bin/env bash
# import as a user sees it: a machine imported is the catalogue's twin; refusals leave no file.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
topologies=$here/../data/topologies

ringspan import "$topologies/dgx_h100.xml" -o h100.toml
expect_rc 0 "a dump"
expect_same "$out" "" "nothing on standard output"
expect_in "$err" "dgx_h100.xml: links between CPUs are not in the file" "what was assumed is told"
expect_in "$(cat h100.toml)" "#   $topologies/dgx_h100.xml: links between CPUs" "and stands in the file"
expect_in "$(cat h100.toml)" 'name = "h100"' "the system is named after its file"

# The same graph under another name: the same choice and the same time, on one server and on two.
# rows SYSTEM COLLECTIVE SERVERS: choice and time. Not the name, nor which of equally busy links is named.
rows() {
  ringspan run "$1" "$2" --nodes "$3" -b 1K -e 256M -f 16 --format csv
  expect_rc 0 "run $1"
  printf '%s\n' "$out" | sed 1d | cut -d, -f2-12
}
twins() {
  for collective in all_reduce all_gather alltoall; do
    expect_same "$(rows "$1" "$collective" "$3")" "$(rows "$2" "$collective" "$3")" "$collective on $1 and $2, $3 servers"
  done
}
twins ./h100.toml dgx-h100 1
twins ./h100.toml dgx-h100 2
ringspan import "$topologies/dgx_a100.xml" -o a100.toml
twins ./a100.toml dgx-a100 1
twins ./a100.toml dgx-a100 2
ringspan import "$topologies/dgx1_v100.xml" -o v100.toml
twins ./v100.toml dgx1-v100 1

# Real dumps and providers' templates, where they are at hand.
samples=${RINGSPAN_MEASURED_DIR:-/nowhere}/../samples
if [ -d "$samples" ]; then
  for sample in "$samples"/*.xml; do
    ringspan import "$sample" -o sample.toml
    expect_rc 0 "$sample"
    ringspan run ./sample.toml all_reduce -b 1M -e 1M
    expect_rc 0 "a run of $sample"
  done
  ringspan import "$samples/aws_p4d_8xA100-40.xml" -o p4d.toml
  twins ./p4d.toml aws-p4d 1
  twins ./p4d.toml aws-p4d 2
  ringspan import "$samples/azure_ndv4_8xA100.xml" -o nd.toml --gpu "A100 SXM 40 GB"
  twins ./nd.toml azure-nd-a100-v4 1
  twins ./nd.toml azure-nd-a100-v4 2
else
  echo "skipped: RINGSPAN_MEASURED_DIR names no measurements with samples beside them"
fi

# An NVLink domain of several servers; one rack is one node.
ringspan import "$topologies/nvlink_domain.xml" -o rack.toml
ringspan run ./rack.toml all_reduce -b 1M -e 64M -f 8
expect_rc 0 "a domain"

# Without one of its NICs or NVLinks it is another machine.
sed '/name="mlx5_3"/d' "$topologies/dgx_h100.xml" >seven.xml
ringspan import seven.xml -o seven.toml
expect_in "$err" "a NIC without <net>, which NCCL does not use: left out" "the NIC is gone"
[ "$(rows ./seven.toml all_reduce 2)" != "$(rows ./h100.toml all_reduce 2)" ] || fail "a NIC less changes nothing" ""
sed 's/0000:a0:00.0" count="5"/0000:a0:00.0" count="1"/' "$topologies/dgx_h100.xml" >weak.xml
ringspan import weak.xml -o weak.toml
[ "$(rows ./weak.toml all_gather 1)" != "$(rows ./h100.toml all_gather 1)" ] || fail "four NVLinks less change nothing" ""

# Standard input and output; options.
ringspan import - -o - --gpu "H200 SXM" --name mine <"$topologies/dgx_h100.xml"
expect_rc 0 "- and -"
expect_in "$out" 'name = "mine"' "--name"
expect_in "$out" 'model = "H200 SXM"' "--gpu"
expect_in "$err" "note: <standard input>: links between CPUs" "standard input has a name"
ringspan import - -o - --nvlink none --nic-link eth-400 <"$topologies/dgx_h100.xml"
expect_not_in "$out" nvlink4 "--nvlink none"
expect_in "$out" 'link = "eth-400"' "--nic-link"

# Two files are two servers.
sed 's/0000:a/0000:e/; s/mlx5/roce/' "$topologies/dgx_h100.xml" >other.xml
ringspan import "$topologies/dgx_h100.xml" other.xml -o two.toml
expect_rc 0 "two files"
expect_same "$(rows ./two.toml all_reduce 2)" "$(rows ./h100.toml all_reduce 2)" "two servers alike"
expect_in "$(cat two.toml)" "count = 2" "are counted"

# What is wrong is named, and nothing is written.
head -c 2000 "$topologies/dgx_h100.xml" >cut.xml
ringspan import cut.xml -o bad.toml
expect_rc 2 "a file that is cut off"
expect_in "$err" "error: " "why"
expect_in "$err" "cut.xml:" "where"
ringspan import missing.xml -o bad.toml
expect_rc 2 "no file"
ringspan import . -o bad.toml
expect_rc 2 "a folder"
ringspan import "$topologies/dgx_h100.xml" -o bad.toml --gpu H9000
expect_rc 2 "an unknown GPU"
expect_in "$err" "unknown GPU 'H9000'" "which"
ringspan import "$topologies/dgx_h100.xml"
expect_rc 2 "no -o"
ringspan import -o bad.toml
expect_rc 2 "no file"
ringspan import "$topologies/dgx_h100.xml" "$topologies/dgx_a100.xml" -o bad.toml
expect_rc 2 "two kinds of server"
expect_in "$err" "dgx_a100.xml: error: this server differs from that of $topologies/dgx_h100.xml" "which"
ringspan import "$topologies/nvlink_domain.xml" "$topologies/nvlink_domain.xml" -o bad.toml
expect_rc 2 "two domains"
ringspan import - - -o bad.toml </dev/null
expect_rc 2 "standard input twice"
ringspan import "$topologies/dgx_h100.xml" -o bad.toml --nvlink ring
expect_rc 2 "an unknown wiring"
[ ! -e bad.toml ] || fail "a file was written" ""
ls ./*.part* 2>/dev/null && fail "a part of a file is left" ""
finish
