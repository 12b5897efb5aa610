import { eq } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../worker/contract/endpoint.ts'
import { CODE } from '../../worker/contract/errors.ts'
import { API, OPS } from '../../worker/contract/index.ts'
import { FLAGS, type Flag } from '../../worker/contract/permissions.ts'
import { accounts } from '../../worker/db/schema/accounts.ts'
import { devices, routers } from '../../worker/db/schema/members.ts'
import { networkMembers, networks } from '../../worker/db/schema/networks.ts'
import { newHubName } from '../../worker/security/hub-name.ts'
import { type Caller, aMainAccount, aSubAccount, call, db, refusal, unique } from '../support/world.ts'

/** Ids that a call may name. */
interface Ids {
  readonly network: string
  readonly router: string
}

/** A valid input for every endpoint; one that is missing here fails the suite. */
const SAMPLES: Readonly<Record<string, (ids: Ids) => Record<string, unknown>>> = {
  'login/account': () => ({ username: 'nobody', password: 'secret1', code: 'ABCD', uniqid: 'x' }),
  'login/ram': () => ({ username: 'no@body', password: 'secret1', code: 'ABCD', uniqid: 'x' }),
  'login/authorization': () => ({ token: 'x' }),
  'login/refresh': () => ({}),
  'login/logout': () => ({}),
  'site/config': () => ({}),
  'country/lists': () => ({}),
  'verify/code': () => ({}),
  'verify/challenge': () => ({}),
  'verify/proof': () => ({ challenge: 'x', nonce: '1' }),
  'verify/register': () => ({ send_type: 'email', send_value: 'a@b.cn', img_code: 'ABCD', uniqid: 'x' }),
  'verify/find_password': () => ({ username: 'nobody', img_code: 'ABCD', uniqid: 'x' }),
  'verify/find_password_code': () => ({ uniqid: 'x', send_type: 'phone' }),
  'verify/authentication': () => ({ uniqid: 'x', send_type: 'phone', code: '123456' }),
  'verify/reset_password': () => ({ uniqid: 'x', password: 'secret1', reset_password: 'secret1' }),
  'verify/send_code': () => ({ send_type: 'email', send_value: 'a@b.cn', verify_type: 'verify_email' }),
  'verify/verify': () => ({ send_type: 'email', send_value: 'a@b.cn', verify_type: 'verify_email', code: '123456' }),
  'account/register': () => ({
    nickname: '测试',
    username: 'abcdef1',
    password: 'secret1',
    newPassword: 'secret1',
    code: '123456',
    type: 'email',
    verify: 'a@b.cn',
  }),
  'account/info': () => ({}),
  'account/service': () => ({}),
  'account/edit_sign': () => ({ sign: 'matrix01' }),
  'ram/password': () => ({ old_password: 'secret1', password: 'secret2', reset_password: 'secret2' }),
  'ram/domain': () => ({}),
  'announcements/lists': () => ({}),
  'announcements/info': () => ({ id: 1 }),
  'network/lists': () => ({}),
  'network/config': () => ({}),
  'network/select': () => ({}),
  'network/info': ({ network }) => ({ network_number: network }),
  'network/create': ({ router }) => ({ network_name: '新组网', center: [router], point: [] }),
  'network/edit': ({ network, router }) => ({
    network_number: network,
    network_name: '新名字',
    center: [router],
    point: [],
  }),
  'network/name': ({ network }) => ({ network_number: network, network_name: '新名字' }),
  'network/delete': ({ network }) => ({ network_number: network }),
  'network/status': ({ network }) => ({ network_number: network }),
  'network/member': ({ network }) => ({ network_number: network, member_type: 'center' }),
  'network/add_member': ({ network, router }) => ({
    network_number: network,
    router_name: router,
    member_type: 'point',
  }),
  'network/remove_member': ({ network, router }) => ({ network_number: network, router_name: router }),
  'network/re_send_config': ({ network }) => ({ network_number: network }),
  'router/lists': () => ({}),
  'router/quantity': () => ({}),
  'router/info': ({ router }) => ({ router_name: router }),
  'router/add': () => ({ router_type: 1, username: 'NL000000', code: 'AAAA-AAAA-AAAA' }),
  'router/note': ({ router }) => ({ router_name: router, note: '新备注' }),
  'router/delete': ({ router }) => ({ router_name: router }),
  'router/update_status': ({ router }) => ({ router_name: router }),
  'router/resend': ({ router }) => ({ router_name: router }),
  'router/member': () => ({}),
  'router/traffic': ({ router }) => ({ router_name: router }),
  'router/traffic_ticket': ({ router }) => ({ kind: 'router', router_name: router }),
}

const inputOf = (spec: Endpoint, ids: Ids) => (SAMPLES[spec.path] ?? (() => ({})))(ids)
const NAMES: Ids = { network: 'none0000', router: 'NL-NONE' }
const closed = API.filter(({ access }) => access !== 'public')
const named = closed.filter(
  (spec) => JSON.stringify(inputOf(spec, NAMES)) !== JSON.stringify(inputOf(spec, { network: 'y', router: 'y' })),
)
const isFlag = (access: string): access is Flag => (FLAGS as readonly string[]).includes(access)
const cell = (spec: Endpoint) => [`${spec.method} ${spec.path}`, spec] as const

let owner: Caller
let stranger: Caller
/** First network: the limited role does not cover it. Second: it does. */
let first: Ids
let second: Ids

async function aNetworkOf(accountId: number, segmentIndex: number): Promise<Ids> {
  const ids = { network: unique('n'), router: unique('NL') }
  const now = Date.now()
  const [device] = await db
    .insert(devices)
    .values({ serial: ids.router, model: 'NL-R220', activationHash: 'x', createdAt: now })
    .returning({ id: devices.id })
  const [router] = await db
    .insert(routers)
    .values({
      accountId,
      name: ids.router,
      routerType: 1,
      deviceId: device!.id,
      note: `机密${ids.router}`.slice(0, 24),
      hub: newHubName('default'),
      createdAt: now,
    })
    .returning({ id: routers.id })
  const [network] = await db
    .insert(networks)
    .values({
      accountId,
      number: ids.network,
      name: `机密${ids.network}`,
      secret: 'ab',
      hub: newHubName('default'),
      createdAt: now,
    })
    .returning({ id: networks.id })
  await db.insert(networkMembers).values({
    accountId,
    networkId: network!.id,
    routerId: router!.id,
    memberType: 'center',
    segmentIndex,
    host: 2,
    joinedAt: now,
  })
  return ids
}

const rowsOf = (accountId: number) =>
  db.batch([
    db.select().from(networks).where(eq(networks.accountId, accountId)),
    db.select().from(networkMembers).where(eq(networkMembers.accountId, accountId)),
    db.select().from(routers).where(eq(routers.accountId, accountId)),
    db.select().from(accounts).where(eq(accounts.id, accountId)),
  ])

beforeAll(async () => {
  const services = { network_member: 50, software_member: 10 }
  owner = await aMainAccount(env, { services })
  stranger = await aMainAccount(env, { services })
  first = await aNetworkOf(owner.accountId, 0)
  second = await aNetworkOf(owner.accountId, 1)
})

describe('every endpoint has a sample', () => {
  it.each(API.map(cell))('%s', (_, spec) => {
    expect(Object.keys(SAMPLES)).toContain(spec.path)
    expect(spec.input.safeParse(inputOf(spec, NAMES)).error?.issues ?? []).toEqual([])
  })
})

describe('nobody without a session', () => {
  it.each(closed.map(cell))('anonymous: %s', async (_, spec) => {
    expect(await call(spec, inputOf(spec, first))).toMatchObject({ ...refusal('TOKEN_BAD'), data: null })
  })
  it.each(closed.map(cell))('expired: %s', async (_, spec) => {
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
    expect(await call(spec, inputOf(spec, first), token)).toMatchObject({ ...refusal('TOKEN_EXPIRED'), data: null })
  })
  it.each(OPS.map(cell))('operator’s call without the operator’s token: %s', async (_, spec) => {
    expect(await call(spec, {}, { token: owner.token })).toMatchObject({ code: CODE.badToken, data: null })
  })
})

describe('a sub-account without the right', () => {
  it.each(closed.filter(({ access }) => access === 'main' || isFlag(access)).map(cell))('%s', async (_, spec) => {
    const others = FLAGS.filter((flag) => flag !== spec.access)
    const sub = await aSubAccount(owner, { flags: others })
    expect(await sub.call(spec, inputOf(spec, first))).toMatchObject({ ...refusal('PERMISSION_DENIED'), data: null })
  })
  it.each(['network/create', 'router/add'])(
    '%s is not for a role limited to networks, whatever its flags',
    async (path) => {
      const sub = await aSubAccount(owner, { flags: [...FLAGS], networks: [second.network] })
      const spec = API.find((known) => known.path === path)!
      expect(await sub.call(spec, inputOf(spec, second))).toMatchObject(refusal('PERMISSION_DENIED'))
    },
  )
})

/** What an answer tells, without what differs between any two calls, and with the ids it was asked for taken out. */
const told = ({ status, code, msg, data }: { status: number; code: number; msg: string; data: unknown }, ids: Ids) =>
  JSON.stringify({ status, code, msg, data }).replaceAll(ids.network, '#').replaceAll(ids.router, '#')

describe('ids of others are answered like ids of nobody, and nothing moves', () => {
  it.each(named.filter(({ access }) => access !== 'ram').map(cell))('other tenant: %s', async (_, spec) => {
    const before = await rowsOf(owner.accountId)
    const foreign = await stranger.call(spec, inputOf(spec, first))
    const unknown = await stranger.call(spec, inputOf(spec, NAMES))
    expect(told(foreign, first)).toBe(told(unknown, NAMES))
    expect(foreign.code).not.toBe(CODE.ok)
    expect(JSON.stringify(foreign.data)).not.toContain('机密')
    expect(await rowsOf(owner.accountId)).toEqual(before)
  })
  it.each(
    named.filter(({ access, path }) => access !== 'main' && access !== 'ram' && path !== 'network/create').map(cell),
  )('sub-account limited to another network: %s', async (_, spec) => {
    const before = await rowsOf(owner.accountId)
    const limited = await aSubAccount(owner, { flags: [...FLAGS], networks: [second.network] })
    const foreign = await limited.call(spec, inputOf(spec, first))
    const unknown = await limited.call(spec, inputOf(spec, NAMES))
    expect(told(foreign, first)).toBe(told(unknown, NAMES))
    expect(foreign.code).not.toBe(CODE.ok)
    expect(await rowsOf(owner.accountId)).toEqual(before)
  })
})

describe('lists show nobody else’s', () => {
  const lists = closed.filter((spec) => spec.method === 'GET' && !named.includes(spec) && spec.access !== 'main')
  it.each(lists.map(cell))('%s', async (_, spec) => {
    const limited = await aSubAccount(owner, { flags: [...FLAGS], networks: [second.network] })
    const seen = [await stranger.call(spec, inputOf(spec, first)), await limited.call(spec, inputOf(spec, first))]
    for (const answer of seen) {
      expect(JSON.stringify(answer.data)).not.toContain(first.network)
      expect(JSON.stringify(answer.data)).not.toContain(first.router)
    }
  })
})
