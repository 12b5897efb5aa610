import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Finding, print } from '../report.ts'
import { type Stack, startStack } from '../stack.ts'
import { listLasting } from './contradictions.ts'
import { type Sample, readSample } from './sample.ts'
import { OUTAGES, type Outage } from './cases.ts'
import { outageTable } from './table.ts'
import { createTenant, untilWell } from './tenant.ts'

/* Bench of outages: stops devices and services, and compares each second what the pages say about it. */

const SECOND_MS = 1_000
/** Links of a device that has just come are awaited this long. */
const STEADY_MS = 35_000
/** Read of the pages of networks, which takes a call of each of their hubs. */
const PAGES_EVERY = 3
const ROWS_PER_OBJECT = 2
/** Outages of one run, by words of their names; OUTAGES=frozen,killed chooses some. */
const CHOSEN = (process.env['OUTAGES'] ?? '').split(',').filter(Boolean)
/** Outages at a time, each of an account of its own. */
const PARALLEL = Number(process.env['OUTAGES_PARALLEL'] ?? 3)

export interface OutageRecord {
  readonly outage: Outage
  readonly during: readonly Sample[]
  /** From its end until everything runs well again. */
  readonly after: readonly Sample[]
  readonly contradictions: readonly string[]
  /** Error that ended it early. */
  readonly failure: string | null
}

/** @param file of the table; null: it is printed */
export async function benchOutages(file: string | null): Promise<readonly Finding[]> {
  const chosen = OUTAGES.filter(({ name }) => CHOSEN.length === 0 || CHOSEN.some((word) => name.includes(word)))
  const stack = await startStack(['infra/start.ts', '--no-agents', '--no-demo', '--robots'])
  const records: OutageRecord[] = []
  const stop = () => void stack.stop().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  try {
    const queue = chosen.filter(({ isOfAll }) => !isOfAll)
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) records.push(await runOutage(stack, next))
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
    for (const outage of chosen.filter(({ isOfAll }) => isOfAll)) records.push(await runOutage(stack, outage))
  } finally {
    await stack.stop()
  }
  const ordered = chosen.flatMap((outage) => records.find((record) => record.outage === outage) ?? [])
  const table = outageTable(ordered)
  if (file === null) process.stdout.write(table)
  else writeFileSync(file, table)
  return print('Outages, sampled each second', ordered.flatMap(toFindings))
}

let accounts = 0

async function runOutage(stack: Stack, outage: Outage): Promise<OutageRecord> {
  const samples: { during: Sample[]; after: Sample[] } = { during: [], after: [] }
  const failure = await sampleOutage(stack, outage, samples).then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  )
  process.stdout.write(`  ${outage.name}: ${failure ?? `${samples.during.length} samples`}\n`)
  return { outage, ...samples, contradictions: listLasting([...samples.during, ...samples.after]), failure }
}

async function sampleOutage(
  stack: Stack,
  outage: Outage,
  { during, after }: { readonly during: Sample[]; readonly after: Sample[] },
): Promise<void> {
  const tenant = await createTenant(stack, `outage${String(++accounts).padStart(2, '0')}`, outage.runs)
  const closes: (() => unknown)[] = [() => tenant.stop()]
  try {
    const trouble = await outage.prepare(stack, tenant)
    if (trouble.close) closes.push(trouble.close)
    await untilWell(tenant)
    await sleep(STEADY_MS)
    const startedAt = Date.now()
    const sampleUntil = async (samples: Sample[], isOver: (sample: Sample) => boolean, untilS: number) => {
      for (let n = 0; ; n++) {
        const nextAt = Date.now() + SECOND_MS
        const sample = await readSample(tenant, startedAt, n % PAGES_EVERY === 0).catch(() => null) // it restarts
        if (sample) samples.push(sample)
        const seconds = (Date.now() - startedAt) / SECOND_MS
        if ((sample && isOver(sample)) || seconds > untilS) return
        await sleep(Math.max(nextAt - Date.now(), 0))
      }
    }
    const begun = Promise.resolve(trouble.begin())
    begun.catch(() => {}) // awaited below
    await sampleUntil(during, () => false, outage.lastsS)
    await begun
    await trouble.end()
    const isWell = ({ rows, alerts }: Sample) => rows.length + alerts.length === 0
    await sampleUntil(after, isWell, outage.lastsS + outage.returnS)
  } finally {
    for (const close of closes.toReversed()) await close()
  }
}

function toFindings({
  outage: { name, objects, isNamed },
  during,
  after,
  contradictions,
  failure,
}: OutageRecord): Finding[] {
  const most = Math.max(0, ...[...during, ...after].map(({ rows }) => rows.length))
  const last = after.at(-1)
  const first = during.find(({ rows }) => rows.length > 0)?.at
  const count = (what: string, value: number): Finding => ({ what: `${name}: ${what}`, value, unit: '' })
  return [
    { ...count('failed', failure === null ? 0 : 1), budget: 0, must: 'always be' },
    { ...count('contradictions that lasted', contradictions.length), budget: 0, must: 'always be' },
    {
      ...count('rows and open alerts that stayed', last ? last.rows.length + last.alerts.length : 0),
      budget: 0,
      must: 'always be',
    },
    { ...count('most rows', most), budget: ROWS_PER_OBJECT * objects },
    ...(isNamed ? [{ what: `${name}: first row`, value: first ?? Infinity, unit: 's' }] : []),
  ]
}
