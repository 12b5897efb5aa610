import { eq, inArray } from 'drizzle-orm'
import type { AgentFrame, HubFrame, InterfaceInfo } from '#contract/kernel/protocol.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { lanPort, unique } from '#tests/support/fixtures.ts'
import {
  insertAccount,
  insertDevice,
  insertMember,
  insertMessage,
  insertNetwork,
  insertRouter,
} from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { type Owned, type Tenant, findLeaks, foreignText } from './tenant-leaks.ts'
import {
  type DeviceSocket,
  type TestRouter,
  type ViewerSocket,
  accountStub,
  connectDevice,
  connectViewer,
  createHello,
  createViewer,
  evictSoon,
  networkStub,
  readNow,
  routerStub,
} from './support.ts'

interface Rows {
  readonly tenants: ReadonlyMap<Side, Tenant>
  readonly owned: Owned | null
}

export type Side = 0 | 1
const IDS_PER_SEQUENCE = 10

/** Two accounts, one network and two routers, whose row ids are the same again after every deletion. */
export class TenantSequence {
  private readonly firstId: number
  private deviceIds: readonly number[] = []
  private rows: Rows = { tenants: new Map(), owned: null }
  private backup: Rows | null = null
  private tenantCount = 0
  private readonly everyTenant: Tenant[] = []
  private readonly everyOwned: Owned[] = []
  private readonly lost: Owned[] = []
  private readonly lostAccounts: Tenant[] = []
  private connections: { readonly tenant: Tenant; readonly router: TestRouter; readonly socket: DeviceSocket }[] = []
  private readonly sockets: { readonly tenant: Tenant; readonly socket: DeviceSocket | ViewerSocket }[] = []
  private at = 0
  private readonly leaks: string[] = []

  constructor(place: number) {
    this.firstId = 1_000_000 + place * IDS_PER_SEQUENCE
  }

  readonly actions = {
    'create 0': () => this.create(0),
    'create 1': () => this.create(1),
    delete: () => this.delete(false),
    lose: () => this.delete(true),
    'close 0': () => this.close(0),
    'close 1': () => this.close(1),
    late: () => this.notifyLate(),
    connect: () => this.connect(),
    send: () => this.send(),
    refresh: () => this.refresh(),
    evict: () => this.evict(),
    watch: () => this.watch(),
    backup: () => void (this.backup = this.rows),
    restore: () => this.restore(),
    'hand over': () => this.handOver(),
  } satisfies Record<string, () => void | Promise<void>>

  /** Data of another tenant that was read or received. */
  async finish(): Promise<readonly string[]> {
    await this.read()
    await this.deleteRows()
    const received = this.sockets.flatMap(({ tenant, socket }) => foreignText(this.everyTenant, tenant, socket.frames))
    return [...this.leaks, ...received]
  }

  // Rows

  private async create(side: Side): Promise<void> {
    if (this.rows.owned) return
    if (this.deviceIds.length === 0) this.deviceIds = [await createDevice(), await createDevice()]
    for (const each of [0, 1] as const) if (!this.rows.tenants.has(each)) await this.createTenant(each)
    const tenant = this.rows.tenants.get(side)!
    const networkRow = await insertNetwork({
      id: this.firstId,
      accountId: tenant.accountId,
      number: `${tenant.mark}net${this.firstId}`,
    })
    const center = await this.createMember(tenant, networkRow.id, 'center')
    const point = await this.createMember(tenant, networkRow.id, 'point')
    await this.setOwned({ tenant, network: networkRow, members: [center, point], createdAt: Date.now() })
  }

  private async createTenant(side: Side): Promise<void> {
    const unread = ++this.tenantCount
    const mark = `mark${unique('-')}-`
    const { id, hub } = await insertAccount({ id: this.firstId + side, username: mark })
    const tenant: Tenant = { accountId: id, accountHub: hub, mark, unread }
    for (let i = 0; i < unread; i++) await insertMessage({ accountId: id })
    this.everyTenant.push(tenant)
    this.rows = { ...this.rows, tenants: new Map(this.rows.tenants).set(side, tenant) }
  }

  private async createMember(tenant: Tenant, networkId: number, memberType: 'center' | 'point'): Promise<TestRouter> {
    const place = memberType === 'center' ? 0 : 1
    const deviceId = this.deviceIds[place]!
    const name = `${tenant.mark}${memberType}${this.firstId}`
    const { accountId, accountHub } = tenant
    const { id: routerId, hub } = await insertRouter({ id: this.firstId + place, accountId, name, deviceId })
    await insertMember({
      accountId,
      networkId,
      routerId,
      memberType,
      ...(memberType === 'center' && { segmentIndex: 0 }),
    })
    return { accountId, accountHub, routerId, deviceId, hub, name }
  }

  private async setOwned(owned: Owned): Promise<void> {
    this.rows = { ...this.rows, owned }
    this.everyOwned.push(owned)
    await this.refresh()
  }

  private async delete(isLost: boolean): Promise<void> {
    const { owned } = this.rows
    if (!owned) return
    await db.delete(networks).where(eq(networks.id, owned.network.id))
    for (const { routerId } of owned.members) await db.delete(routers).where(eq(routers.id, routerId))
    this.rows = { ...this.rows, owned: null }
    this.lost.push(owned)
    if (!isLost) await this.notifyLate()
  }

  private async close(side: Side): Promise<void> {
    const tenant = this.rows.tenants.get(side)
    if (!tenant) return
    await db.delete(accounts).where(eq(accounts.id, tenant.accountId))
    const tenants = new Map(this.rows.tenants)
    tenants.delete(side)
    const { owned } = this.rows
    const isOwner = owned?.tenant === tenant
    this.rows = { tenants, owned: isOwner ? null : owned }
    if (isOwner) this.lost.push(owned)
    this.lostAccounts.push(tenant)
  }

  private async notifyLate(): Promise<void> {
    for (const { network, members } of this.lost.splice(0)) {
      await Promise.all([networkStub(network).remove(), ...members.map((router) => routerStub(router).remove())])
    }
    for (const tenant of this.lostAccounts.splice(0)) await accountStub(tenant).refresh()
  }

  /** All rows as the backup has them: no hub is notified. */
  private async restore(): Promise<void> {
    await this.deleteRows()
    this.rows = this.backup ?? { tenants: new Map(), owned: null }
    for (const { accountId: id, accountHub: hub, mark, unread } of this.rows.tenants.values()) {
      await insertAccount({ id, hub, username: mark })
      for (let i = 0; i < unread; i++) await insertMessage({ accountId: id })
    }
    const { owned } = this.rows
    if (!owned) return
    const { accountId } = owned.tenant
    await insertNetwork({ ...owned.network, accountId })
    for (const [i, { routerId, deviceId, name, hub }] of owned.members.entries()) {
      await insertRouter({ id: routerId, accountId, name, deviceId, hub, createdAt: owned.createdAt })
      const member = { accountId, networkId: owned.network.id, routerId }
      await insertMember({
        ...member,
        ...(i === 0 ? { memberType: 'center', segmentIndex: 0 } : { memberType: 'point' }),
      })
    }
  }

  /** The rows keep their ids and hubs, and name the other account; a backup of the time before would name two owners. */
  private async handOver(): Promise<void> {
    const { owned, tenants } = this.rows
    const tenant = [...tenants.values()].find((other) => other !== owned?.tenant)
    if (!owned || !tenant) return
    const { accountId, accountHub, mark } = tenant
    const network = { ...owned.network, number: `${mark}net${this.firstId}` }
    const rename = (router: TestRouter): TestRouter => {
      const name = router.name.replace(owned.tenant.mark, mark)
      return { ...router, accountId, accountHub, name }
    }
    const members = [rename(owned.members[0]), rename(owned.members[1])] as const
    await db.batch([
      db.update(networks).set({ accountId, number: network.number }).where(eq(networks.id, network.id)),
      db.update(networkMembers).set({ accountId }).where(eq(networkMembers.networkId, network.id)),
      ...members.flatMap(({ routerId, name }) => [
        db.update(routers).set({ accountId, name }).where(eq(routers.id, routerId)),
        db.delete(routerStates).where(eq(routerStates.routerId, routerId)),
      ]),
    ])
    this.backup = null
    await this.setOwned({ tenant, network, members, createdAt: Date.now() })
  }

  private async deleteRows(): Promise<void> {
    await db.delete(accounts).where(inArray(accounts.id, [this.firstId, this.firstId + 1]))
  }

  // Hubs

  private async refresh(): Promise<void> {
    const { tenants, owned } = this.rows
    for (const { hub } of owned?.members ?? []) await readNow(routerStub({ hub }))
    if (owned) await readNow(networkStub(owned.network))
    for (const tenant of tenants.values()) await accountStub(tenant).refresh()
  }

  private async evict(): Promise<void> {
    const { owned } = this.rows
    if (!owned) return
    const stubs = [networkStub(owned.network), accountStub(owned.tenant), ...owned.members.map(routerStub)]
    for (const stub of stubs) await evictSoon(stub)
  }

  private async connect(): Promise<void> {
    const { owned } = this.rows
    if (!owned) return
    const { tenant } = owned
    this.connections = []
    for (const router of owned.members) {
      const socket = await connectDevice(router)
      this.connections.push({ tenant, router, socket })
      this.sockets.push({ tenant, socket })
      socket.socket.addEventListener('message', ({ data }) => answer(socket, JSON.parse(String(data)) as HubFrame))
      socket.send(createHello(router, { boot_id: tenant.mark, interfaces: [createLan(tenant.mark)] }))
    }
    this.send()
    this.send()
  }

  private send(): void {
    this.at += 1_000
    for (const { tenant, socket } of this.connections)
      sendIfOpen(socket, {
        t: 'counters',
        boot_id: tenant.mark,
        at: this.at,
        applied: null,
        interfaces: { [tenant.mark]: { rx: this.at * 1_000, tx: this.at } },
      })
  }

  private async watch(): Promise<void> {
    const { owned } = this.rows
    if (!owned) return
    const { tenant, network, members } = owned
    const stubs = [networkStub(network), accountStub(tenant), ...members.map(routerStub)]
    for (const stub of stubs) this.sockets.push({ tenant, socket: await connectViewer(stub, createViewer(tenant)) })
    await this.read()
  }

  private async read(): Promise<void> {
    const { everyTenant: tenants, everyOwned: networks, rows } = this
    this.leaks.push(...(await findLeaks({ tenants, networks, current: rows.owned })))
  }
}

const createDevice = async () => (await insertDevice({ publicKey: '{}' })).id

const createLan = (mark: string): InterfaceInfo => ({ ...lanPort('10.66.6.1/24', 0), interface_uuid: mark })

function sendIfOpen(socket: DeviceSocket, frame: AgentFrame): void {
  if (socket.socket.readyState === WebSocket.OPEN) socket.send(frame)
}

/** A device that applies each document and finds all of its links up. */
function answer(socket: DeviceSocket, frame: HubFrame): void {
  if (frame.t !== 'config') return
  sendIfOpen(socket, { t: 'config_result', version: frame.version, hash: frame.hash, state: 'confirmed' })
  const links = frame.body.networks.flatMap((network) => network.links.map(({ id }) => ({ id, up: true, rtt_ms: 1 })))
  if (links.length > 0) sendIfOpen(socket, { t: 'links', links })
}
