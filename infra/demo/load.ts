import { opsApi } from '#contract/ops/index.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { clientApi } from '#contract/client/index.ts'
import { type Call, callEndpoint, consoleCalls, outboxItem } from '#infra/local/api.ts'
import {
  ALL_FLAGS_ROLE,
  ANNOUNCEMENTS,
  DEMO_PASSWORD,
  type DemoTenant,
  LIMITED_ROLE,
  RAM_TICKETS,
  TENANTS,
  type DemoTicket,
  type DemoContact,
} from './data.ts'
import type { DemoDevice } from './devices.ts'
import { OPERATOR, loadAreas, loadOrders } from './pop.ts'
import { loadSaas } from './saas.ts'
import { accountApi } from '#contract/account/index.ts'
import { authSourceApi } from '#contract/auth-source/index.ts'
import { contactsApi } from '#contract/contacts/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { FAKE_APPS } from '#tests/support/fakes/sign-in/desk.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Loads the demo through the operator's and the customers' own calls, and returns its devices for their agents. */

/** A device with the code that its agent registers with. */
export interface ProvisionedDevice extends Pick<DemoDevice, 'serial' | 'model' | 'lan' | 'runs'> {
  readonly code: string
}

const TERM_DAYS = [-6, 359] as const
/** Tenant with sub-accounts, SaaS devices and auth sources. */
const MAIN_TENANT = 'demo01'

interface Means {
  /** Image in an announcement and in tickets. */
  readonly image?: File
  /** Reader of the demo's mails; by default the outbox. */
  readonly readMail?: ReadMail | undefined
  /** True: the vendors of sign-in answer (tests/support/fakes). */
  readonly hasVendors?: boolean
}

export async function loadDemo(origin: string, operatorToken: string, means: Means = {}): Promise<ProvisionedDevice[]> {
  const ops: Call = (spec, input) => callEndpoint(origin, '/ops/v1', spec, input, operatorToken)
  const { image } = means
  const { src } = image ? await ops(opsApi.uploadAnnouncementImage, { file: image }) : { src: '' }
  for (const { daysAgo: _, ...announcement } of ANNOUNCEMENTS.toReversed())
    await ops(opsApi.publishAnnouncement, { ...announcement, content: announcement.content.replace('{image}', src) })
  await ops(opsApi.createAccount, { ...OPERATOR, password: DEMO_PASSWORD })
  const api = openConsole(origin, OPERATOR.username)
  const devices = await loadAreas(ops, (device) => claim(ops, api, device))
  for (const tenant of TENANTS) devices.push(...(await loadTenant(origin, tenant, ops, means)))
  return devices
}

async function loadTenant(
  origin: string,
  tenant: DemoTenant,
  ops: Call,
  { image, readMail, hasVendors = false }: Means,
): Promise<ProvisionedDevice[]> {
  const { username, nickname, phone, email, flags } = tenant
  await ops(opsApi.createAccount, { username, nickname, password: DEMO_PASSWORD, phone, email, ...flags })
  const now = Date.now()
  for (const { days: [start, end] = TERM_DAYS, ...service } of tenant.services) {
    const term = { start_time: now + start * DAY_MS, expired_time: now + end * DAY_MS }
    await ops(opsApi.setService, { account: username, ...service, ...term })
  }

  const api = openConsole(origin, username)
  await api(accountApi.editSign, { sign: tenant.sign })
  await loadContacts(origin, { account: username, contacts: tenant.contacts }, api, ops, readMail)
  const devices: ProvisionedDevice[] = []
  for (const device of tenant.devices) devices.push(await claim(ops, api, device))
  for (const { isDisabled, ...member } of tenant.software) {
    const { router_name } = await api(routerApi.add, { router_type: 2, password: DEMO_PASSWORD, ...member })
    if (isDisabled) await api(routerApi.updateStatus, { router_name, status: 0 })
  }
  const numbers = await loadNetworks(api, tenant.networks)
  for (const { network = '', router = '', ...message } of tenant.messages) {
    const about = { network_number: numbers.get(network) ?? '', router_name: router }
    await ops(opsApi.sendMessage, { account: username, ...message, ...about })
  }
  if (username === MAIN_TENANT) {
    await loadSubAccounts(username, [...numbers.values()][0] ?? '', ops)
    await loadSaas(ops, username)
    if (hasVendors) await loadAuthSources(username, api, ops)
  }
  await loadOrders(ops, api, numbers)
  await loadTickets(api, ops, tenant.tickets, image)
  if (username === MAIN_TENANT) await loadTickets(openConsole(origin, `ops@${username}`), ops, RAM_TICKETS)
  await loadSignIns(origin, tenant)
  return devices
}

/** Registers a device and binds it to the account. */
async function claim(ops: Call, api: Call, device: DemoDevice): Promise<ProvisionedDevice> {
  const { serial, model, lan, runs, note } = device
  const { activation_code: code } = await ops(opsApi.provisionDevice, { serial, model })
  await api(routerApi.add, { router_type: 1, username: serial, code, note })
  return { serial, code, model, lan, runs }
}

/** Numbers of the networks, by name. */
async function loadNetworks(api: Call, networks: DemoTenant['networks']): Promise<ReadonlyMap<string, string>> {
  const numbers = new Map<string, string>()
  for (const { name, type = 1, center, point, settings = [] } of networks) {
    const { network_number: number } = await api(networkApi.create, {
      network_name: name,
      network_type: type,
      center: [...center],
      point: [...point],
    })
    numbers.set(name, number)
    for (const set of settings) await set(api, number)
  }
  return numbers
}

/** Signs in one software member, after a wrong password. */
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

async function loadSubAccounts(account: string, onlyNetwork: string, ops: Call): Promise<void> {
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

export const openConsole = (origin: string, username: string): Call =>
  consoleCalls(origin, () => signIn(origin, username))

/** Signs in as a person would, with a captcha. */
export async function signIn(origin: string, username: string, password?: string): Promise<string> {
  const spec = username.includes('@') ? loginApi.ram : loginApi.account
  const form = await signInForm(origin, username, password)
  return (await callEndpoint(origin, '/api/v1', spec, form)).access_token
}

/** Form of a sign-in, with a new captcha read from the outbox. */
export async function signInForm(origin: string, username: string, password = DEMO_PASSWORD) {
  const { uniqid } = await callEndpoint(origin, '/api/v1', verifyApi.code, {})
  const { code } = await outboxItem(origin, 'captcha', { uniqid })
  return { username, password, code, uniqid }
}

/** Creates auth sources: the account's applications at the three vendors, as the fakes of sign-in know them. */
async function loadAuthSources(account: string, api: Call, ops: Call): Promise<void> {
  await ops(opsApi.setAccountFlags, { account, software_auth_source: 1 })
  const { wecom, feishu, dingtalk } = FAKE_APPS
  await api(authSourceApi.create, {
    type: 'wechat',
    name: '启明企业微信',
    app_id: wecom.appId,
    agent_id: wecom.agentId,
    app_secret: wecom.secret,
  })
  await api(authSourceApi.create, {
    type: 'feishu',
    name: '启明飞书',
    app_id: feishu.appId,
    app_secret: feishu.secret,
  })
  await api(authSourceApi.create, {
    type: 'dingtalk',
    name: '启明钉钉',
    app_id: dingtalk.appId,
    corp_id: dingtalk.corpId,
    app_secret: dingtalk.secret,
  })
}

/** Creates tickets of one person up to their status: replies of both sides, then a status or an appraisal. */
async function loadTickets(api: Call, ops: Call, tickets: readonly DemoTicket[], image?: File): Promise<void> {
  for (const { type, title, content, router, dialogue = [], status, appraise, hasImage } of tickets) {
    const file_ids = hasImage && image ? [(await api(ticketApi.uploadFile, { file: image })).file_id] : []
    const snapshot = router === undefined ? null : { kind: 'router' as const, router_name: router }
    const { ticket_number } = await api(ticketApi.create, { type, title, content, file_ids, snapshot })
    if (status !== undefined) await ops(opsApi.ticketStatus, { number: ticket_number, status })
    for (const { side, text } of dialogue) {
      if (side === 'customer') await api(ticketApi.reply, { ticket_number, content: text })
      else await ops(opsApi.replyTicket, { number: ticket_number, content: text })
    }
    if (appraise) await api(ticketApi.appraise, { ticket_number, ...appraise })
  }
}

/** Contacts of an account, each as its recipient has left it: by the link of its mail, then by the operator's end. */
async function loadContacts(
  origin: string,
  { account, contacts }: { readonly account: string; readonly contacts: readonly DemoContact[] },
  api: Call,
  ops: Call,
  readMail?: ReadMail,
): Promise<void> {
  for (const { name, email, days } of contacts) {
    await api(contactsApi.create, { name, email })
    if (days === null) continue
    await openLink(origin, email, readMail)
    const end = days === undefined ? null : Date.now() + Math.round(days * DAY_MS)
    if (end !== null) await ops(opsApi.setContactExpiry, { account, email, expired_time: end })
  }
}

/** Text of the newest mail to an address. */
type ReadMail = (to: string) => Promise<string>

/** Acts as the recipient of a verification mail. Mails are in the outbox unless the run sends them elsewhere. */
export async function openLink(
  origin: string,
  email: string,
  readMail: ReadMail = async (to) => (await outboxItem(origin, 'mail', { to })).text,
): Promise<void> {
  const s = /\/validate\/email\?s=([\w-]+)/.exec(await readMail(email))?.[1] ?? ''
  await callEndpoint(origin, '/api/v1', contactsApi.validateEmail, { s })
}
