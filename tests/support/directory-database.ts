import { runInDurableObject } from 'cloudflare:test'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import type { TestDirectory } from './directory.ts'

/** Fault of a round trip from the hub to D1. */
type Fate = 'before' | 'committed' | 'held'

interface Faults {
  /** Statements of each round trip so far. */
  readonly trips: string[][]
  /** Rows that they wrote, with those of indexes, as D1 bills them. */
  readonly sum: { rowsWritten: number }
  /** The next round trips with such a statement are lost before their transaction, or once it has committed. */
  lose(statement: RegExp, fate: 'before' | 'committed', times?: number): void
  /** The next one waits until `release`. */
  hold(statement: RegExp): { readonly reached: () => Promise<void>; readonly release: () => void }
}

interface Plan {
  readonly statement: RegExp
  readonly fate: Fate
  left: number
  wait?: () => Promise<void>
}

/** Puts a database between the hub and D1 whose connection a test breaks. */
export async function breakDatabase({ stub }: Pick<TestDirectory, 'stub'>): Promise<Faults> {
  const plans: Plan[] = []
  const trips: string[][] = []
  const sum = { rowsWritten: 0 }
  await runInDurableObject(stub, (hub: DirectoryHub) => {
    const own = hub as unknown as { env: Env; writer: { deps: { env: Env } } }
    const env = { ...own.env, DB: toBreakable(own.env.DB!, { plans, trips, sum }) }
    own.env = env
    own.writer.deps.env = env
  })
  return {
    trips,
    sum,
    lose: (statement, fate, times = 1) => void plans.push({ statement, fate, left: times }),
    hold: (statement) => {
      // By polling: a hub cannot wait for a promise of a test.
      let isReached = false
      let isReleased = false
      const wait = () => {
        isReached = true
        return until(() => isReleased)
      }
      plans.push({ statement, fate: 'held', left: 1, wait })
      return { reached: () => until(() => isReached), release: () => void (isReleased = true) }
    },
  }
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** Result of a hub call, or the message that it throws: a rejection that crosses to a test counts as unhandled. */
export const attempt = ({ stub }: Pick<TestDirectory, 'stub'>, call: (hub: DirectoryHub) => Promise<unknown>) =>
  runInDurableObject(stub, async (hub: DirectoryHub) => {
    try {
      return await call(hub)
    } catch (error) {
      return { thrown: error instanceof Error ? error.message : String(error) }
    }
  })

function toBreakable(
  real: D1Database,
  { plans, trips, sum }: Pick<Faults, 'trips' | 'sum'> & { readonly plans: Plan[] },
): D1Database {
  const texts = new WeakMap<object, string>()
  const prepare = (sql: string) => {
    const prepared = real.prepare(sql)
    return {
      bind: (...values: unknown[]) => {
        const bound = prepared.bind(...values)
        texts.set(bound, sql)
        return bound
      },
    }
  }
  const batch = async (statements: D1PreparedStatement[]) => {
    const sql = statements.map((statement) => texts.get(statement) ?? '')
    trips.push(sql)
    const plan = plans.find(({ left, statement }) => left > 0 && sql.some((text) => statement.test(text)))
    if (plan) plan.left--
    if (plan?.fate === 'before') throw new Error('Network connection lost.')
    await plan?.wait?.()
    const results = await real.batch(statements)
    for (const { meta } of results) sum.rowsWritten += meta.rows_written
    if (plan?.fate === 'committed') throw new Error('Network connection lost.')
    return results
  }
  return { prepare, batch } as unknown as D1Database
}

/** Statements by which tests name a round trip. */
export const STATEMENT = {
  owner: /from "?ldap_hubs"?.*inner join "?accounts"?/is,
  members: /from routers r left join ldap_members l/i,
  importing: /insert into ldap_members/i,
  disabling: /update routers set status = 0/i,
  changing: /update ldap_members set note/i,
  deleting: /delete from ldap_members/i,
  undoing: /update "?ldap_runs"?/i,
  outcome: /update "?ldap_hubs"? set "?due_at"?/i,
} as const
