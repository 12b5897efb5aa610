import type { Output } from '#contract/kernel/endpoint.ts'
import { isPresent } from '#domain/health/member.ts'
import type { Session } from './api.ts'
import { type Compare, byName } from './comparison.ts'
import { compileDocuments } from './documents.ts'
import type { AccountRows, RouterRow } from './rows.ts'
import type { Fixtures } from './fixtures.ts'
import { routerApi } from '#contract/router/index.ts'

export type Listed = Output<typeof routerApi.lists>[number]

/** router/lists and router/info with the rows. Returns the listed routers by name. */
export async function compareRouters(
  session: Session,
  rows: AccountRows,
  expect: Compare,
): Promise<Map<string, Listed>> {
  const listed: Listed[] = []
  for (const type of [1, 2]) {
    const { data } = await session.ask(routerApi.lists, { page: 1, limit: 100, type })
    listed.push(...(data ?? []))
  }
  const toRow = (router: RouterRow) => {
    const count = rows.networks.filter(({ members }) => members.some((m) => m.name === router.name)).length
    return [router.name, router.note, router.status, router.presence, router.presenceReason, count]
  }
  expect(
    'router/lists',
    byName(listed, (row) => row.router_name).map((row) => {
      const { state, reason } = row.presence
      return [row.router_name, row.note, row.status, state, reason, row.network_count]
    }),
    byName(rows.routers, (row) => row.name).map(toRow),
  )
  for (const row of listed) {
    const { data } = await session.ask(routerApi.info, { router_name: row.router_name })
    const numbers = rows.networks.filter(({ members }) => members.some((m) => m.name === row.router_name))
    expect(
      `router/info ${row.router_name}`,
      [data?.presence, data?.config, data?.network.map((n) => n.network_number).toSorted()],
      [row.presence, row.config, numbers.map(({ number }) => number).toSorted()],
    )
  }
  return new Map(listed.map((row) => [row.router_name, row]))
}

/** The truth is the device itself: whether it is connected, and what it runs. */
export function compareDevices(
  { devices, neverOn }: Pick<Fixtures, 'devices' | 'neverOn'>,
  rows: AccountRows,
  listed: ReadonlyMap<string, Listed>,
  expect: Compare,
): void {
  const documents = compileDocuments(rows)
  const hardware = rows.routers.filter(({ routerType }) => routerType === 1)
  for (const router of hardware) {
    const { name, status } = router
    const isUp = devices.isUp(name)
    expect(`${name} is connected`, isUp, devices.isRunning(name) && status === 1)
    comparePresence(router, isUp, neverOn.has(name), expect)
    if (!isUp) continue
    const isMember = rows.networks.some(({ members }) => members.some((m) => m.name === name))
    if (isMember || !devices.hasNoNetworks(name))
      expect(`document of ${name}`, devices.runningDocument(name), documents.get(name))
    const { state = 'none', reason } = listed.get(name)?.config ?? {}
    if (isMember || state !== 'none') expect(`configuration of ${name} (${reason})`, state, 'applied')
  }
}

function comparePresence(
  { name, status, presence, presenceReason }: RouterRow,
  isUp: boolean,
  wasNeverOn: boolean,
  expect: Compare,
): void {
  if (status === 0) return expect(`presence of the disabled ${name}`, presence, 'disabled')
  expect(`${name} is shown as present (${presence})`, isPresent(presence), isUp)
  if (wasNeverOn) expect(`presence of ${name}, which was never on`, presence, 'never')
  if (presence === 'offline') expect(`${name} is offline for a reason`, presenceReason !== '', true)
}
