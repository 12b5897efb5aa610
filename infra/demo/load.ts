import { accountApi } from '../../worker/contract/account.ts'
import type { Endpoint, Input, Output } from '../../worker/contract/endpoint.ts'
import { loginApi } from '../../worker/contract/login.ts'
import { networkApi } from '../../worker/contract/network.ts'
import { opsApi } from '../../worker/contract/ops.ts'
import { PERMISSIONS } from '../../worker/contract/permissions.ts'
import { routerApi } from '../../worker/contract/router.ts'
import { verifyApi } from '../../worker/contract/verify.ts'
import { clientApi } from '../../worker/contract/client.ts'
import { callEndpoint, outboxCode } from '../local/api.ts'
import { ALL_FLAGS_ROLE, ANNOUNCEMENTS, DEMO_PASSWORD, type DemoTenant, LIMITED_ROLE, TENANTS } from './data.ts'

/** A device with the code that its agent registers with. */
export interface ProvisionedDevice {
  readonly serial: string
  readonly code: string
  readonly model: string
  readonly lan: string
  readonly runs: 'real' | 'virtual' | 'none'
}

const YEAR_MS = 365 * 86_400_000

/** Loads the demo through the operator's and the customers' own calls. Returns the devices, for their agents. */
export async function loadDemo(origin: string, operatorToken: string): Promise<ProvisionedDevice[]> {
  const ops = <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(origin, '/ops/v1', spec, input, operatorToken)
  for (const announcement of ANNOUNCEMENTS) await ops(opsApi.publishAnnouncement, announcement)
  const devices: ProvisionedDevice[] = []
  for (const tenant of TENANTS) devices.push(...(await loadTenant(origin, tenant, ops)))
  return devices
}

type Ops = <E extends Endpoint>(spec: E, input: Input<E>) => Promise<Output<E>>

async function loadTenant(origin: string, tenant: DemoTenant, ops: Ops): Promise<ProvisionedDevice[]> {
  const { username, nickname, phone, email } = tenant
  await ops(opsApi.createAccount, {
    username,
    nickname,
    password: DEMO_PASSWORD,
    phone,
    email,
    quagga: 1,
    default_route: 1,
  })
  const now = Date.now()
  for (const service of tenant.services) {
    await ops(opsApi.setService, { account: username, ...service, start_time: now, expired_time: now + YEAR_MS })
  }
  const devices: ProvisionedDevice[] = []
  for (const { serial, model, lan, runs } of tenant.devices) {
    const { activation_code: code } = await ops(opsApi.provisionDevice, { serial, model })
    devices.push({ serial, code, model, lan, runs })
  }
  for (const message of tenant.messages) await ops(opsApi.sendMessage, { account: username, ...message })

  const token = await signIn(origin, username)
  const api = <E extends Endpoint>(spec: E, input: Input<E>) => callEndpoint(origin, '/api/v1', spec, input, token)
  await api(accountApi.editSign, { sign: tenant.sign })
  for (const { serial, note } of tenant.devices) {
    const code = devices.find((device) => device.serial === serial)?.code ?? ''
    await api(routerApi.add, { router_type: 1, username: serial, code, note })
  }
  for (const member of tenant.software) await api(routerApi.add, { router_type: 2, password: DEMO_PASSWORD, ...member })
  const numbers: string[] = []
  for (const network of tenant.networks) {
    const { network_number: number } = await api(networkApi.create, {
      network_name: network.name,
      center: [...network.center],
      point: [...network.point],
    })
    numbers.push(number)
  }
  await loadSignIns(origin, tenant)
  if (username === 'demo01') await loadSubAccounts(username, numbers[0] ?? '', ops)
  return devices
}

/** One software member signs in at the client, after a mistake. */
async function loadSignIns(origin: string, { software: [member], sign }: DemoTenant): Promise<void> {
  if (!member) return
  const device = {
    os: 'windows',
    version: '2.1.0',
    sys_brand: 'Lenovo',
    sys_model: 'ThinkPad',
    sys_version: '11',
  } as const
  const signIn = (password: string) =>
    callEndpoint(origin, '/api/v1', clientApi.login, { username: `${member.username}@${sign}`, password, ...device })
  await signIn('Wrong2026').catch(() => null) // refused, and recorded as such
  await signIn(DEMO_PASSWORD)
}

async function loadSubAccounts(account: string, onlyNetwork: string, ops: Ops): Promise<void> {
  const password = DEMO_PASSWORD
  await ops(opsApi.createRam, {
    account,
    username: 'ops',
    nickname: '运维值班',
    password,
    role: ALL_FLAGS_ROLE,
    flags: [...PERMISSIONS],
  })
  await ops(opsApi.createRam, {
    account,
    username: 'branch',
    nickname: '分支管理',
    password,
    role: LIMITED_ROLE,
    flags: ['router:edit', 'network:edit'],
    networks: [onlyNetwork],
  })
}

/** Signs in as a person would: captcha and all. */
export async function signIn(origin: string, username: string, password = DEMO_PASSWORD): Promise<string> {
  const { uniqid } = await callEndpoint(origin, '/api/v1', verifyApi.code, {})
  const code = await outboxCode(origin, 'captcha', { uniqid })
  const spec = username.includes('@') ? loginApi.ram : loginApi.account
  const session = await callEndpoint(origin, '/api/v1', spec, { username, password, code, uniqid })
  return session.access_token
}
