#!/bin/sh
# The scripted agent, watched. `agent.sh PLACE AGENT SCENARIO`, where PLACE holds what it is told:
# `stop.CALL` is a script that the first launch of the call runs before it stands still for ever;
# `keep` has the repository copied to `tree.CALL` after each call.
place=$1 agent=$2 scenario=$3
call=$(echo "$TRIBUNAL_CALL" | tr / .)
if mv "$place/stop.$call" "$place/stopped.$call" 2>/dev/null; then
  . "$place/stopped.$call"
  : >"$place/stands.$call"
  exec sleep 300
fi
"$agent" "$scenario" || exit
if [ -e "$place/keep" ]; then
  rm -rf "$place/tree.$call"
  cp -a . "$place/tree.$call"
fi
