// What the engine does, as an application that uses the SDK sees it.

import assert from 'node:assert/strict'
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  ExecuteStatementCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  TransactionCanceledException,
  UpdateItemCommand,
  paginateListTables,
  paginateQuery,
  paginateScan,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'

const byPartition = (TableName, partition) => ({
  TableName,
  KeyConditionExpression: '#p = :p',
  ExpressionAttributeNames: { '#p': 'pk' },
  ExpressionAttributeValues: { ':p': { S: partition } },
})

export const behaviour = {
  'a table is created, described and listed': async ({ client, createTable }) => {
    await createTable('described', ['pk', 'S'], ['sk', 'N'])
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'described' }))
    assert.equal(Table.TableStatus, 'ACTIVE')
    assert.deepEqual(Table.KeySchema, [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ])
    assert.ok(Table.CreationDateTime instanceof Date)
    assert.ok(Table.TableArn.endsWith(':table/described'), Table.TableArn)
    const { TableNames } = await client.send(new ListTablesCommand({}))
    assert.ok(TableNames.includes('described'))
  },

  'the list of tables comes in pages': async ({ client, createTable }) => {
    for (const name of ['listed-a', 'listed-b', 'listed-c']) await createTable(name, ['pk', 'S'])
    const names = []
    for await (const page of paginateListTables({ client, pageSize: 1 }, {})) names.push(...page.TableNames)
    assert.deepEqual(names.filter((name) => name.startsWith('listed-')), ['listed-a', 'listed-b', 'listed-c'])
  },

  'a value of every type comes back as it went': async ({ client, createTable }) => {
    await createTable('types', ['pk', 'S'])
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const Item = {
      pk: { S: 'every type' },
      string: { S: 'naïve \u{1f511} "quoted" \\ \u0001' },
      number: { N: '-12.5' },
      large: { N: '12345678901234567890123456789012345678' },
      binary: { B: bytes },
      yes: { BOOL: true },
      no: { BOOL: false },
      nothing: { NULL: true },
      list: { L: [{ S: 'a' }, { N: '1' }, { L: [] }, { M: {} }] },
      map: { M: { a: { M: { b: { S: '' } } } } },
      strings: { SS: ['a', 'b'] },
      numbers: { NS: ['1', '2.5'] },
      binaries: { BS: [bytes.slice(0, 2), bytes.slice(250)] },
    }
    await client.send(new PutItemCommand({ TableName: 'types', Item }))
    const found = await client.send(new GetItemCommand({ TableName: 'types', Key: { pk: Item.pk }, ConsistentRead: true }))
    found.Item.numbers.NS.sort()
    assert.deepEqual(found.Item, Item)
  },

  'an item is replaced and deleted, and the old one returned': async ({ client, createTable }) => {
    await createTable('replaced', ['pk', 'B'])
    const Key = { pk: { B: Uint8Array.of(0, 255) } }
    const TableName = 'replaced'
    const ReturnValues = 'ALL_OLD'
    await client.send(new PutItemCommand({ TableName, Item: { ...Key, a: { S: '1' } } }))
    const put = await client.send(new PutItemCommand({ TableName, Item: { ...Key, a: { S: '2' } }, ReturnValues }))
    assert.deepEqual(put.Attributes, { ...Key, a: { S: '1' } })
    const deleted = await client.send(new DeleteItemCommand({ TableName, Key, ReturnValues }))
    assert.deepEqual(deleted.Attributes, { ...Key, a: { S: '2' } })
    const gone = await client.send(new GetItemCommand({ TableName, Key }))
    assert.equal(gone.Item, undefined)
  },

  'a query comes in pages in both directions': async ({ client, createTable }) => {
    await createTable('pages', ['pk', 'S'], ['sk', 'N'])
    for (let number = -5; number <= 5; number += 1) {
      await client.send(new PutItemCommand({ TableName: 'pages', Item: { pk: { S: 'p' }, sk: { N: String(number) } } }))
    }
    const ascending = Array.from({ length: 11 }, (_, index) => String(index - 5))
    for (const pageSize of [1, 3, 11, 50]) {
      for (const ScanIndexForward of [true, false]) {
        const numbers = []
        const input = { ...byPartition('pages', 'p'), ScanIndexForward }
        for await (const page of paginateQuery({ client, pageSize }, input)) {
          numbers.push(...page.Items.map((item) => item.sk.N))
        }
        assert.deepEqual(numbers, ScanIndexForward ? ascending : ascending.toReversed())
      }
    }
  },

  'consumed capacity is counted in units of the service': async ({ client, createTable }) => {
    await createTable('capacity', ['pk', 'S'], ['sk', 'S'])
    const Item = { pk: { S: 'p' }, sk: { S: 's' }, data: { S: 'x'.repeat(3_000) } }
    const put = await client.send(new PutItemCommand({ TableName: 'capacity', Item, ReturnConsumedCapacity: 'TOTAL' }))
    assert.deepEqual(put.ConsumedCapacity, { TableName: 'capacity', CapacityUnits: 3 })
    const query = await client.send(
      new QueryCommand({ ...byPartition('capacity', 'p'), ConsistentRead: true, ReturnConsumedCapacity: 'INDEXES' }),
    )
    assert.equal(query.ConsumedCapacity.CapacityUnits, 1)
    assert.equal(query.ConsumedCapacity.Table.CapacityUnits, 1)
  },

  'errors are instances of the classes of the SDK': async ({ client, createTable }) => {
    await createTable('exists', ['pk', 'S'])
    const get = client.send(new GetItemCommand({ TableName: 'missing', Key: { pk: { S: 'a' } } }))
    await assert.rejects(get, ResourceNotFoundException)
    await assert.rejects(createTable('exists', ['pk', 'S']), ResourceInUseException)
  },

  'a request that breaks a rule is refused with the name of the rule': async ({ createTable, refused }) => {
    await createTable('rules', ['pk', 'S'], ['sk', 'S'])
    const put = (item) => new PutItemCommand({ TableName: 'rules', Item: { pk: { S: 'a' }, ...item } })
    await refused(put({}), 'ValidationException', 'Missing the key sk')
    await refused(put({ sk: { N: '1' } }), 'ValidationException', 'Type mismatch for key sk')
    await refused(put({ sk: { S: 'b' }, n: { N: '1'.repeat(39) } }), 'ValidationException', '38 significant digits')
    await refused(put({ sk: { S: 'x'.repeat(1025) } }), 'ValidationException', '1024')
    const unknown = { ...byPartition('rules', 'p'), ExpressionAttributeValues: { ':other': { S: 'p' } } }
    await refused(new QueryCommand(unknown), 'ValidationException', ':p')
    const filtered = { ...byPartition('rules', 'p'), FilterExpression: 'other = :p' }
    await refused(new QueryCommand(filtered), 'ValidationException', 'FilterExpression')
    const statement = new ExecuteStatementCommand({ Statement: 'SELECT * FROM rules' })
    await refused(statement, 'UnknownOperationException', '')
    const byOwner = { TableName: 'rules', IndexName: 'byOwner' }
    await refused(new ScanCommand(byOwner), 'ValidationException', 'does not have the specified index: byOwner')
  },

  'a claim is won once, a counter counts, and a filtered scan pages': async ({ client, createTable }) => {
    await createTable('claims', ['pk', 'S'])
    const claim = new PutItemCommand({
      TableName: 'claims',
      Item: { pk: { S: 'a' }, by: { S: 'first' } },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    await client.send(claim)
    await assert.rejects(client.send(claim), (error) => {
      assert.ok(error instanceof ConditionalCheckFailedException)
      assert.deepEqual(error.Item, { pk: { S: 'a' }, by: { S: 'first' } })
      return true
    })
    for (let number = 0; number < 10; number += 1) {
      const counted = new UpdateItemCommand({
        TableName: 'claims',
        Key: { pk: { S: `p${number % 5}` } },
        UpdateExpression: 'ADD hits :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
        ReturnValues: 'UPDATED_NEW',
      })
      const { Attributes } = await client.send(counted)
      assert.deepEqual(Attributes, { hits: { N: number < 5 ? '1' : '2' } })
    }
    const filter = { FilterExpression: 'hits = :two', ExpressionAttributeValues: { ':two': { N: '2' } } }
    const found = []
    for await (const page of paginateScan({ client, pageSize: 2 }, { TableName: 'claims', ...filter })) {
      found.push(...page.Items.map((item) => item.pk.S))
    }
    assert.deepEqual(found.sort(), ['p0', 'p1', 'p2', 'p3', 'p4'])
  },

  'batches write and read many items, and say what is wrong with one': async ({ client, createTable, refused }) => {
    await createTable('batched', ['pk', 'S'])
    const keys = Array.from({ length: 25 }, (_, index) => ({ pk: { S: String(index) } }))
    const puts = keys.map((key) => ({ PutRequest: { Item: { ...key, text: { S: 'x'.repeat(1500) } } } }))
    const written = await client.send(
      new BatchWriteItemCommand({ RequestItems: { batched: puts }, ReturnConsumedCapacity: 'TOTAL' }),
    )
    assert.deepEqual(written.UnprocessedItems, {})
    assert.equal(written.ConsumedCapacity[0].CapacityUnits, 50)
    const missing = { pk: { S: 'missing' } }
    const read = await client.send(
      new BatchGetItemCommand({ RequestItems: { batched: { Keys: [...keys, missing], ProjectionExpression: 'pk' } } }),
    )
    assert.deepEqual(read.Responses.batched, keys)
    assert.deepEqual(read.UnprocessedKeys, {})
    const twice = { RequestItems: { batched: [puts[0], { DeleteRequest: { Key: keys[0] } }] } }
    await refused(new BatchWriteItemCommand(twice), 'ValidationException', 'contains duplicates')
  },

  'a transaction takes effect as a whole, once for its token': async ({ client, createTable, refused }) => {
    await createTable('accounts', ['pk', 'S'])
    const account = (name) => ({ TableName: 'accounts', Key: { pk: { S: name } } })
    const add = (name, amount) => ({
      Update: {
        ...account(name),
        UpdateExpression: 'ADD balance :amount',
        ExpressionAttributeValues: { ':amount': { N: String(amount) } },
      },
    })
    const open = { ConditionCheck: { ...account('bank'), ConditionExpression: 'attribute_exists(pk)' } }
    const transfer = (amount) =>
      new TransactWriteItemsCommand({
        ClientRequestToken: 'transfer',
        TransactItems: [open, add('a', -amount), add('b', amount)],
      })
    await assert.rejects(client.send(transfer(5)), (error) => {
      assert.ok(error instanceof TransactionCanceledException)
      assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ['ConditionalCheckFailed', 'None', 'None'])
      return true
    })
    await client.send(new PutItemCommand({ TableName: 'accounts', Item: { pk: { S: 'bank' } } }))
    await client.send(transfer(5))
    await client.send(transfer(5))
    await refused(transfer(6), 'IdempotentParameterMismatchException', 'token')
    const gets = ['a', 'b', 'none'].map((name) => ({ Get: account(name) }))
    const { Responses } = await client.send(new TransactGetItemsCommand({ TransactItems: gets }))
    assert.deepEqual(Responses.map((response) => response.Item?.balance?.N), ['-5', '5', undefined])
  },

  'a deleted table is gone': async ({ client, createTable }) => {
    await createTable('deleted', ['pk', 'S'])
    await client.send(new DeleteTableCommand({ TableName: 'deleted' }))
    const waited = await waitUntilTableNotExists(
      { client, minDelay: 0.05, maxDelay: 1, maxWaitTime: 10 },
      { TableName: 'deleted' },
    )
    assert.equal(waited.state, 'SUCCESS')
  },

  'many requests at once are answered each with its own item': async ({ client, createTable }) => {
    await createTable('parallel', ['pk', 'S'])
    const numbers = Array.from({ length: 200 }, (_, index) => String(index))
    const item = (number) => ({ pk: { S: number }, n: { N: number } })
    const put = (number) => client.send(new PutItemCommand({ TableName: 'parallel', Item: item(number) }))
    await Promise.all(numbers.map(put))
    const get = (number) => client.send(new GetItemCommand({ TableName: 'parallel', Key: { pk: { S: number } } }))
    const found = await Promise.all(numbers.map(get))
    assert.deepEqual(found.map((answer) => answer.Item), numbers.map(item))
  },
}
