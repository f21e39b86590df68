#!/usr/bin/env bash
# The lines that `keywright serve` prints to be pasted work as they stand, for a user who never set up the AWS CLI: run by
# `cargo xtask clients`, which names the command in KEYWRIGHT and puts `aws` on the PATH.
#
# It happened that they chose the region by AWS_REGION, which version 1 of the AWS CLI does not read.
set -euo pipefail

unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_DEFAULT_REGION AWS_REGION

place=$(mktemp -d)
"$KEYWRIGHT" serve --memory --address 127.0.0.1:0 >"$place/printed" &
server=$!
trap 'kill "$server"; rm -r "$place"' EXIT
for _ in {1..500}; do
    if grep -q 'Ctrl-C' "$place/printed"; then break; fi
    sleep 0.01
done

grep ' aws dynamodb ' "$place/printed" >"$place/lines"
passed=0
while read -r line <&3; do
    bash -c "$line" >"$place/answer"
    passed=$((passed + 1))
done 3<"$place/lines"

if [ "$passed" -ne 3 ] || ! grep -q '"Feeling Good"' "$place/answer"; then
    echo "FAILED the printed lines do not end with the item:"
    cat "$place/printed" "$place/answer"
    exit 1
fi
echo "$passed passed, 0 failed"
