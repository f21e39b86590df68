"""boto3 does real work against keywright: run by `cargo xtask clients`, which starts the server and sets the environment.

Each function whose name begins with `test_` is one test; its name is a sentence about behaviour. The client is made
with boto3's defaults, retries and checksums included.
"""

import os
import sys
import traceback
import zlib
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError, WaiterError

ENDPOINT = os.environ["KEYWRIGHT_ENDPOINT"]

client = boto3.client("dynamodb", endpoint_url=ENDPOINT)
resource = boto3.resource("dynamodb", endpoint_url=ENDPOINT)


def create_table(name, sort_key_type=None, partition_key_type="S", **settings):
    """Creates a table with the keys `pk` and, with a type for it, `sk`, and waits until boto3 sees it."""
    keys = [("pk", "HASH", partition_key_type)]
    if sort_key_type:
        keys.append(("sk", "RANGE", sort_key_type))
    settings = settings or {"BillingMode": "PAY_PER_REQUEST"}
    client.create_table(
        TableName=name,
        KeySchema=[{"AttributeName": name, "KeyType": role} for name, role, _ in keys],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind} for name, _, kind in keys],
        **settings,
    )
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 10})
    return resource.Table(name)


def refused(call, code, *phrases):
    """Asserts that the call is refused with this code, and with a message that holds the phrases."""
    try:
        call()
    except ClientError as error:
        said = error.response["Error"]
        assert said["Code"] == code, said
        for phrase in phrases:
            assert phrase in said["Message"], said
        return error
    raise AssertionError(f"accepted, where {code} was expected")


def test_a_table_is_created_described_and_listed():
    create_table("described", sort_key_type="N")
    table = client.describe_table(TableName="described")["Table"]
    assert table["TableStatus"] == "ACTIVE"
    assert table["KeySchema"] == [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]
    types = {each["AttributeName"]: each["AttributeType"] for each in table["AttributeDefinitions"]}
    assert types == {"pk": "S", "sk": "N"}, types
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["TableArn"].startswith("arn:aws:dynamodb:us-east-1:")
    assert table["TableArn"].endswith(":table/described")
    assert table["CreationDateTime"].year >= 2020
    assert table["ItemCount"] == 0 and table["TableSizeBytes"] == 0
    assert "described" in client.list_tables()["TableNames"]


def test_a_provisioned_table_says_its_units():
    create_table("provisioned", ProvisionedThroughput={"ReadCapacityUnits": 7, "WriteCapacityUnits": 3})
    throughput = client.describe_table(TableName="provisioned")["Table"]["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (7, 3)


def test_the_list_of_tables_comes_in_pages():
    for number in range(5):
        create_table(f"listed-{number}")
    pages = client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2})
    names = [name for page in pages for name in page["TableNames"]]
    assert names == sorted(names)
    assert [name for name in names if name.startswith("listed-")] == [f"listed-{number}" for number in range(5)]


def test_a_value_of_every_type_comes_back_as_it_went():
    table = create_table("types")
    item = {
        "pk": "every type",
        "string": "Zażółć gęślą jaźń \U0001f511 \u0000 \"quoted\"",
        "empty string": "",
        "number": Decimal("-12.5"),
        "binary": Binary(bytes(range(256))),
        "empty binary": Binary(b""),
        "true": True,
        "false": False,
        "null": None,
        "list": ["a", Decimal(1), [True, None], {"deep": [Decimal("0.1")]}],
        "map": {"a": {"b": {"c": "d"}}},
        "strings": {"b", "a", "ä"},
        "numbers": {Decimal(2), Decimal("-1.5"), Decimal(10)},
        "binaries": {Binary(b"\x00"), Binary(b"\xff")},
        "empty list": [],
        "empty map": {},
    }
    table.put_item(Item=item)
    assert table.get_item(Key={"pk": "every type"}, ConsistentRead=True)["Item"] == item


def test_a_number_is_stored_in_its_normal_form():
    create_table("numbers")
    largest = "9" * 38 + "0" * 88
    forms = {
        "00042": "42",
        "1.0": "1",
        "3.1400": "3.14",
        "1.5E2": "150",
        "-0": "0",
        "1E2": "100",
        "1234567895171680000000000000000000000000": "1234567895171680000000000000000000000000",
        "9.9999999999999999999999999999999999999E125": largest,
        "0.00000000000000000000000000000000000001": "0." + "0" * 37 + "1",
    }
    for sent, expected in forms.items():
        client.put_item(TableName="numbers", Item={"pk": {"S": sent}, "n": {"N": sent}})
        got = client.get_item(TableName="numbers", Key={"pk": {"S": sent}})["Item"]["n"]["N"]
        assert got == expected, (sent, got)


def test_a_number_out_of_range_is_refused():
    create_table("numbers-out-of-range")

    def put(number):
        return lambda: client.put_item(TableName="numbers-out-of-range", Item={"pk": {"S": "x"}, "n": {"N": number}})

    refused(put("1" * 39), "ValidationException", "38 significant digits")
    refused(put("1E126"), "ValidationException", "overflow")
    refused(put("-1E126"), "ValidationException", "overflow")
    refused(put("1E-131"), "ValidationException", "underflow")
    refused(put("twelve"), "ValidationException", "twelve")


def test_an_item_is_replaced_and_deleted_and_the_old_one_returned():
    table = create_table("replaced", sort_key_type="S")
    key = {"pk": "a", "sk": "b"}
    assert "Attributes" not in table.put_item(Item={**key, "version": 1}, ReturnValues="ALL_OLD")
    replaced = table.put_item(Item={**key, "other": "x"}, ReturnValues="ALL_OLD")
    assert replaced["Attributes"] == {**key, "version": 1}
    deleted = table.delete_item(Key=key, ReturnValues="ALL_OLD")
    assert deleted["Attributes"] == {**key, "other": "x"}
    assert "Item" not in table.get_item(Key=key)
    assert "Attributes" not in table.delete_item(Key=key, ReturnValues="ALL_OLD")


def test_a_query_selects_by_every_condition_on_the_sort_key():
    table = create_table("conditions", sort_key_type="S")
    for sort in ["a", "ab", "b", "c", "ca", "d"]:
        table.put_item(Item={"pk": "p", "sk": sort})
    table.put_item(Item={"pk": "p2", "sk": "b"})

    def query(condition=None):
        expression = Key("pk").eq("p")
        if condition is not None:
            expression = expression & condition
        return [item["sk"] for item in table.query(KeyConditionExpression=expression)["Items"]]

    sort = Key("sk")
    assert query() == ["a", "ab", "b", "c", "ca", "d"]
    assert query(sort.eq("b")) == ["b"]
    assert query(sort.lt("b")) == ["a", "ab"]
    assert query(sort.lte("b")) == ["a", "ab", "b"]
    assert query(sort.gt("c")) == ["ca", "d"]
    assert query(sort.gte("c")) == ["c", "ca", "d"]
    assert query(sort.between("ab", "c")) == ["ab", "b", "c"]
    assert query(sort.begins_with("c")) == ["c", "ca"]
    assert query(sort.eq("zzz")) == []


def test_a_query_comes_in_pages_in_both_directions():
    table = create_table("pages", sort_key_type="N")
    for number in range(-12, 13):
        table.put_item(Item={"pk": "p", "sk": number})

    def numbers(forward, size):
        pages = client.get_paginator("query").paginate(
            TableName="pages",
            KeyConditionExpression="#p = :p",
            ExpressionAttributeNames={"#p": "pk"},
            ExpressionAttributeValues={":p": {"S": "p"}},
            ScanIndexForward=forward,
            PaginationConfig={"PageSize": size},
        )
        return [int(item["sk"]["N"]) for page in pages for item in page["Items"]]

    for size in [1, 4, 5, 25, 100]:
        assert numbers(True, size) == list(range(-12, 13)), size
        assert numbers(False, size) == list(range(12, -13, -1)), size


def test_a_page_ends_after_one_megabyte():
    table = create_table("large-pages", sort_key_type="S")
    for number in range(20):
        table.put_item(Item={"pk": "p", "sk": f"{number:02}", "data": "x" * 60_000})
    first = table.query(KeyConditionExpression=Key("pk").eq("p"))
    assert 0 < first["Count"] < 20, first["Count"]
    assert first["LastEvaluatedKey"] == {"pk": "p", "sk": first["Items"][-1]["sk"]}
    second = table.query(KeyConditionExpression=Key("pk").eq("p"), ExclusiveStartKey=first["LastEvaluatedKey"])
    assert first["Count"] + second["Count"] == 20
    assert "LastEvaluatedKey" not in second


def test_binary_keys_are_ordered_as_unsigned_bytes():
    table = create_table("binary-keys", sort_key_type="B", partition_key_type="B")
    for sort in [b"\x7f", b"\x80", b"\x01\x00", b"\x01\xff", b"\x02"]:
        table.put_item(Item={"pk": b"p", "sk": sort})
    found = table.query(KeyConditionExpression=Key("pk").eq(b"p"))["Items"]
    assert [bytes(item["sk"].value) for item in found] == [b"\x01\x00", b"\x01\xff", b"\x02", b"\x7f", b"\x80"]


def test_two_spellings_of_a_number_are_one_key():
    table = create_table("number-keys", partition_key_type="N")
    client.put_item(TableName="number-keys", Item={"pk": {"N": "1000"}, "a": {"S": "first"}})
    client.put_item(TableName="number-keys", Item={"pk": {"N": "1e3"}, "a": {"S": "second"}})
    assert table.get_item(Key={"pk": 1000})["Item"] == {"pk": Decimal(1000), "a": "second"}


def test_consumed_capacity_is_counted_in_units_of_the_service():
    table = create_table("capacity", sort_key_type="S")
    big = {"pk": "p", "sk": "s", "data": "x" * 5_000}
    put = table.put_item(Item=big, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
    assert put["TableName"] == "capacity" and put["CapacityUnits"] == 5, put
    key = {"pk": "p", "sk": "s"}
    assert table.get_item(Key=key, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]["CapacityUnits"] == 1
    strong = table.get_item(Key=key, ConsistentRead=True, ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
    assert strong["CapacityUnits"] == 2 and strong["Table"]["CapacityUnits"] == 2, strong
    missing = table.get_item(Key={"pk": "p", "sk": "none"}, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
    assert missing["CapacityUnits"] == 0.5, missing
    query = table.query(KeyConditionExpression=Key("pk").eq("p"), ReturnConsumedCapacity="TOTAL")
    assert query["ConsumedCapacity"]["CapacityUnits"] == 1, query["ConsumedCapacity"]
    assert "ConsumedCapacity" not in table.get_item(Key=key)


def test_select_count_returns_no_items():
    table = create_table("counted", sort_key_type="N")
    for number in range(3):
        table.put_item(Item={"pk": "p", "sk": number})
    counted = table.query(KeyConditionExpression=Key("pk").eq("p"), Select="COUNT")
    assert (counted["Count"], counted["ScannedCount"]) == (3, 3)
    assert "Items" not in counted


def test_errors_have_their_exception_classes_codes_and_request_ids():
    create_table("exists")
    try:
        client.get_item(TableName="missing", Key={"pk": {"S": "x"}})
        raise AssertionError("a missing table was found")
    except client.exceptions.ResourceNotFoundException as error:
        assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400
        assert len(error.response["ResponseMetadata"]["RequestId"]) == 52
    try:
        create_table("exists")
        raise AssertionError("a table was created twice")
    except client.exceptions.ResourceInUseException as error:
        assert "exists" in error.response["Error"]["Message"]
    refused(lambda: client.describe_table(TableName="missing"), "ResourceNotFoundException", "missing")
    refused(lambda: client.delete_table(TableName="missing"), "ResourceNotFoundException", "missing")


def test_a_key_that_does_not_fit_the_schema_is_refused():
    create_table("schema", sort_key_type="N")

    def put(item):
        return lambda: client.put_item(TableName="schema", Item=item)

    refused(put({"pk": {"S": "a"}}), "ValidationException", "Missing the key sk")
    refused(put({"pk": {"S": "a"}, "sk": {"S": "1"}}), "ValidationException", "Type mismatch for key sk")
    refused(put({"pk": {"S": ""}, "sk": {"N": "1"}}), "ValidationException", "empty string value")
    refused(put({"pk": {"S": "x" * 2049}, "sk": {"N": "1"}}), "ValidationException", "2048")
    refused(
        lambda: client.get_item(TableName="schema", Key={"pk": {"S": "a"}}),
        "ValidationException",
        "does not match the schema",
    )


def test_sets_and_sizes_are_checked():
    create_table("sizes")

    def put(**attributes):
        return lambda: client.put_item(TableName="sizes", Item={"pk": {"S": "a"}, **attributes})

    refused(put(data={"S": "x" * 410_000}), "ValidationException", "Item size has exceeded the maximum allowed size")
    refused(put(data={"SS": []}), "ValidationException", "empty")
    refused(put(data={"SS": ["a", "a"]}), "ValidationException", "duplicates")
    put(data={"SS": [""]})()
    put(data={"S": "x" * 400_000})()


def test_what_is_not_there_is_refused_and_never_ignored():
    create_table("refusals", sort_key_type="S")
    refused(
        lambda: client.scan(TableName="refusals", IndexName="by_owner"),
        "ValidationException",
        "does not have the specified index: by_owner",
    )
    statement = "INSERT INTO refusals VALUE {'pk': 'a', 'sk': 'b'}"
    refused(lambda: client.execute_statement(Statement=statement), "UnknownOperationException")
    item = {"pk": {"S": "a"}, "sk": {"S": "b"}}
    assert "Item" not in client.get_item(TableName="refusals", Key=item)


def test_indexes_are_created_kept_and_read():
    def schema(hash_names, range_names):
        roles = [(name, "HASH") for name in hash_names] + [(name, "RANGE") for name in range_names]
        return [{"AttributeName": name, "KeyType": role} for name, role in roles]

    client.create_table(
        TableName="indexed",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=schema(["pk"], ["sk"]),
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in [("pk", "S"), ("sk", "N"), ("owner", "S"), ("region", "S"), ("total", "N")]
        ],
        LocalSecondaryIndexes=[
            {
                "IndexName": "by_total",
                "KeySchema": schema(["pk"], ["total"]),
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by_owner",
                "KeySchema": schema(["owner", "region"], ["total", "sk"]),
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]},
            }
        ],
    )
    client.get_waiter("table_exists").wait(TableName="indexed", WaiterConfig={"Delay": 1, "MaxAttempts": 10})
    table = resource.Table("indexed")
    assert [index["IndexName"] for index in table.global_secondary_indexes] == ["by_owner"]
    with table.batch_writer() as batch:
        for number in range(10):
            owner = {"owner": "o", "region": "eu"} if number % 2 == 0 else {}
            batch.put_item(Item={"pk": "a", "sk": number, "total": number // 4, "note": "n", "more": "m"} | owner)
    pages = client.get_paginator("query").paginate(
        TableName="indexed",
        IndexName="by_owner",
        KeyConditionExpression="#o = :o AND #r = :r AND #t >= :t",
        ExpressionAttributeNames={"#o": "owner", "#r": "region", "#t": "total"},
        ExpressionAttributeValues={":o": {"S": "o"}, ":r": {"S": "eu"}, ":t": {"N": "1"}},
        PaginationConfig={"PageSize": 1},
    )
    found = [item for page in pages for item in page["Items"]]
    assert [item["sk"]["N"] for item in found] == ["4", "6", "8"]
    assert all("note" in item and "more" not in item for item in found)
    local = table.query(
        IndexName="by_total", KeyConditionExpression=Key("pk").eq("a") & Key("total").eq(2), Select="ALL_ATTRIBUTES"
    )
    assert [item["more"] for item in local["Items"]] == ["m", "m"]
    put = client.put_item(
        TableName="indexed",
        Item={"pk": {"S": "a"}, "sk": {"N": "0"}},
        ReturnConsumedCapacity="INDEXES",
        ReturnItemCollectionMetrics="SIZE",
    )
    assert put["ConsumedCapacity"]["GlobalSecondaryIndexes"]["by_owner"]["CapacityUnits"] == 1
    assert put["ItemCollectionMetrics"]["ItemCollectionKey"] == {"pk": {"S": "a"}}
    wrong = {"pk": {"S": "a"}, "sk": {"N": "0"}, "total": {"S": "1"}}
    refused(lambda: client.put_item(TableName="indexed", Item=wrong), "ValidationException", "Type mismatch for Index Key")


def test_conditions_updates_filters_and_scans():
    table = create_table("counters", sort_key_type="S")
    key = {"pk": "a", "sk": "b"}
    table.put_item(Item=key | {"hits": 1}, ConditionExpression=Attr("pk").not_exists())
    refused(lambda: table.put_item(Item=key, ConditionExpression=Attr("pk").not_exists()), "ConditionalCheckFailedException")
    updated = table.update_item(
        Key=key,
        UpdateExpression="ADD hits :one SET #n = if_not_exists(#n, :name)",
        ExpressionAttributeNames={"#n": "name"},
        ExpressionAttributeValues={":one": 1, ":name": "x"},
        ReturnValues="UPDATED_NEW",
    )
    assert updated["Attributes"] == {"hits": 2, "name": "x"}
    for number in range(20):
        table.put_item(Item={"pk": f"p{number}", "sk": "s", "hits": number})
    found = []
    for segment in range(4):
        page = table.scan(
            Segment=segment, TotalSegments=4, FilterExpression=Attr("hits").gte(10), ProjectionExpression="pk"
        )
        found += [item["pk"] for item in page["Items"]]
    assert sorted(found) == sorted(f"p{number}" for number in range(10, 20))


def test_every_answer_carries_a_checksum_that_boto3_checks():
    create_table("checksums")
    answers = []
    client.meta.events.register(
        "before-parse.dynamodb.*",
        lambda response_dict, **_: answers.append((response_dict["headers"], response_dict["body"])),
        unique_id="checksums",
    )
    client.put_item(TableName="checksums", Item={"pk": {"S": "ą"}, "data": {"S": "x" * 10_000}})
    client.get_item(TableName="checksums", Key={"pk": {"S": "ą"}})
    refused(lambda: client.get_item(TableName="gone", Key={"pk": {"S": "a"}}), "ResourceNotFoundException")
    client.meta.events.unregister("before-parse.dynamodb.*", unique_id="checksums")
    assert len(answers) == 3, len(answers)
    for headers, body in answers:
        assert int(headers["x-amz-crc32"]) == zlib.crc32(body), headers
        assert headers["Content-Type"] == "application/x-amz-json-1.0", headers


def test_a_wrong_checksum_would_be_noticed():
    """Without this, the test above could pass with a client that looks at no checksum."""
    from botocore.retryhandler import CRC32Checker
    from botocore.retries.special import RetryDDBChecksumError

    checked = []
    originals = (CRC32Checker._check_response, RetryDDBChecksumError.is_retryable)

    def legacy(self, attempt_number, response):
        checked.append("legacy mode")
        return originals[0](self, attempt_number, response)

    def standard(self, context):
        checked.append("standard mode")
        return originals[1](self, context)

    CRC32Checker._check_response, RetryDDBChecksumError.is_retryable = legacy, standard
    try:
        boto3.client("dynamodb", endpoint_url=ENDPOINT).list_tables()
    finally:
        CRC32Checker._check_response, RetryDDBChecksumError.is_retryable = originals
    assert checked, "boto3 no longer checks the checksum by default"


def test_a_batch_writer_writes_many_items_and_a_batch_reads_them():
    table = create_table("batched", sort_key_type="N")
    with table.batch_writer() as batch:
        for number in range(60):
            batch.put_item(Item={"pk": "a", "sk": number, "text": "x" * 1000})
        batch.delete_item(Key={"pk": "a", "sk": 100})
    keys = [{"pk": "a", "sk": number} for number in range(60)]
    answer = resource.batch_get_item(
        RequestItems={"batched": {"Keys": keys, "ConsistentRead": True}}, ReturnConsumedCapacity="TOTAL"
    )
    assert len(answer["Responses"]["batched"]) == 60 and answer["UnprocessedKeys"] == {}
    assert answer["ConsumedCapacity"][0]["CapacityUnits"] == 60
    twice = {"batched": {"Keys": keys[:1] * 2}}
    refused(lambda: resource.batch_get_item(RequestItems=twice), "ValidationException", "contains duplicates")
    many = {"batched": [{"DeleteRequest": {"Key": key}} for key in keys[:26]]}
    refused(lambda: resource.batch_write_item(RequestItems=many), "ValidationException", "less than or equal to 25")


def test_a_transaction_moves_money_once_or_not_at_all():
    table = create_table("accounts")
    table.put_item(Item={"pk": "rich", "balance": 100})
    table.put_item(Item={"pk": "poor", "balance": 0})

    def step(account, amount, **condition):
        values = {":amount": {"N": str(amount)}, **condition.pop("values", {})}
        update = {
            "TableName": "accounts",
            "Key": {"pk": {"S": account}},
            "UpdateExpression": "SET balance = balance + :amount",
            "ExpressionAttributeValues": values,
            **condition,
        }
        return {"Update": update}

    def transfer(amount, token):
        least = {"ConditionExpression": "balance >= :least", "values": {":least": {"N": str(amount)}}}
        steps = [step("rich", -amount, **least), step("poor", amount)]
        return client.transact_write_items(
            TransactItems=steps, ClientRequestToken=token, ReturnConsumedCapacity="TOTAL"
        )

    assert transfer(60, "first")["ConsumedCapacity"][0]["WriteCapacityUnits"] == 4
    assert transfer(60, "first")["ConsumedCapacity"][0]["ReadCapacityUnits"] == 4
    refused(lambda: transfer(10, "first"), "IdempotentParameterMismatchException")
    error = refused(
        lambda: transfer(60, "second"), "TransactionCanceledException", "[ConditionalCheckFailed, None]"
    )
    assert [reason["Code"] for reason in error.response["CancellationReasons"]] == ["ConditionalCheckFailed", "None"]

    gets = [{"Get": {"TableName": "accounts", "Key": {"pk": {"S": account}}}} for account in ("rich", "poor", "none")]
    responses = client.transact_get_items(TransactItems=gets)["Responses"]
    assert [response.get("Item", {}).get("balance") for response in responses] == [{"N": "40"}, {"N": "60"}, None]


def test_a_deleted_table_is_gone_with_its_items():
    table = create_table("deleted", sort_key_type="S")
    table.put_item(Item={"pk": "a", "sk": "b"})
    assert client.delete_table(TableName="deleted")["TableDescription"]["TableStatus"] in ("DELETING", "ACTIVE")
    client.get_waiter("table_not_exists").wait(TableName="deleted", WaiterConfig={"Delay": 1, "MaxAttempts": 10})
    assert "deleted" not in client.list_tables()["TableNames"]
    table = create_table("deleted", sort_key_type="S")
    assert table.query(KeyConditionExpression=Key("pk").eq("a"))["Count"] == 0


def test_waiting_for_a_table_that_nobody_creates_ends():
    try:
        client.get_waiter("table_exists").wait(
            TableName="never-created", WaiterConfig={"Delay": 0, "MaxAttempts": 2}
        )
        raise AssertionError("the waiter found a table")
    except WaiterError as error:
        assert "Max attempts" in str(error), error


def main():
    passed, failed = 0, 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            test()
            passed += 1
        except Exception:
            failed += 1
            print(f"FAILED {name}")
            traceback.print_exc()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
