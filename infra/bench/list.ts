import { Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { signIn } from '#infra/demo/load.ts'
import { type Finding, inRounds, median, print } from './report.ts'
import { type Stack, cpuSeconds, descendants } from './stack.ts'

/** Short pairs in turn, compared one by one: the machine's speed drifts by more within a minute than the two differ. */
const PAIRS = 3 // of a round
const REQUESTS = 300
const CONCURRENCY = 16
const BUDGET = 0.5
const BARE_PORT = 8870

/** Peer handler: one select with a count, without session, rules or envelope checks. */
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
  await fillBare(bare)
  const [barePid = 0] = descendants(process.pid, 'workerd\0serve')
    .filter((pid) => pid !== workerdPid)
    .toReversed()
  const headers = { authorization: `Bearer ${await signIn(origin, 'demo01')}` }
  const findings = await inRounds(async () => {
    const pairs: { readonly ours: Load; readonly bare: Load }[] = []
    for (let pair = 0; pair < PAIRS; pair++) {
      const ours = await load(`${origin}/api/v1/network/lists`, headers, workerdPid)
      pairs.push({ ours, bare: await load(`http://127.0.0.1:${BARE_PORT}`, {}, barePid) })
    }
    const middle = (of: (pair: (typeof pairs)[number]) => number) => median(pairs.map(of))
    const toMs = (which: 'ours' | 'bare') => middle((pair) => pair[which].cpuMs).toFixed(2)
    return [
      { what: 'network/lists', value: middle(({ ours }) => ours.perSecond), unit: 'requests/s' },
      { what: 'bare select handler', value: middle((pair) => pair.bare.perSecond), unit: 'requests/s' },
      {
        what: 'ratio by requests/s',
        value: middle((pair) => pair.ours.perSecond / pair.bare.perSecond),
        unit: '',
        budget: BUDGET,
        must: 'reach',
      },
      {
        what: 'ratio by processor time',
        value: middle((pair) => pair.bare.cpuMs / pair.ours.cpuMs),
        unit: '',
        note: `${toMs('ours')} ms against ${toMs('bare')} ms a request`,
      },
    ]
  }).finally(() => bare.dispose())
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
  const client = async () => {
    while (left-- > 0) {
      const response = await fetch(url, { headers })
      const { code } = (await response.json()) as { code: number }
      if (code !== 200) throw new Error(`${url}: ${code}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, client))
  return {
    perSecond: REQUESTS / ((performance.now() - startedAt) / 1000),
    cpuMs: ((cpuSeconds(pid) - cpu) * 1000) / REQUESTS,
  }
}

async function fillBare(bare: Miniflare): Promise<void> {
  const db = await bare.getD1Database('DB')
  const statements = [
    'CREATE TABLE networks (id INTEGER PRIMARY KEY, account_id INTEGER, number TEXT, name TEXT, created_at INTEGER)',
    'CREATE TABLE members (id INTEGER PRIMARY KEY, network_id INTEGER)',
    'CREATE INDEX networks_account ON networks (account_id)',
    'CREATE INDEX members_network ON members (network_id)',
    "INSERT INTO networks VALUES (1, 1, 'N1', '组网1', 0), (2, 1, 'N2', '组网2', 0)",
    ...Array.from({ length: 48 }, (_, i) => `INSERT INTO members (network_id) VALUES (${i < 8 ? 1 : 2})`),
  ]
  await db.batch(statements.map((statement) => db.prepare(statement)))
}
