import { parseArgs } from 'node:util'
import { systemClock } from '#infra/agent/clock.ts'
import { type LinkEnd, Prober } from '#infra/agent/probe/prober.ts'

/* A prober in a process of its own, so that it runs in a network namespace. It prints its reports as lines of JSON. */

const { values } = parseArgs({ options: { port: { type: 'string' }, links: { type: 'string' } } })
const prober = await Prober.open(Number(values.port), { clock: systemClock, intervalMs: 500 })
prober.watch('own', JSON.parse(values.links ?? '[]') as LinkEnd[], () => {})
setInterval(() => console.log(JSON.stringify(prober.reports('own'))), 100)
