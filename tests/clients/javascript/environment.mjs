// The client with the SDK's defaults, and what every test needs to make a table.

import assert from 'node:assert/strict'
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb'

export const client = new DynamoDBClient({ endpoint: process.env.KEYWRIGHT_ENDPOINT })

// Creates a table with keys given as [name, type] and waits until the SDK sees it.
async function createTable(TableName, partitionKey, sortKey) {
  const keys = [partitionKey, sortKey].filter(Boolean)
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys.map(([AttributeName], index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
      AttributeDefinitions: keys.map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    }),
  )
  const waited = await waitUntilTableExists({ client, minDelay: 0.05, maxDelay: 1, maxWaitTime: 10 }, { TableName })
  assert.equal(waited.state, 'SUCCESS')
}

// Asserts that the command is refused with this error class and a message that holds the phrase.
async function refused(command, name, phrase) {
  await assert.rejects(client.send(command), (error) => {
    assert.equal(error.name, name)
    assert.ok(error.message.includes(phrase), error.message)
    assert.equal(error.$metadata.httpStatusCode, 400)
    return true
  })
}

export const environment = { client, createTable, refused }
