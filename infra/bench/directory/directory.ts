import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDirectory } from '#tests/support/directory/start.ts'
import { installDirectoryTools } from '#infra/local/network-tools.ts'
import { freePort } from '#infra/local/runtime.ts'
import { type Finding, inRounds, print, timed } from '../report.ts'
import { type Stack, startStack } from '../stack.ts'
import { type Company, createCompany } from './company.ts'
import { peakHeapMiB } from './heap.ts'

/* Bench of directories: runs with 20,000 people of one slapd over LDAPS and the tunnel of a router; time and heap. */

const USERS = 20_000
/** Delay between agent and service, one way. */
const DELAY_MS = 30
const BUDGET = { seconds: 10, heapMiB: 64 } as const
/** Runs of a round whose heap is watched. */
const HEAP_RUNS = 2
/** Limits of V8: two semi-spaces and the old space, together no more than the budget. workerd ends when they are full. */
const V8_FLAGS = '--max-semi-space-size=8 --max-old-space-size=48'
const INSPECTOR_PORT = 9_260

export async function benchDirectory(): Promise<readonly Finding[]> {
  if (!(await installDirectoryTools())) return []
  const folder = mkdtempSync(join(tmpdir(), 'netloom-bench-slapd-'))
  const slapd = await startDirectory({ folder, users: USERS })
  const inspectorPort = await freePort(INSPECTOR_PORT)
  const options = [`--inspector=${inspectorPort}`, `--v8-flags=${V8_FLAGS}`]
  const stack = await startStack(['infra/bench/serve.ts', 'infra/bench/directory/worker.ts', ...options])
  const line = await openDelayedLine(Number(new URL(stack.origin).port), DELAY_MS)
  try {
    const ca = readFileSync(join(folder, 'ca.crt'), 'utf8')
    const directory = { ldapsPort: slapd.ldapsPort, ca, users: USERS }
    const company = await createCompany(stack, `http://127.0.0.1:${line.port}`, directory)
    const findings = [...(await measureTime(stack, company)), ...(await measureHeap(stack, company, inspectorPort))]
    await company.close()
    return print(`Directory of ${USERS}: runs through the tunnel of a router`, findings)
  } finally {
    line.close()
    await stack.stop()
    await slapd.close()
    rmSync(folder, { recursive: true })
  }
}

/** Measures a check, the first import, and runs that change nothing. */
async function measureTime(stack: Stack, company: Company): Promise<readonly Finding[]> {
  const budget = { unit: 's', budget: BUDGET.seconds, must: 'stay below' } as const
  const checked = await timed(company.check)
  if (checked.result !== USERS) throw new Error(`${checked.result} of ${USERS} users`)
  const added = await company.importAll()
  const runs = await inRounds(async () => {
    const { ms } = await timed(() => run(stack, company))
    return [{ what: `list and compare, ${DELAY_MS * 2} ms from the agent`, value: ms / 1000, ...budget }]
  })
  const { members } = await company.outcome()
  if (members !== added) throw new Error(`${members} members after an import of ${added}`)
  return [...runs, { what: 'the same for a check', value: checked.ms / 1000, ...budget }]
}

/** Measures the heap of the isolate of the Worker and all hubs over several runs. */
const measureHeap = (stack: Stack, company: Company, inspectorPort: number): Promise<readonly Finding[]> =>
  inRounds(async () => {
    const value = await peakHeapMiB(inspectorPort, async () => {
      for (let index = 0; index < HEAP_RUNS; index++) await run(stack, company)
    })
    const budget = { unit: 'MiB', budget: BUDGET.heapMiB, must: 'stay below' } as const
    return [{ what: `largest heap, ${HEAP_RUNS} runs in a row`, value, ...budget, note: 'objects and buffers' }]
  })

/** Starts the hourly run now. */
async function run({ origin }: Stack, company: Company): Promise<void> {
  const response = await fetch(`${origin}/__bench/run`, { method: 'POST' })
  if (!response.ok) throw new Error(await response.text())
  const { fault } = await company.outcome()
  if (fault) throw new Error(`a run failed: ${fault}`)
}

/** Relays a port of this machine with a delay in both directions, in order. Bandwidth is not limited. */
async function openDelayedLine(target: number, delayMs: number) {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: target, noDelay: true })
    carry(near, far, delayMs)
    carry(far, near, delayMs)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function carry(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (bytes) => setTimeout(() => to.write(bytes), delayMs))
  from.on('close', () => setTimeout(() => to.destroy(), delayMs))
}
