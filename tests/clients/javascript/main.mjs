// The AWS SDK for JavaScript does real work against keywright: run by `cargo xtask clients`, which starts the server and
// sets the environment. Each test's name is a sentence about behaviour.

import { environment } from './environment.mjs'
import { behaviour } from './behaviour.mjs'
import { sampleData } from './sample-data.mjs'

let passed = 0
let failed = 0
for (const [name, test] of Object.entries({ ...behaviour, ...sampleData })) {
  try {
    await test(environment)
    passed += 1
  } catch (error) {
    failed += 1
    console.log(`FAILED ${name}`)
    console.log(error)
  }
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
