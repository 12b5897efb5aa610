import { DEMO_PASSWORD } from '../demo/data.ts'
import { signIn } from '../demo/load.ts'
import { callEndpoint, outboxCode } from '../local/api.ts'
import type { Endpoint, Input } from '../../worker/contract/endpoint.ts'
import { RESULT } from '../../worker/contract/errors.ts'
import { API } from '../../worker/contract/index.ts'
import { loginApi } from '../../worker/contract/login.ts'
import { opsApi } from '../../worker/contract/ops.ts'
import { routerApi } from '../../worker/contract/router.ts'
import { openDevice } from './device.ts'
import { type Finding, print } from './report.ts'
import type { Stack } from './stack.ts'
import { type Walker, walk } from './walk.ts'
import { type Doors, walkIdentity } from './walk-identity.ts'

const SHARE_WITH_ONE = 0.95

const HASHES = 'a password is hashed only after what costs less'
const RULES = 'rules about LANs, in words that name both owners'
/** Endpoints that read before they write, and why; every other has one round trip. */
const TWO: Readonly<Record<string, string>> = {
  'login/account': HASHES,
  'login/ram': HASHES,
  'account/register': HASHES,
  'ram/password': HASHES,
  'verify/reset_password': HASHES,
  'router/add': HASHES,
  'network/create': RULES,
  'network/edit': RULES,
  'network/add_member': RULES,
}

/** D1 round trips of every endpoint of the contract, as the Worker itself counts them; throws where one was not called. */
export async function benchTrips({ origin, operatorToken }: Stack): Promise<readonly Finding[]> {
  const trips = new Map<string, number>()
  let cookie = ''
  const note = (spec: Endpoint, headers: Headers) => {
    trips.set(spec.path, Math.max(trips.get(spec.path) ?? 0, Number(headers.get('x-db-trips') ?? Number.NaN)))
    cookie = /^[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? cookie
  }
  const ops = <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(origin, '/ops/v1', spec, input, operatorToken)
  const walker: Walker = {
    call: (spec, input, token = '') =>
      callEndpoint(origin, '/api/v1', spec, input, token, (headers) => note(spec, headers)),
    code: (kind, to) => outboxCode(origin, kind, { to }),
  }
  const doors: Doors = {
    captcha: (uniqid) => outboxCode(origin, 'captcha', { uniqid }),
    tokenLink: async (account) => {
      const { url } = await ops(opsApi.tokenLink, { account })
      return new URL(url).searchParams.get('token') ?? ''
    },
    subAccount: async (account, password) => {
      const role = { role: '测量', flags: [] }
      return (await ops(opsApi.createRam, { account, username: 'sub', nickname: '测量', password, ...role })).login_name
    },
    refresh: async () => {
      const url = `${origin}/api/v1/${loginApi.refresh.path}`
      const init = { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: '{}' }
      const response = await fetch(url, init)
      const { code, msg } = (await response.json()) as { code: number; msg: string }
      if (code !== RESULT.ok) throw new Error(`${loginApi.refresh.path}: ${msg}`)
      note(loginApi.refresh, response.headers)
    },
  }

  const token = await anAccount(origin, ops)
  const device = await openDevice(origin, operatorToken, token, [])
  const others = ['NLTRIPS1', 'NLTRIPS2'] as const
  for (const username of others) {
    const { activation_code: code } = await ops(opsApi.provisionDevice, { serial: username, model: 'NL-R220' })
    await walker.call(routerApi.add, { router_type: 1, username, code }, token)
  }
  await walk(walker, token, [device.serial, ...others])
  device.close()
  await walkIdentity(walker, doors, 'trips02')

  const missing = API.filter(({ path }) => !trips.has(path)).map(({ path }) => path)
  if (missing.length > 0) throw new Error(`bench/walk.ts calls every endpoint but ${missing.join(', ')}`)
  return report(trips)
}

/** An account with room for everything the walk makes, signed in. */
async function anAccount(
  origin: string,
  ops: <E extends Endpoint>(spec: E, input: Input<E>) => Promise<unknown>,
): Promise<string> {
  const account = 'trips01'
  await ops(opsApi.createAccount, { username: account, nickname: '测量', password: DEMO_PASSWORD })
  const day = 86_400_000
  const time = { start_time: Date.now() - day, expired_time: Date.now() + day }
  for (const kind of ['network_member', 'software_member'] as const)
    await ops(opsApi.setService, { account, kind, name: kind, quantity: 10, ...time })
  return signIn(origin, account)
}

function report(trips: ReadonlyMap<string, number>): readonly Finding[] {
  const counted = [...trips].toSorted(([a], [b]) => a.localeCompare(b))
  const findings: Finding[] = [
    ...counted.map(([what, value]) => {
      const reason = TWO[what]
      return { what, value, unit: 'trips', budget: reason ? 2 : 1, ...(reason && { note: reason }) }
    }),
    {
      what: 'share of endpoints with one trip at the most',
      value: counted.filter(([, value]) => value <= 1).length / counted.length,
      unit: '',
      budget: SHARE_WITH_ONE,
      must: 'reach',
      note: `${Object.keys(TWO).length} with a reason to read first: the share grows with the product`,
    },
  ]
  print('D1 round trips per endpoint', findings)
  return findings
}
