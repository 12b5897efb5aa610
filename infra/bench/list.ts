import { Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { signIn } from '#infra/demo/load.ts'
import { cpuSeconds, descendants } from './cpu.ts'
import { type Finding, median, print } from './report.ts'
import type { Stack } from './stack.ts'

/** Short rounds in turn, compared pair by pair: the machine's speed drifts by more within a minute than the two differ. */
const ROUNDS = 15
const REQUESTS = 300
const CONCURRENCY = 16
const BUDGET = 0.5
const BARE_PORT = 8870

/** Baseline handler: one select with a count, without session, rules or envelope checks. */
const BARE = `export default {
  async fetch(request, env) {
    const { results } = await env.DB.prepare(
      'SELECT n.id, n.number, n.name, n.created_at, count(m.id) AS members FROM networks n LEFT JOIN members m ON m.network_id = n.id WHERE n.account_id = ? GROUP BY n.id ORDER BY n.id DESC LIMIT 10'
    ).bind(1).all()
    return Response.json({ code: 200, msg: '', data: results })
  },
}`

/** network/lists against that handler on the same workerd, side by side. */
export async function benchList({ origin, workerdPid }: Stack): Promise<readonly Finding[]> {
  const bare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: BARE,
      d1Databases: ['DB'],
      compatibilityDate: '2026-10-01',
      unsafeDirectSockets: [{ port: BARE_PORT }], // asked directly, as ours is
    }),
  )
  await bare.ready
  const bareOrigin = `http://127.0.0.1:${BARE_PORT}`
  await fillBare(bare)
  const [barePid = 0] = descendants(process.pid, 'workerd\0serve')
    .filter((pid) => pid !== workerdPid)
    .toReversed()
  const token = await signIn(origin, 'demo01')
  const measured = { ours: [] as Load[], bare: [] as Load[] }
  for (let round = 0; round < ROUNDS; round++) {
    measured.ours.push(await load(`${origin}/api/v1/network/lists`, { authorization: `Bearer ${token}` }, workerdPid))
    measured.bare.push(await load(bareOrigin, {}, barePid))
  }
  await bare.dispose()
  const middle = (loads: readonly Load[], key: keyof Load) => median(loads.map((one) => one[key]))
  const findings: Finding[] = [
    { what: 'network/lists', value: middle(measured.ours, 'perSecond'), unit: 'requests/s' },
    { what: 'bare select handler', value: middle(measured.bare, 'perSecond'), unit: 'requests/s' },
    {
      what: 'ratio by requests/s',
      value: median(measured.ours.map((load, round) => load.perSecond / (measured.bare[round]?.perSecond ?? 0))),
      unit: '',
      budget: BUDGET,
      must: 'reach',
    },
    {
      what: 'ratio by processor time',
      value: median(measured.ours.map((load, round) => (measured.bare[round]?.cpuMs ?? 0) / load.cpuMs)),
      unit: '',
      note: `${middle(measured.ours, 'cpuMs').toFixed(2)} ms against ${middle(measured.bare, 'cpuMs').toFixed(2)} ms a request`,
    },
  ]
  print('List endpoint against a bare handler', findings)
  return findings
}

interface Load {
  readonly perSecond: number
  readonly cpuMs: number
}

async function load(url: string, headers: Record<string, string>, pid: number): Promise<Load> {
  const cpu = cpuSeconds(pid)
  const startedAt = performance.now()
  let left = REQUESTS
  const worker = async () => {
    while (left-- > 0) {
      const response = await fetch(url, { headers })
      const { code } = (await response.json()) as { code: number }
      if (code !== 200) throw new Error(`${url}: ${code}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return {
    perSecond: REQUESTS / ((performance.now() - startedAt) / 1000),
    cpuMs: ((cpuSeconds(pid) - cpu) * 1000) / REQUESTS,
  }
}

async function fillBare(bare: Miniflare): Promise<void> {
  const db = await bare.getD1Database('DB')
  const rows = Array.from({ length: 2 }, (_, i) => i + 1)
  await db.batch([
    db.prepare(
      'CREATE TABLE networks (id INTEGER PRIMARY KEY, account_id INTEGER, number TEXT, name TEXT, created_at INTEGER)',
    ),
    db.prepare('CREATE TABLE members (id INTEGER PRIMARY KEY, network_id INTEGER)'),
    db.prepare('CREATE INDEX networks_account ON networks (account_id)'),
    db.prepare('CREATE INDEX members_network ON members (network_id)'),
    ...rows.map((id) => db.prepare('INSERT INTO networks VALUES (?, 1, ?, ?, 0)').bind(id, `N${id}`, `组网${id}`)),
    ...Array.from({ length: 48 }, (_, i) =>
      db.prepare('INSERT INTO members (network_id) VALUES (?)').bind(i < 8 ? 1 : 2),
    ),
  ])
}
