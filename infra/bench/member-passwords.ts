import { clientApi } from '#contract/client/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { readDatabase } from './database.ts'
import { type BenchMember, SIGN } from './member-file.ts'
import { type Finding, median } from './report.ts'
import type { Stack } from './stack.ts'

const MINUTES = 20
const SIGN_IN_RATIO = 2 // its own hash, and behind at most one of the job
const APART_MS = 800 // a visitor's hash keeps the next one waiting
/** Sign-ins between two looks at the rows: in that time the job saves at least once. */
const PER_LOOK = 4
/** Looks without a new hash by which the job's run counts as over. */
const QUIET_LOOKS = 2
const ALONE_MIN = 8

/**
 * Sign-ins of members that a file has just brought, before and while the cron hashes their passwords. Resolves when one run
 * of its job is over: the next one is half a minute away.
 */
export async function benchMemberPasswords(
  { origin, data }: Stack,
  members: readonly BenchMember[],
): Promise<readonly Finding[]> {
  const times = { alone: [] as number[], hashing: [] as number[] }
  let failed = 0
  const signIn = async (n: number): Promise<number> => {
    const { name = '', password = '' } = members[(n * 37) % members.length] ?? {}
    const startedAt = performance.now()
    const login = { username: `${name}@${SIGN}`, password, os: 'linux', version: 'bench' } as const
    await callEndpoint(origin, '/api/v1', clientApi.login, login).catch(() => (failed += 1))
    const took = performance.now() - startedAt
    await new Promise((done) => setTimeout(done, APART_MS))
    return took
  }
  const first = countHashed(data)
  let [last, quiet, tried] = [first, 0, 0]
  while (last === first || quiet < QUIET_LOOKS || times.alone.length < ALONE_MIN) {
    const took: number[] = []
    for (let n = 0; n < PER_LOOK; n++) took.push(await signIn(tried++))
    const hashed = countHashed(data)
    times[hashed > last ? 'hashing' : 'alone'].push(...took)
    quiet = hashed > last ? 0 : quiet + 1
    last = hashed
  }
  const [alone, hashing] = [median(times.alone), median(times.hashing)]
  return [
    {
      what: 'passwords of a file that work at once',
      value: (tried - failed) / tried,
      unit: 'of sign-ins',
      budget: 1,
      must: 'reach',
      note: `${tried} tried`,
    },
    {
      what: 'until all are hashed',
      value: members.length / (last - first),
      unit: 'minutes',
      budget: MINUTES,
      must: 'stay below',
      note: `${last - first} in one run of the minute cron`,
    },
    {
      what: 'sign-in of a member meanwhile, median',
      value: hashing / alone,
      unit: 'times alone',
      budget: SIGN_IN_RATIO,
      must: 'stay below',
      note: `${hashing.toFixed(0)} ms, longest ${Math.max(...times.hashing).toFixed(0)} ms, against ${alone.toFixed(0)} ms`,
    },
  ]
}

/** Members of the file whose passwords are hashed. */
const countHashed = (data: string): number =>
  readDatabase(data, (all) =>
    Number(all(`select count(*) as n from routers where source = 'batch' and password_sealed is null`)[0]?.['n']),
  )
