import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '#infra/agent/clock.ts'
import { messageOfError, silentLog, stdoutLog } from '#infra/agent/log.ts'
import { serverProblem } from '#infra/agent/server-address.ts'
import { fleetDevice, startFleet } from './fleet.ts'

/* Command line of the simulator: runs the virtual routers of a fleet file against a server. */

const USAGE = `node infra/simulator/main.ts --fleet <file.json> [--server <url>] [--state <folder>] [--no-probes] [--insecure] [--quiet]`
const STATUS_MS = 10_000

const fleetFile = z.strictObject({
  server: z.url({ protocol: /^https?$/ }).optional(),
  devices: z.array(fleetDevice),
})

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      fleet: { type: 'string' },
      server: { type: 'string' },
      state: { type: 'string' },
      'no-probes': { type: 'boolean', default: false },
      insecure: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
    },
  })
  if (values.fleet === undefined) throw new Error(USAGE)
  const file = fleetFile.parse(JSON.parse(await readFile(values.fleet, 'utf8')))
  const server = values.server ?? file.server
  if (server === undefined) throw new Error(`no server, neither in the file nor as an option\n${USAGE}`)

  const problem = serverProblem(server, values.insecure)
  if (problem) throw new Error(problem)

  const fleet = await startFleet({
    server,
    devices: file.devices,
    state: values.state,
    probes: !values['no-probes'],
    log: (serial) => (values.quiet ? silentLog : stdoutLog(systemClock, serial)),
  })
  const report = stdoutLog(systemClock, 'fleet')
  let shown = ''
  const timer = setInterval(() => {
    const text = `${fleet.agents.filter(({ agent }) => agent.isUp).length} of ${fleet.agents.length} connected`
    if (text !== shown) report((shown = text))
  }, STATUS_MS)
  const shutdown = () => {
    clearInterval(timer)
    void fleet.stop().then(() => setTimeout(() => process.exit(0), 500)) // lets close frames be sent
  }
  process.once('SIGTERM', shutdown)
  process.once('SIGINT', shutdown)
}

run().catch((error: unknown) => {
  console.error(messageOfError(error))
  process.exit(1)
})
