import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { HubFrame, InterfaceInfo, PresenceView } from '#contract/kernel/protocol.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { mapLimit } from '#db/concurrency.ts'
import { db } from '#tests/support/test-worker.ts'
import { oneInTurn } from '#tests/support/depth.ts'
import { unique } from '#tests/support/fixtures.ts'
import { insertDevice, insertRouter } from '#tests/support/rows.ts'
import {
  type DeviceSocket,
  type TestNetwork,
  type TestRouter,
  type ViewerSocket,
  connectDevice,
  createHubNetwork,
  connectViewer,
  claim,
  createHello,
  join,
  networkStub,
  routerStub,
  createViewer,
  evictSoon,
  readNow,
} from './support.ts'

/** `lose` deletes the row without a notice to the hub, `late` delivers such a notice, `restore` puts the backup's row back. */
const action = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('claim 0', 'claim 1') },
  { weight: 2, arbitrary: fc.constantFrom('connect', 'send') },
  { weight: 2, arbitrary: fc.constantFrom('delete', 'lose', 'lose') },
  { weight: 3, arbitrary: fc.constantFrom('late', 'leave', 'refresh', 'evict', 'watch', 'backup', 'restore') },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

const SEQUENCES = 1_000
const BATCHES = 8
const AT_ONCE = 40

/** Every byte that a device sends over a connection for an account carries this mark. */
const createMark = (accountId: number): string => `mark-${accountId}-`

let tenants: readonly TestNetwork[]
beforeAll(async () => {
  tenants = [await createHubNetwork(0), await createHubNetwork(0)]
})

/** One device, claimed by two accounts in turn, whose hubs are notified or not. */
class Sequence {
  private readonly device: { readonly deviceId: number; readonly name: string }
  private row: (TestRouter & { createdAt: number }) | null = null
  private backup: Sequence['row'] = null
  private connection: { router: TestRouter; socket: DeviceSocket; at: number } | null = null
  private readonly lost: TestRouter[] = []
  private readonly viewers: { readonly accountId: number; readonly socket: ViewerSocket }[] = []

  private constructor(device: Sequence['device']) {
    this.device = device
  }

  static async create(): Promise<Sequence> {
    const name = unique('NL-').toUpperCase()
    const { id: deviceId } = await insertDevice({ serial: name, publicKey: '{}' })
    return new Sequence({ deviceId, name })
  }

  private readonly actions: Readonly<Record<Action, () => unknown>> = {
    'claim 0': () => this.claim(tenants[0]!),
    'claim 1': () => this.claim(tenants[1]!),
    delete: () => this.delete(false),
    lose: () => this.delete(true),
    late: () => this.lost[0] && routerStub(this.lost.shift()!).remove(),
    connect: () => this.connect(),
    send: () => this.send(),
    leave: () => this.connection?.socket.socket.close(1000),
    refresh: () => this.row && readNow(routerStub(this.row)),
    evict: () => this.row && evictSoon(routerStub(this.row)),
    watch: () => this.watch(),
    backup: () => (this.backup = this.row),
    restore: () => this.restore(),
  }

  async run(what: Action): Promise<void> {
    await this.actions[what]()
  }

  async verify(): Promise<void> {
    await this.check()
    for (const { accountId, socket } of this.viewers) checkText(accountId, JSON.stringify(socket.frames))
    await db.delete(routers).where(eq(routers.deviceId, this.device.deviceId))
  }

  private async claim(tenant: TestNetwork): Promise<void> {
    if (this.row) return
    const createdAt = Date.now()
    this.row = { ...(await claim(tenant, this.device)), createdAt }
    await join(tenant, this.row, 'point')
    await readNow(networkStub(tenant))
  }

  private async delete(isLost: boolean): Promise<void> {
    const { row } = this
    if (!row) return
    await db.delete(routers).where(eq(routers.id, row.routerId))
    this.row = null
    if (isLost) this.lost.push(row)
    else await routerStub(row).remove()
  }

  private async connect(): Promise<void> {
    if (!this.row) return
    const socket = await connectDevice(this.row)
    socket.socket.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(String(data)) as HubFrame
      if (frame.t !== 'config' || socket.socket.readyState !== WebSocket.OPEN) return
      socket.send({ t: 'config_result', version: frame.version, hash: frame.hash, state: 'confirmed' })
    })
    const mark = createMark(this.row.accountId)
    socket.send(createHello(this.row, { boot_id: mark, interfaces: [createLan(mark)] }))
    this.connection = { router: this.row, socket, at: 0 }
    this.send()
    this.send()
  }

  private send(): void {
    const { connection } = this
    if (connection?.socket.socket.readyState !== WebSocket.OPEN) return
    const mark = createMark(connection.router.accountId)
    const at = (connection.at += 1_000)
    const interfaces = { [mark]: { rx: at * 1_000, tx: at } }
    connection.socket.send({ t: 'counters', boot_id: mark, at, applied: null, interfaces })
  }

  /** The backup's row, as a database that was restored has it: no hub is notified. */
  private async restore(): Promise<void> {
    await db.delete(routers).where(eq(routers.deviceId, this.device.deviceId))
    this.row = null
    if (!this.backup) return
    const { accountId, deviceId, hub, name, createdAt } = this.backup
    const { id: routerId } = await insertRouter({ accountId, deviceId, hub, name, createdAt })
    this.row = { ...this.backup, routerId }
  }

  private async watch(): Promise<void> {
    const { row } = this
    if (!row) return
    const socket = await connectViewer(routerStub(row), createViewer(row))
    this.viewers.push({ accountId: row.accountId, socket })
    await this.check()
  }

  /** Reads of the row's account about its router: hub, lists and network. */
  private async check(): Promise<void> {
    const { row } = this
    if (!row) return
    const tenant = tenants.find(({ accountId }) => accountId === row.accountId)!
    const [{ data, presence }, { members }, [stored]] = await Promise.all([
      routerStub(row).traffic(),
      networkStub(tenant).status(1),
      db.select().from(routerStates).where(eq(routerStates.routerId, row.routerId)),
    ])
    checkText(row.accountId, JSON.stringify([data, stored?.interfaces]))
    const member = members.find(({ router_name }) => router_name === row.name)
    for (const view of [presence, ...(member ? [member.presence] : [])]) checkPresence(row.createdAt, view)
  }
}

function checkText(accountId: number, text: string): void {
  for (const { accountId: other } of tenants) if (other !== accountId) expect(text).not.toContain(createMark(other))
}

/** A state from before the row was made is that of an earlier owner. */
function checkPresence(createdAt: number, { state, since, reason }: PresenceView): void {
  if (since === null) expect([state, reason]).toEqual(['never', ''])
  else expect(since).toBeGreaterThanOrEqual(createdAt)
}

const createLan = (mark: string): InterfaceInfo => ({
  interface: 'lan0',
  interface_uuid: mark,
  protocol: 'static',
  role: 'lan',
  ip: '10.66.6.1',
  mask: 24,
  mac: '',
  mtu: 1500,
  up: true,
})

describe('hubs.md, Names and places · accounts that own the same device one after the other', () => {
  const sequences = fc.sample(fc.array(action, { minLength: 5, maxLength: 14 }), {
    numRuns: SEQUENCES,
    seed: 20_261_121,
  })
  const size = SEQUENCES / BATCHES
  it.each(oneInTurn(Array.from({ length: BATCHES }, (_, batch) => batch * size)))(
    'never see a byte of each other (sequences from %i)',
    { timeout: 180_000 },
    async (from) => {
      const results = await mapLimit(sequences.slice(from, from + size), AT_ONCE, async (script) => {
        const sequence = await Sequence.create()
        for (const what of script) await sequence.run(what)
        await sequence.verify()
      })
      const failed = results.flatMap((result, i) =>
        result.status === 'rejected' ? [{ script: sequences[from + i], reason: String(result.reason) }] : [],
      )
      expect(failed).toEqual([])
    },
  )
})
