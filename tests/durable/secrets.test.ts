import { env, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { API, OPS } from '#contract/api.ts'
import { VPN } from '#contract/device/limits.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { routerApi } from '#contract/router/index.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { networks } from '#db/schema/networks.ts'
import { createHubs } from '#durable/hubs.ts'
import { openKey } from '#security/authority/sealed-key.ts'
import { controlKey } from '#security/device-secrets.ts'
import { createDialToken } from '#security/dial-token.ts'
import { sealNetworkSecret } from '#security/network-secret.ts'
import { randomHex } from '#security/secrets.ts'
import { authoritiesOf } from '#tests/support/certificates/rows.ts'
import { createRequestPem } from '#tests/support/certificates/requests.ts'
import { type Ids, toInput } from '#tests/support/example-input.ts'
import { createService, createSoftwareRouter, unique } from '#tests/support/fixtures.ts'
import { insertMember } from '#tests/support/rows.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  accountStub,
  connectOnlineDevice,
  connectViewer,
  createHubNetwork,
  createViewer,
  isFrame,
  networkStub,
  readNow,
  routerStub,
  selectState,
  until,
  watchNetwork,
} from './support.ts'

/* Keys, tokens and requests with marks on the side of the service: no answer, line of the log or row for people has them. */

const CAPABILITIES = [VPN.capability]
const worker = createTestWorker({ hubs: (requestId) => createHubs(env, requestId) })
/** A line of a PEM text that no other text has: of its key or signature. */
const lineOf = (pem: string) => pem.split('\n').at(-4) ?? ''

const lines: string[] = []
function collectLog(): void {
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    const spy = vi
      .spyOn(console, level)
      .mockImplementation((...parts: unknown[]) => void lines.push(JSON.stringify(parts)))
    onTestFinished(() => spy.mockRestore())
  }
}

/** Network of a centre and two points that run tunnels, with a member that dials. */
async function createMarked() {
  const network = await createHubNetwork(2)
  const { accountId, id: networkId, number } = network
  const secret = randomHex(32)
  const secretSealed = await sealNetworkSecret(env.SEAL_KEYS, { accountId, number }, secret)
  await db.update(networks).set({ secretSealed }).where(eq(networks.id, networkId))
  await createService(accountId, 'software_member', 10)
  const member = await createSoftwareRouter(accountId)
  await insertMember({ accountId, networkId, routerId: member.id, memberType: 'point' })
  const [request, refused] = [await createRequestPem(), brokenRequest()]
  const center = await connectOnlineDevice(network.center, { capabilities: CAPABILITIES, csr: request })
  const point = await connectOnlineDevice(network.points[0]!, {
    capabilities: CAPABILITIES,
    csr: await createRequestPem(),
  })
  await connectOnlineDevice(network.points[1]!, { capabilities: CAPABILITIES, csr: refused })
  const certificate = await until(() => config(center)?.body.authorities?.[0]?.certificate ?? undefined)
  await until(() => config(point)?.body.authorities?.[0]?.certificate ?? undefined)
  await until(async () => (await selectState(network.points[1]!))?.certificateRefusal ?? undefined)
  await until(async () => ((await selectState(network.center))?.certificateRequest === request ? true : undefined))
  const claims = {
    memberId: member.id,
    credentialVersion: 0,
    networkNumber: number,
    expiresAt: Date.now() + 60_000,
    profileId: null,
  }
  const tokens = {
    'dial token': await createDialToken(env.HMAC_SECRET, claims),
    'expired dial token': await createDialToken(env.HMAC_SECRET, { ...claims, expiresAt: Date.now() - 60_000 }),
    'wrong dial token': `7.${unique('wrongtoken')}${'w'.repeat(20)}`,
    'password at a dial': unique('Passw0rd-of-a-person'),
  }
  for (const secret of Object.values(tokens)) {
    const id = unique('a')
    const from = { remote: '203.0.113.9', os: 'linux', version: '1.0.0', renewed: false }
    center.send({ t: 'client_auth', id, network_number: number, name: member.name, secret, ...from })
    await until(() => center.frames.find((frame) => frame.t === 'client_auth_result' && frame.id === id))
  }
  const [authority] = await authoritiesOf(accountId)
  const marks: Readonly<Record<string, string>> = {
    ...tokens,
    'key of the authority': (await openKey(env.SEAL_KEYS, authority!)).toString('base64').slice(20, 100),
    'sealed key of the authority': authority!.keySealed,
    'secret of the network': secret,
    'control key': controlKey(secret).slice(0, 64),
    'probe key': config(center)?.body.networks[0]?.links[0]?.key ?? '',
    request: lineOf(request),
    'refused request': lineOf(refused),
    certificate: lineOf(certificate),
  }
  return { ...network, member, devices: [center, point], marks }
}

const config = (device: DeviceSocket) => device.frames.findLast(isFrame('config'))

/** Request of the right form that nobody can read. */
const brokenRequest = () => {
  const body = Array.from({ length: 4 }, () => btoa(unique('refusedrequest').padEnd(48, 'r')).slice(0, 64))
  return ['-----BEGIN CERTIFICATE REQUEST-----', ...body, '-----END CERTIFICATE REQUEST-----', ''].join('\n')
}

const foundIn = (marks: Readonly<Record<string, string>>, place: string, text: string): string[] =>
  Object.entries(marks).flatMap(([name, mark]) =>
    text.includes(mark) || text.includes(JSON.stringify(mark).slice(1, -1)) ? [`${name}: ${place}`] : [],
  )

const readsOf = (specs: readonly Endpoint[]) =>
  specs.filter(({ method, access }) => method === 'GET' && access !== 'client')

it('secrets of tunnels are in no answer, frame for people, line of the log, message or audit row', async () => {
  collectLog()
  const network = await createMarked()
  const { accountId, number, main, points, center, marks } = network
  expect(Object.entries(marks).filter(([, mark]) => mark.length < 16)).toEqual([])
  const viewers = [await watchNetwork(network), await connectViewer(routerStub(center), createViewer(network))]
  const ids: Ids = { network: number, router: center.name, ticket: 'none', support: 'none' }
  const found: string[] = []
  const codes: number[] = []
  const ask = async (specs: readonly Endpoint[], token: string, named: Ids) => {
    for (const spec of readsOf(specs)) {
      const { headers: _, bytes, ...answer } = await worker.call(spec, toInput(spec, named), token)
      const text = JSON.stringify(answer) + (bytes ? new TextDecoder('latin1').decode(bytes) : '')
      codes.push(answer.code)
      found.push(...foundIn(marks, `${spec.method} ${spec.path}`, text))
    }
  }
  await ask(API, main.token, ids)
  await ask(API, main.token, { ...ids, router: points[1]!.name })
  await ask(OPS, env.OPERATOR_TOKEN, ids)

  // a revocation, with its audit row and messages
  const removed = await worker.call(routerApi.delete, { router_name: points[0]!.name }, main.token)
  expect(removed.code).toBe(200)
  await readNow(routerStub(center))
  await ask(API, main.token, ids)

  expect(codes.filter((code) => code === 200).length).toBeGreaterThan(codes.length / 2)
  for (const viewer of viewers) found.push(...foundIn(marks, 'frame for people', JSON.stringify(viewer.frames)))
  const audit = await db.select().from(auditLogs).where(eq(auditLogs.accountId, accountId))
  expect(audit.length).toBeGreaterThan(0)
  found.push(...foundIn(marks, 'log', lines.join('\n')))
  found.push(...(await findInTables(marks)))
  expect([...new Set(found)].toSorted()).toEqual(KEPT)
  const hubs = { RouterHub: routerStub(center), NetworkHub: networkStub(network), AccountHub: accountStub(network) }
  const stored: string[] = []
  for (const [name, stub] of Object.entries(hubs)) stored.push(...foundIn(marks, name, await readStorage(stub)))
  expect(stored.filter((name) => name !== 'request: RouterHub')).toEqual([])
})

/** All that a hub has on its disk, without the document of its device, which has its keys. */
const readStorage = (stub: DurableObjectStub): Promise<string> =>
  runInDurableObject(stub, async (_, { storage }) => {
    const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
    const rows = tables
      .map(({ name }) => String(name))
      .filter((name) => !name.startsWith('_cf_') && !name.startsWith('sqlite_'))
      .map((name) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray())
    return JSON.stringify([rows, [...(await storage.list())].filter(([key]) => !key.startsWith('document:'))])
  })

/** Columns that hold what a mark names. */
const KEPT = [
  'certificate: certificates.certificate',
  'refused request: router_states.certificate_request',
  'request: router_states.certificate_request',
  'sealed key of the authority: authorities.key_sealed',
]

/** Marks in any column of any table. */
async function findInTables(marks: Readonly<Record<string, string>>): Promise<string[]> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_%' ESCAPE '\\'",
  ).all<{ name: string }>()
  const found: string[] = []
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all()
    const columns = Object.keys(results[0] ?? {})
    for (const column of columns) {
      const text = results.map((row) => String(row[column])).join('\n')
      found.push(...foundIn(marks, `${name}.${column}`, text))
    }
  }
  return found
}
