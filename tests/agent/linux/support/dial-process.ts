import { readFileSync } from 'node:fs'
import { dialNetwork } from '#infra/agent/client/dial.ts'

/* A software member's dial in a process of its own. The service's offers are in a file; a text there is a refusal. */

const [state = '', file = ''] = process.argv.slice(2)
await dialNetwork({
  state,
  number: 'N1',
  retryMs: 300,
  print: (line) => console.log(line),
  async offer() {
    const offer: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof offer === 'string') throw new Error(offer)
    return offer as Awaited<ReturnType<Parameters<typeof dialNetwork>[0]['offer']>>
  },
}).catch((error: unknown) => {
  console.log(`over: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
})
