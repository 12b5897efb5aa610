import type { InterfaceInfo } from '../../worker/contract/protocol.ts'
import { devices, routerStates, routers } from '../../worker/db/schema/members.ts'
import { newHubName } from '../../worker/security/hub-name.ts'
import { db, unique } from './world.ts'

interface RouterOver {
  readonly name?: string
  readonly note?: string
  readonly phone?: string
  /** Segments behind the device, `ip/mask`. */
  readonly lans?: readonly string[]
  /** Further columns of its state; a router without any was never seen. */
  readonly state?: Partial<Omit<typeof routerStates.$inferInsert, 'routerId'>>
}

export interface TestRouter {
  readonly id: number
  readonly name: string
  readonly hub: string
}

/** A claimed device. */
export async function aHardware(accountId: number, over: RouterOver = {}): Promise<TestRouter> {
  const serial = over.name ?? unique('SN-').toUpperCase()
  const [device] = await db
    .insert(devices)
    .values({ serial, model: 'NL-200', activationHash: unique(), createdAt: Date.now() })
    .returning({ id: devices.id })
  return insert({ accountId, name: serial, routerType: 1, deviceId: device!.id, createdAt: Date.now() }, over)
}

export const aSoftware = (accountId: number, over: RouterOver = {}): Promise<TestRouter> =>
  insert(
    {
      accountId,
      name: over.name ?? `${unique('app')}@test01`,
      routerType: 2,
      password: 'scrypt',
      createdAt: Date.now(),
    },
    over,
  )

export const several = <T>(n: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, make))

async function insert(row: typeof routers.$inferInsert, over: RouterOver): Promise<TestRouter> {
  const { note = '', phone = null, lans, state } = over
  const [router] = await db
    .insert(routers)
    .values({ ...row, note, phone, hub: newHubName('default') })
    .returning({ id: routers.id, name: routers.name, hub: routers.hub })
  if (lans || state)
    await db
      .insert(routerStates)
      .values({ routerId: router!.id, interfaces: JSON.stringify((lans ?? []).map(lanPort)), ...state })
  return router!
}

/** A LAN interface as a device reports it. */
export function lanPort(segment: string, n: number): InterfaceInfo {
  const [ip = '', mask = ''] = segment.split('/')
  return {
    interface: `lan${n}`,
    interface_uuid: `lan${n}`,
    protocol: 'static',
    role: 'lan',
    ip,
    mask: Number(mask),
    mac: '',
    mtu: 1500,
    up: true,
  }
}
