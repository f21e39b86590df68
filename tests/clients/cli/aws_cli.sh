#!/usr/bin/env bash
# The AWS CLI does real work against keywright: run by `cargo xtask clients`, which starts the server on a directory,
# sets the environment, and names the program in AWS.
set -euo pipefail

passed=0
answer=

ddb() {
    "$AWS" dynamodb "$@" --endpoint-url "$KEYWRIGHT_ENDPOINT" --output "${OUTPUT:-text}"
}

# check WHAT EXPECTED COMMAND...: the command succeeds and prints exactly this.
check() {
    local what=$1 expected=$2
    shift 2
    answer=$("$@")
    if [ "$answer" != "$expected" ]; then
        printf 'FAILED %s\n  expected: %s\n  printed:  %s\n' "$what" "$expected" "$answer"
        exit 1
    fi
    passed=$((passed + 1))
}

# refused WHAT CODE COMMAND...: the command fails and its message names the code.
refused() {
    local what=$1 code=$2
    shift 2
    if answer=$("$@" 2>&1); then
        printf 'FAILED %s: accepted\n%s\n' "$what" "$answer"
        exit 1
    fi
    case $answer in
        *"($code)"*) passed=$((passed + 1)) ;;
        *)
            printf 'FAILED %s: %s is not in\n%s\n' "$what" "$code" "$answer"
            exit 1
            ;;
    esac
}

check "a table is created" Music ddb create-table --table-name Music \
    --attribute-definitions AttributeName=Artist,AttributeType=S AttributeName=Song,AttributeType=S \
    --key-schema AttributeName=Artist,KeyType=HASH AttributeName=Song,KeyType=RANGE \
    --billing-mode PAY_PER_REQUEST --query TableDescription.TableName
check "the waiter sees the table" "" ddb wait table-exists --table-name Music
check "the table is listed" Music ddb list-tables --query 'TableNames[]'
check "the table is described" "ACTIVE	HASH	RANGE" ddb describe-table --table-name Music \
    --query 'Table.[TableStatus, KeySchema[0].KeyType, KeySchema[1].KeyType]'

for song in "Call Me Today" "Howdy" "My Dog Spot" "Somewhere Down The Road"; do
    check "an item is stored" "" ddb put-item --table-name Music \
        --item '{"Artist": {"S": "No One You Know"}, "Song": {"S": "'"$song"'"}, "Year": {"N": "2015"}, "Tags": {"SS": ["b", "a"]}}'
done
check "an item is found by its key" "2015	a	b" ddb get-item --table-name Music --consistent-read \
    --key '{"Artist": {"S": "No One You Know"}, "Song": {"S": "Howdy"}}' \
    --query 'Item.[Year.N, Tags.SS[0], Tags.SS[1]]'
check "the capacity that a read consumed is printed" 0.5 ddb get-item --table-name Music \
    --return-consumed-capacity TOTAL --key '{"Artist": {"S": "No One You Know"}, "Song": {"S": "Howdy"}}' \
    --query ConsumedCapacity.CapacityUnits

values='{":a": {"S": "No One You Know"}}'
check "a query returns a partition in order" "Call Me Today	Howdy	My Dog Spot	Somewhere Down The Road" \
    ddb query --table-name Music --key-condition-expression "Artist = :a" \
    --expression-attribute-values "$values" --query 'Items[].Song.S'
# The CLI joins the pages of a JSON answer.
OUTPUT=json check "a query in pages of one returns the same, backwards" \
    '"Somewhere Down The Road, My Dog Spot, Howdy, Call Me Today"' \
    ddb query --table-name Music --key-condition-expression "Artist = :a" --no-scan-index-forward --page-size 1 \
    --expression-attribute-values "$values" --query 'join(`, `, Items[].Song.S)'
check "a query by a prefix of the sort key" Howdy \
    ddb query --table-name Music --key-condition-expression "Artist = :a AND begins_with(Song, :s)" \
    --expression-attribute-values '{":a": {"S": "No One You Know"}, ":s": {"S": "How"}}' --query 'Items[].Song.S'

# Version 1 of the AWS CLI takes binary values as they are and prints them in base64.
check "a binary value is stored" "" ddb put-item --table-name Music \
    --item '{"Artist": {"S": "x"}, "Song": {"S": "y"}, "Cover": {"B": "cover"}}'
check "a deleted item is returned" "Y292ZXI=" ddb delete-item --table-name Music --return-values ALL_OLD \
    --key '{"Artist": {"S": "x"}, "Song": {"S": "y"}}' --query Attributes.Cover.B
check "a deleted item is gone" None ddb get-item --table-name Music \
    --key '{"Artist": {"S": "x"}, "Song": {"S": "y"}}' --query Item

refused "a missing table" ResourceNotFoundException ddb get-item --table-name Missing --key '{"pk": {"S": "a"}}'
refused "a second table of the same name" ResourceInUseException ddb create-table --table-name Music \
    --attribute-definitions AttributeName=a,AttributeType=S --key-schema AttributeName=a,KeyType=HASH \
    --billing-mode PAY_PER_REQUEST
refused "a key that is not the table's" ValidationException ddb get-item --table-name Music --key '{"a": {"S": "a"}}'

check "a table is deleted" Music ddb delete-table --table-name Music --query TableDescription.TableName
check "the waiter sees that it is gone" "" ddb wait table-not-exists --table-name Music
check "no table is left" "" ddb list-tables --query 'TableNames[]'

echo "$passed passed, 0 failed"
