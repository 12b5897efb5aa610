import fc from 'fast-check'
import type { Ctx } from '#http/context.ts'
import { run } from '#tests/support/libsql.ts'

/** An account under test: ids of its routers and numbers of its networks, in the order they were made. */
export interface Fixture {
  readonly accountId: number
  readonly ctx: Ctx
  readonly routerIds: number[]
  readonly numbers: string[]
  /** Delivers what writes have left in the hub outbox. */
  readonly deliver: () => Promise<void>
}
export type Step = (fixture: Fixture) => Promise<unknown>

/** Names of the routers; software is renamed by a new suffix, and a deleted one has none. */
export async function selectNames({ accountId, routerIds }: Fixture): Promise<string[]> {
  const rows = await run('select id, name from routers where account_id = ?', [accountId])
  return routerIds.map((id) => String(rows.find((row) => row['id'] === id)?.['name'] ?? 'gone'))
}

export const ROUTERS = { hardware: 5, software: 2 }
export const at = fc.nat(2)
/** One of those that were there at first, or have been added since. */
export const router = fc.nat(ROUTERS.hardware + ROUTERS.software)
/** Role of each router: 0 no member, 1 centre, 2 point. Most of these plans are accepted. */
const hardwareRoles = fc.array(fc.constantFrom(0, 1, 2, 2), {
  minLength: ROUTERS.hardware,
  maxLength: ROUTERS.hardware,
})
const softwareRoles = fc.array(fc.constantFrom(0, 2, 2), { minLength: ROUTERS.software, maxLength: ROUTERS.software })
export const roles = fc.tuple(hardwareRoles, softwareRoles).map((kinds) => kinds.flat())

export async function createPlan(fixture: Fixture, kinds: readonly number[]) {
  const names = await selectNames(fixture)
  return {
    network_name: '网络',
    center: names.filter((_, i) => kinds[i] === 1),
    point: names.filter((_, i) => kinds[i] === 2),
  }
}
export const nameOf = async (fixture: Fixture, router: number) => (await selectNames(fixture))[router] ?? 'none'
export async function namesOf(fixture: Fixture, routers: readonly number[]): Promise<string[]> {
  const names = await selectNames(fixture)
  return routers.map((n) => names[n] ?? 'none')
}
export const target = ({ numbers }: Fixture, network: number) => ({
  network_number: numbers[network] ?? numbers.at(-1) ?? 'none',
})
/** Names of all steps. */
export const stepNames = new Set<string>()
/** A step that shows in a counterexample as what it does: the path of a call, or what somebody else does. */
export function step<T>(
  name: string,
  values: fc.Arbitrary<T>,
  run: (fixture: Fixture, value: T) => Promise<unknown>,
): fc.Arbitrary<Step> {
  stepNames.add(name)
  return values.map((value) =>
    Object.assign((fixture: Fixture) => run(fixture, value), {
      [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
    }),
  )
}
