import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { EXAMPLE, type Endpoint, type Output, bodyKinds } from '#contract/kernel/endpoint.ts'
import { API } from '#contract/api.ts'
import { logsApi } from '#contract/logs/index.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { ramAccounts, ramRoles, sessions } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkTickets } from '#db/schema/pop.ts'
import { signAccessToken } from '#security/tokens.ts'
import {
  type Caller,
  createMainAccount,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  unique,
} from '#tests/support/fixtures.ts'
import { inputsOf } from '#tests/support/call-inputs.ts'
import { oneInTurn } from '#tests/support/depth.ts'
import { insertLogRows } from '#tests/support/log-exports.ts'
import { authOf, quickHash } from '#tests/support/rams.ts'
import { insertMember, insertMessage, insertNetwork, insertSupportTicket, insertTicket } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { readWorkbookText } from '#tests/support/workbooks.ts'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { mapLimit } from '#db/concurrency.ts'

const SEQUENCES = 180
const BATCHES = 6
const AT_ONCE = 4

interface Ids {
  readonly network: string
  readonly router: string
  readonly ticket: string
}
interface Place extends Ids {
  readonly id: number
  /** Names of the hubs of network and router, which a ticket for a live socket holds. */
  readonly hubs: readonly string[]
}

const { call } = quickHash()
const MARK = '机密'

/** Calls of a console without a file. */
const callable = API.filter(
  (spec) =>
    !['public', 'client', 'main'].includes(spec.access) &&
    !bodyKinds(spec).some((kind) => kind === 'multipart' || kind === 'stream'),
)

const cells = callable.flatMap((spec) => inputsOf(spec).map((input) => ({ spec, input })))
type Cell = (typeof cells)[number]

const name = ({ input }: Cell, { network, router, ticket }: Ids) =>
  JSON.parse(
    JSON.stringify(input)
      .replaceAll(EXAMPLE.network_number, network)
      .replaceAll(EXAMPLE.router_name, router)
      .replaceAll(EXAMPLE.network_ticket_number, ticket),
  ) as object

/**
 * A call with ids of the foreign or of the own network, or a change of the role by the main account. All inputs are drawn with
 * the same probability.
 */
const step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      cell: fc.constantFrom(...cells),
      ids: fc.constantFrom('foreign' as const, 'foreign' as const, 'own' as const),
      mixed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('all rights' as const, 'no flag' as const, 'no network' as const) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

let main: Caller
let foreign: Place

let segments = 0

async function createPlace(mark: string): Promise<Place> {
  const { accountId } = main
  const ids = { network: unique(mark), router: unique(`NL${mark}`), ticket: unique(`t${mark}`) }
  const router = await createRouter(accountId, { name: ids.router, note: mark })
  const software = await createSoftwareRouter(accountId, { note: mark })
  const network = await insertNetwork({ accountId, number: ids.network, name: `${mark}${ids.network}`.slice(0, 24) })
  const member = { accountId, networkId: network.id }
  await insertMember({ ...member, routerId: router.id, memberType: 'center', segmentIndex: segments++ })
  await insertMember({ ...member, routerId: software.id, memberType: 'point' })
  await insertTicket({ accountId, number: ids.ticket, networkNumber: ids.network, status: 2 })
  await insertMessage({ accountId, networkNumber: ids.network, routerName: ids.router, title: `${mark}${ids.network}` })
  await insertLogRows({ accountId, routerId: router.id, mark, ...ids })
  return { ...ids, id: network.id, hubs: [network.hub, router.hub] }
}

/** Every row of the foreign network. */
const selectForeign = () =>
  db.batch([
    db.select().from(networks).where(eq(networks.id, foreign.id)),
    db.select().from(networkMembers).where(eq(networkMembers.networkId, foreign.id)),
    db.select().from(routers).where(eq(routers.name, foreign.router)),
    db.select().from(networkTickets).where(eq(networkTickets.number, foreign.ticket)),
  ])

/** All that an answer tells, also in a workbook or in the ticket for a live socket. */
function readText(spec: Endpoint, { msg, data, bytes }: { msg: string; data: unknown; bytes?: ArrayBuffer }): string {
  const plain = `${msg} ${JSON.stringify(data)}`
  if (data === null && bytes === undefined) return plain
  if (spec === routerApi.trafficTicket)
    return JSON.stringify(decodeJwt((data as Output<typeof routerApi.trafficTicket>).ticket))
  if (spec === logsApi.export && typeof data === 'string') return readWorkbookText(data) // else a refusal with its time
  return bytes === undefined ? plain : readWorkbookText(bytes)
}

/** A sub-account limited to a network of its own, and what it was answered of the other one. */
class LimitedSequence {
  readonly leaks: string[] = []
  private readonly sub: Awaited<ReturnType<typeof createSubAccount>>
  private readonly own: Ids

  private constructor(sub: LimitedSequence['sub'], own: Ids) {
    this.sub = sub
    this.own = own
  }

  static async create(): Promise<LimitedSequence> {
    const own = await createPlace('own')
    const sub = await createSubAccount(main, { flags: [...PERMISSIONS], networks: [own.network] })
    return new LimitedSequence(sub, own)
  }

  async run(what: Step): Promise<void> {
    if (typeof what === 'string') return this.changeRole(what)
    const { cell, ids, mixed } = what
    const base = ids === 'own' ? this.own : foreign
    // A foreign member into the own network, and the other way round.
    const sent = mixed ? { ...base, router: ids === 'own' ? foreign.router : this.own.router } : base
    const answer = await call(cell.spec, name(cell, sent) as never, await this.token())
    const known = [foreign.network, foreign.router, foreign.ticket, ...foreign.hubs]
    const text = known.reduce(
      (found, id) => (isSent(sent, id) ? found.replaceAll(id, '#') : found),
      readText(cell.spec, answer),
    )
    if (text.includes(MARK) || known.some((id) => text.includes(id))) this.leaks.push(`${cell.spec.path}: ${text}`)
  }

  /** Next token of a console: the rights of the row, under its version. */
  private async token(): Promise<string> {
    const [row] = await db
      .select({
        flags: ramRoles.flags,
        networks: ramRoles.networks,
        version: sessions.version,
        endedAt: sessions.endedAt,
      })
      .from(sessions)
      .innerJoin(ramAccounts, eq(ramAccounts.id, sessions.ramId))
      .innerJoin(ramRoles, eq(ramRoles.id, ramAccounts.roleId))
      .where(eq(sessions.id, this.sub.session.id))
    const { flags, networks: listed, version } = row!
    const grants = {
      kind: 'ram',
      flags: JSON.parse(flags) as (typeof PERMISSIONS)[number][],
      networks: listed === null ? null : (JSON.parse(listed) as string[]),
    } as const
    return signAccessToken(env.JWT_KEYS, { ...this.sub.session, version, grants }, Date.now())
  }

  private async changeRole(to: 'all rights' | 'no flag' | 'no network'): Promise<void> {
    const [{ id, name } = { id: 0, name: '' }] = await db
      .select({ id: ramRoles.id, name: ramRoles.name })
      .from(ramRoles)
      .innerJoin(ramAccounts, eq(ramAccounts.roleId, ramRoles.id))
      .where(eq(ramAccounts.id, this.sub.ramId))
    const on = to === 'no flag' ? 0 : 1
    const flags = { create: on, edit: on, delete: on }
    const auth = authOf({
      router: flags,
      network: { ...flags, create: 0 },
      monitor: { ...flags, view: on },
      number: to === 'no network' ? [] : [this.own.network],
    })
    await call(ramRoleApi.edit, { id, name, note: '', auth }, main.token)
  }
}

/** A sentence may repeat ids that the caller has sent. */
const isSent = (sent: Ids, id: string): boolean => Object.values(sent).includes(id)

beforeAll(async () => {
  main = await createMainAccount({ services: { network_member: 10_000, software_member: 100 } })
  foreign = await createPlace(MARK)
  await insertSupportTicket({ accountId: main.accountId, number: unique('T'), title: MARK })
})

describe('directory 6 · a sub-account limited to one network', () => {
  const sequences = fc.sample(fc.array(step, { minLength: 4, maxLength: 12 }), { numRuns: SEQUENCES, seed: 20_261_123 })
  const size = SEQUENCES / BATCHES
  it.each(oneInTurn(Array.from({ length: BATCHES }, (_, batch) => batch * size)))(
    'by no sequence of calls changes another network or learns of it (sequences from %i)',
    { timeout: 180_000 },
    async (from) => {
      const before = await selectForeign()
      const results = await mapLimit(sequences.slice(from, from + size), AT_ONCE, async (script) => {
        const sequence = await LimitedSequence.create()
        for (const what of script) await sequence.run(what)
        return sequence.leaks
      })
      const leaks = results.flatMap((result) => {
        if (result.status === 'rejected') throw result.reason
        return result.value
      })
      expect(leaks).toEqual([])
      expect(await selectForeign()).toEqual(before)
    },
  )
})
