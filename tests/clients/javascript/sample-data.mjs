// The sample items and NoSQL Workbench models of test-data: stored by PutItem, read by GetItem and Query.
//
// The secondary indexes of the models are left out: this version has none.

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'

const directory = process.env.KEYWRIGHT_TEST_DATA
const read = (file) => JSON.parse(readFileSync(join(directory, file), 'utf8'))

// Bytes in order of unsigned value, as the service sorts strings: JavaScript's own order is by UTF-16 units.
const inOrder = (left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))

// Stores the items, then finds each by its key and each partition by a query.
async function storeAndRead({ client, createTable }, TableName, partitionKey, sortKey, items) {
  await createTable(TableName, [partitionKey, 'S'], [sortKey, 'S'])
  for (const Item of items) await client.send(new PutItemCommand({ TableName, Item }))
  for (const item of items) {
    const Key = { [partitionKey]: item[partitionKey], [sortKey]: item[sortKey] }
    const found = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))
    assert.deepEqual(found.Item, item)
  }
  const partitions = new Map()
  for (const item of items) {
    const partition = item[partitionKey].S
    partitions.set(partition, [...(partitions.get(partition) ?? []), item])
  }
  for (const [partition, expected] of partitions) {
    const found = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: '#p = :p',
        ExpressionAttributeNames: { '#p': partitionKey },
        ExpressionAttributeValues: { ':p': { S: partition } },
      }),
    )
    const sorted = expected.toSorted((left, right) => inOrder(left[sortKey].S, right[sortKey].S))
    assert.deepEqual(found.Items, sorted)
    assert.equal(found.LastEvaluatedKey, undefined)
  }
}

// The items of a table of a Workbench model; some models keep them inside facets.
function itemsOf(table) {
  const inFacets = (table.TableFacets ?? []).flatMap((facet) => facet.TableData ?? [])
  return [...(table.TableData ?? []), ...inFacets]
}

// The maps of the game model are wrapped twice, `{"M": {"M": {"HP": {"N": "50"}}}}`, in which the inner map is no value of
// any type. One wrapping is taken off.
const isWrappedTwice = (value) => value.M?.M !== undefined && !('S' in value.M.M || 'N' in value.M.M)
const unwrapped = (item) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, isWrappedTwice(value) ? value.M : value]))

const models = readdirSync(directory).filter((file) => file.startsWith('nwb-'))

export const sampleData = {
  'the items of the batch sample are stored and queried': async (environment) => {
    const [[table, requests]] = Object.entries(read('batchwrite-sample-items.json'))
    const items = requests.map((request) => request.PutRequest.Item)
    assert.equal(items.length, 13)
    await storeAndRead(environment, table, 'PK', 'SK', items)
  },
}

for (const file of models) {
  sampleData[`the items of ${file} are stored and queried`] = async (environment) => {
    for (const table of read(file).DataModel) {
      const { PartitionKey, SortKey } = table.KeyAttributes
      const items = itemsOf(table).map(unwrapped)
      assert.ok(items.length > 0, `${file} has items`)
      await storeAndRead(environment, table.TableName, PartitionKey.AttributeName, SortKey.AttributeName, items)
    }
  }
}

sampleData['every model of test-data is there'] = async () => assert.equal(models.length, 5)

// Stored as they stand, they would be attributes that no client can read: the service refuses them, and so must we.
sampleData['an item of the game model whose map is wrapped twice is refused'] = async ({ createTable, refused }) => {
  const [table] = read('nwb-game-player-profiles.json').DataModel
  const Item = itemsOf(table).find((item) => Object.values(item).some(isWrappedTwice))
  await createTable('game-as-it-stands', ['PK', 'S'], ['SK', 'S'])
  const put = new PutItemCommand({ TableName: 'game-as-it-stands', Item })
  await refused(put, 'ValidationException', 'Supplied AttributeValue is empty')
}
