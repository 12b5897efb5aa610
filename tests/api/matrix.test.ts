import { and, eq } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, bodyKinds } from '#contract/kernel/endpoint.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { API, OPS } from '#contract/api.ts'
import { PERMISSIONS, type Permission, isOperatorAccess } from '#contract/kernel/permissions.ts'
import { networkApi } from '#contract/network/index.ts'
import { accounts, attempts, auditLogs } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkTickets } from '#db/schema/pop.ts'
import { tickets } from '#db/schema/tickets.ts'
import { personKey } from '#domain/account/user.ts'
import { clientLogin, createClients } from '#tests/support/clients.ts'
import {
  type Caller,
  createMainAccount,
  createRouter,
  createSession,
  createSubAccount,
  unique,
} from '#tests/support/fixtures.ts'
import { type Ids, NAMES, toInput } from '#tests/support/example-input.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { insertMember, insertMessage, insertNetwork, insertSupportTicket, insertTicket } from '#tests/support/rows.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const closed = API.filter(({ access }) => access !== 'public')
const withIds = closed.filter(
  (spec) =>
    JSON.stringify(toInput(spec, NAMES)) !==
    JSON.stringify(toInput(spec, { network: 'y', router: 'y', ticket: 'y', support: 'y' })),
)
const isPermission = (access: string): access is Permission => (PERMISSIONS as readonly string[]).includes(access)
/** `monitor:edit:all`, `router:edit:all`: that permission, of a role that is not limited to networks. */
const isGranted = (access: string) => isPermission(access) || access.endsWith(':edit:all')
const cell = (spec: Endpoint) => [`${spec.method} ${spec.path}`, spec] as const

/** A software member at the client application. */
let memberLogin: ReturnType<typeof signedInClient>
async function signedInClient() {
  const [member] = await createClients()
  return (await clientLogin(member!.name)).data
}

let owner: Caller
let stranger: Caller
/** First network: the limited role does not cover it. Second: it does. */
let first: Ids
let second: Ids

async function createAccountNetwork(accountId: number, segmentIndex: number): Promise<Ids> {
  const ids = { network: unique('n'), router: unique('NL'), ticket: unique('t'), support: unique('T') }
  const router = await createRouter(accountId, { name: ids.router, note: `机密${ids.router}`.slice(0, 24) })
  const network = await insertNetwork({ accountId, number: ids.network, name: `机密${ids.network}` })
  const member = { accountId, networkId: network.id, routerId: router.id }
  await insertMember({ ...member, memberType: 'center', segmentIndex, host: 2 })
  await insertTicket({ accountId, number: ids.ticket, networkNumber: ids.network, status: 2 })
  await insertSupportTicket({ accountId, number: ids.support, title: `机密${ids.support}` })
  await insertMessage({ accountId, networkNumber: ids.network, routerName: ids.router, title: `机密${ids.network}` })
  return ids
}

const selectRows = (accountId: number) =>
  db.batch([
    db.select().from(networks).where(eq(networks.accountId, accountId)),
    db.select().from(networkMembers).where(eq(networkMembers.accountId, accountId)),
    db.select().from(routers).where(eq(routers.accountId, accountId)),
    db.select().from(accounts).where(eq(accounts.id, accountId)),
    db.select().from(networkTickets).where(eq(networkTickets.accountId, accountId)),
    db.select().from(tickets).where(eq(tickets.accountId, accountId)),
  ])

beforeAll(async () => {
  const services = { network_member: 50, software_member: 10 }
  owner = await createMainAccount({ services })
  stranger = await createMainAccount({ services })
  memberLogin = signedInClient()
  first = await createAccountNetwork(owner.accountId, 0)
  second = await createAccountNetwork(owner.accountId, 1)
})

describe('network 6 · calls without a session', () => {
  it('anonymous: each call is refused', async () => {
    const offenders = await findOffenders(closed.map(cell))(async (_, spec) => {
      expect(await call(spec, toInput(spec, first))).toMatchObject({ ...refusal('TOKEN_BAD'), data: null })
    })
    expect(offenders).toEqual([])
  })
  it('expired: each call is refused', async () => {
    const offenders = await findOffenders(closed.map(cell))(async (_, spec) => {
      const past = Math.floor(Date.now() / 1000) - 7200
      const [kid = '', secret = ''] = env.JWT_KEYS.split(':')
      const token = await new SignJWT({ sid: owner.session.id, sv: 1, ram: null, name: 'x', flags: [], nets: null })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
        .setIssuer('netloom')
        .setAudience('netloom-api')
        .setSubject(String(owner.accountId))
        .setIssuedAt(past)
        .setExpirationTime(past + 60)
        .sign(new TextEncoder().encode(secret))
      expect(await call(spec, toInput(spec, first), token)).toMatchObject({ ...refusal('TOKEN_EXPIRED'), data: null })
    })
    expect(offenders).toEqual([])
  })
  it('each call of the operator without the operator’s token is refused', async () => {
    const offenders = await findOffenders(OPS.map(cell))(async (_, spec) => {
      const sent = { token: owner.token, ip: nextAddress() } // wrong tokens pause their address
      expect(await call(spec, toInput(spec, first), sent)).toMatchObject({
        code: RESULT.badToken,
        data: null,
      })
    })
    expect(offenders).toEqual([])
  })
})

describe('network 6 · a sub-account without the permission', () => {
  it('is refused each call that takes one', async () => {
    const offenders = await findOffenders(
      closed.filter(({ access }) => access === 'main' || isGranted(access)).map(cell),
    )(async (_, spec) => {
      const others = PERMISSIONS.filter((flag) => !spec.access.startsWith(flag))
      const sub = await createSubAccount(owner, { flags: others })
      expect(await sub.call(spec, toInput(spec, first))).toMatchObject({ ...refusal('PERMISSION_DENIED'), data: null })
    })
    expect(offenders).toEqual([])
  })
  it.each(closed.filter(({ access }) => access.endsWith(':all')).map(cell))(
    '%s is not for a role limited to networks, whatever its flags',
    async (_, spec) => {
      const sub = await createSubAccount(owner, { flags: [...PERMISSIONS], networks: [second.network] })
      expect(await sub.call(spec, toInput(spec, second))).toMatchObject(refusal('PERMISSION_DENIED'))
    },
  )
  it('network/create is not for a role limited to networks, whatever its flags', async () => {
    const sub = await createSubAccount(owner, { flags: [...PERMISSIONS], networks: [second.network] })
    const { create } = networkApi
    expect(await sub.call(create, toInput(create, second) as never)).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})

describe('design 6 · the client application’s calls are for its members alone, and the console’s are not for these', () => {
  const isOfClient = ({ access }: Endpoint) => access === 'client'
  it.each(closed.filter(isOfClient).map(cell))('a console’s session: %s', async (_, spec) => {
    expect(await owner.call(spec, toInput(spec, first))).toMatchObject(refusal('PERMISSION_DENIED'))
  })
  it('a member’s session: each call of the console is refused', async () => {
    const offenders = await findOffenders(closed.filter((spec) => !isOfClient(spec)).map(cell))(async (_, spec) => {
      const { access_token } = await memberLogin
      expect(await call(spec, toInput(spec, first), access_token)).toMatchObject(refusal('TOKEN_BAD'))
    })
    expect(offenders).toEqual([])
  })
})

/** A session of its own for a cell, with a budget that nothing has used: the writes of all of them are more than one minute's. */
async function signInAgain({ session }: Caller) {
  await db.delete(attempts).where(eq(attempts.key, `writes:person:${personKey(session)}`))
  return createSession(session)
}

/** An answer without request-specific parts and without the requested ids. */
const comparable = (
  { status, code, msg, data }: { status: number; code: number; msg: string; data: unknown },
  ids: Ids,
) =>
  JSON.stringify({ status, code, msg, data })
    .replaceAll(ids.network, '#')
    .replaceAll(ids.router, '#')
    .replaceAll(ids.ticket, '#')
    .replaceAll(ids.support, '#')

/** Answers that an id, foreign or unknown, has no trouble. */
const NO_TROUBLE = 'overview/evidence'

describe('design 4 · tenant isolation · ids of other accounts are answered like unknown ids, without a write', () => {
  it('other tenant: each call with an id', async () => {
    const offenders = await findOffenders(withIds.filter(({ access }) => access !== 'ram').map(cell))(
      async (_, spec) => {
        const before = await selectRows(owner.accountId)
        const visitor = await signInAgain(stranger)
        const foreign = await visitor.call(spec, toInput(spec, first))
        const unknown = await visitor.call(spec, toInput(spec, NAMES))
        expect(foreign.code).not.toBe(RESULT.tooOften)
        expect(comparable(foreign, first)).toBe(comparable(unknown, NAMES))
        expect(foreign.code === RESULT.ok).toBe(spec.path === NO_TROUBLE)
        expect(JSON.stringify(foreign.data)).not.toContain('机密')
        expect(await selectRows(owner.accountId)).toEqual(before)
      },
    )
    expect(offenders).toEqual([])
  })
  it('sub-account limited to another network, or to none: each call with an id', async () => {
    const offenders = await findOffenders(
      withIds
        .filter(({ access, path }) => access !== 'main' && access !== 'ram' && path !== 'network/create')
        .map(cell),
    )(async (_, spec) => {
      const before = await selectRows(owner.accountId)
      for (const networks of [[second.network], []]) {
        const limited = await createSubAccount(owner, { flags: [...PERMISSIONS], networks })
        const foreign = await limited.call(spec, toInput(spec, first))
        const unknown = await limited.call(spec, toInput(spec, NAMES))
        expect(comparable(foreign, first)).toBe(comparable(unknown, NAMES))
        expect(foreign.code === RESULT.ok).toBe(spec.path === NO_TROUBLE)
      }
      expect(await selectRows(owner.accountId)).toEqual(before)
    })
    expect(offenders).toEqual([])
  })
})

describe('design 4 · tenant isolation · lists contain no rows of other accounts', () => {
  const lists = closed.filter((spec) => spec.method === 'GET' && !withIds.includes(spec) && spec.access !== 'main')
  it('for a stranger, for a sub-account of another network and for one of none', async () => {
    const offenders = await findOffenders(lists.map(cell))(async (_, spec) => {
      const limited = await createSubAccount(owner, { flags: [...PERMISSIONS], networks: [second.network] })
      const none = await createSubAccount(owner, { flags: [...PERMISSIONS], networks: [] })
      const seen = await Promise.all([stranger, limited, none].map((caller) => caller.call(spec, toInput(spec, first))))
      for (const answer of seen) {
        expect(JSON.stringify(answer.data)).not.toContain(first.network)
        expect(JSON.stringify(answer.data)).not.toContain(first.router)
        expect(JSON.stringify(answer.data)).not.toContain(first.ticket)
        expect(JSON.stringify(answer.data)).not.toContain(first.support)
      }
    })
    expect(offenders).toEqual([])
  })
})

describe('design 4 · contract examples are valid inputs of every endpoint', () => {
  it('of the console and of the operator', async () => {
    const offenders = await findOffenders([...API, ...OPS].map(cell))(async (_, spec) => {
      const { status, reason } = await call(spec, toInput(spec, second), {
        ...(!isOperatorAccess(spec.access) && { token: (await signInAgain(stranger)).token }),
        ip: '192.0.2.7',
      })
      expect(status).toBe(reason === 'DOWNLOAD_GONE' ? 404 : 200)
      expect(['INPUT_INVALID', 'BODY_MALFORMED']).not.toContain(reason)
    })
    expect(offenders).toEqual([])
  })
})

/** Hand out so much at once that they leave an audit row. */
const AUDITED_READS: readonly string[] = ['router/export', 'logs/export']
/** Read their rows portion by portion. */
const IN_PORTIONS: readonly string[] = ['logs/export']
/** Writes of what is the caller's own, whoever that is. */
const OWN_WRITES: readonly string[] = [
  'message/update_message',
  'message/delete_message',
  'account/end_session',
  'account/end_other_sessions',
  'ticket/create',
  'ticket/reply',
  'ticket/appraise',
  'ticket/reopen',
  'ticket/delete',
  'ticket/upload_file',
  'account/totp_enable',
  'account/totp_disable',
  'account/totp_recovery',
  'account/save_view',
  'account/delete_view',
]
/** Computes what a write would do. */
const DRY_RUN = 'network/impact'
const isWrite = ({ method, path, access }: Endpoint) =>
  path !== DRY_RUN &&
  (AUDITED_READS.includes(path) ||
    OWN_WRITES.includes(path) ||
    (method === 'POST' && (access === 'main' || isGranted(access))))
/** The call that ends what the others name goes last. */
const inOrder = closed.toSorted((a, b) => Number(a.path.endsWith('/delete')) - Number(b.path.endsWith('/delete')))

describe('design 5 · round trips of every call, and the audit row of every write that succeeds', () => {
  it('a read takes one trip, a write at most two and leaves one row', async () => {
    const offenders = await findOffenders(inOrder.map(cell))(async (_, spec) => {
      const [module = '', action = ''] = spec.path.split('/')
      const rows = and(
        eq(auditLogs.accountId, owner.accountId),
        eq(auditLogs.module, module),
        eq(auditLogs.action, action),
      )
      const before = await db.$count(auditLogs, rows)
      const { code, trips } = await (await signInAgain(owner)).call(spec, toInput(spec, second))
      expect(trips).toBeLessThanOrEqual(IN_PORTIONS.includes(spec.path) ? Infinity : isWrite(spec) ? 2 : 1)
      const isList = bodyKinds(spec).includes('multipart') && !OWN_WRITES.includes(spec.path)
      const isDone = code === RESULT.ok && !isList // a list of members has a row for each of them
      const added = (await db.$count(auditLogs, rows)) - before
      const isSame = trips === 1 && added === 0 // a value that is there already is not written
      expect(added).toBe(isWrite(spec) && isDone && !isSame ? 1 : 0)
    })
    expect(offenders).toEqual([])
  })
})
