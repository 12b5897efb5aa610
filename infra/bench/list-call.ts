import { Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { signIn } from '#infra/demo/load.ts'
import { type Finding, inRounds, median, print, timed } from './report.ts'
import type { Stack } from './stack.ts'

/* Bench of a list call: `network/lists` against a bare handler on the same workerd, side by side. */

/** Number of short pairs, compared one by one: within a minute the machine's speed drifts by more than the difference. */
const PAIRS = 3 // per round
const REQUESTS = 300
const CONCURRENCY = 16
const BUDGET = 0.5
const BARE_PORT = 8870

/** Bare handler: one select with a count, without session, rules or envelope checks. */
const BARE = `export default {
  async fetch(request, env) {
    const { results } = await env.DB.prepare(
      'SELECT n.id, n.number, n.name, n.created_at, count(m.id) AS members FROM networks n LEFT JOIN members m ON m.network_id = n.id WHERE n.account_id = ? GROUP BY n.id ORDER BY n.id DESC LIMIT 10'
    ).bind(1).all()
    return Response.json({ code: 200, msg: '', data: results })
  },
}`

export async function benchList({ origin }: Stack): Promise<readonly Finding[]> {
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
  const headers = { authorization: `Bearer ${await signIn(origin, 'demo01')}` }
  const findings = await inRounds(async () => {
    const pairs: { readonly ours: number; readonly bare: number }[] = []
    for (let pair = 0; pair < PAIRS; pair++) {
      const ours = await load(`${origin}/api/v1/network/lists`, headers)
      pairs.push({ ours, bare: await load(`http://127.0.0.1:${BARE_PORT}`, {}) })
    }
    const ratio = median(pairs.map(({ ours, bare: peer }) => ours / peer))
    return [
      { what: 'network/lists', value: median(pairs.map(({ ours }) => ours)), unit: 'requests/s' },
      { what: 'bare select handler', value: median(pairs.map((pair) => pair.bare)), unit: 'requests/s' },
      { what: 'ratio', value: ratio, unit: '', budget: BUDGET, must: 'reach' },
    ]
  }).finally(() => bare.dispose())
  return print('List endpoint against a bare handler', findings)
}

/** Requests a second. */
async function load(url: string, headers: Record<string, string>): Promise<number> {
  let left = REQUESTS
  const client = async () => {
    while (left-- > 0) {
      const response = await fetch(url, { headers })
      const { code } = (await response.json()) as { code: number }
      if (code !== 200) throw new Error(`${url}: ${code}`)
    }
  }
  const { ms } = await timed(() => Promise.all(Array.from({ length: CONCURRENCY }, client)))
  return REQUESTS / (ms / 1000)
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
