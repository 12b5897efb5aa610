import type { AlertHistory, ClientHistory, RouterHistory } from '#contract/local/history.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import { contactsApi } from '#contract/contacts/index.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { RULE_DEFAULTS, type AlertRule } from '#contract/monitor/alert.ts'
import { networkApi } from '#contract/network/index.ts'
import type { Call } from '#infra/local/api.ts'
import { ANNOUNCEMENTS, TENANTS } from '../data.ts'
import { openConsole } from '../load.ts'
import { OPERATOR } from '../pop.ts'
import { createDials, toClientHistory } from './dials.ts'
import { type PastDevice, createHistories } from './routers.ts'
import { type Story, createStory } from './story.ts'

/* Gives the loaded demo the two days before its start: devices first, then monitoring, then alerts and people. */

/** Contact that alerts of the main tenant are mailed to. */
const ON_CALL_CONTACT = '网络值班'
const [MAIN] = TENANTS

export async function loadHistory(
  origin: string,
  operatorToken: string,
  devices: readonly PastDevice[],
  now = Date.now(),
): Promise<void> {
  const story = createStory(now)
  const consoles = new Map(TENANTS.map(({ username }) => [username, openConsole(origin, username)]))
  const numbers = new Map<string, string>()
  for (const api of consoles.values())
    for (const { network_name, network_number } of await api(networkApi.lists, { limit: 50 }))
      numbers.set(network_name, network_number)
  const dials = createDials(story, numbers)
  const histories = createHistories(story, devices, dials)

  const post = (path: 'routers' | 'account', body: object) => postHistory(origin, operatorToken, path, body)
  const accounts = [OPERATOR.username, ...TENANTS.map(({ username }) => username)]
  for (const account of accounts) await post('routers', { account, routers: pickRouters(histories, account, devices) })
  const api = consoles.get(MAIN?.username ?? '')
  if (api) await startMonitoring(api)
  const clients = toClientHistory([...dials.values()].flat())
  const never = devices.filter(({ version }) => version === null).map(({ serial }) => serial)
  for (const account of accounts) await post('account', toAccountBody(account, story, { clients, never }))
}

/** All routers of the demo are known by name; those of other accounts are left out. */
function pickRouters(
  histories: Readonly<Record<string, RouterHistory>>,
  account: string,
  devices: readonly PastDevice[],
): Readonly<Record<string, RouterHistory>> {
  const owners = new Map(TENANTS.flatMap((tenant) => tenant.devices.map(({ serial }) => [serial, tenant.username])))
  const own = devices.filter(({ serial }) => (owners.get(serial) ?? OPERATOR.username) === account)
  return Object.fromEntries(own.flatMap(({ serial }) => (histories[serial] ? [[serial, histories[serial]]] : [])))
}

function toAccountBody(
  account: string,
  { now, from, setupAt, ticketsAt, absences, acknowledgements, mutes }: Story,
  { clients, never }: { readonly clients: ClientHistory; readonly never: readonly string[] },
) {
  const isMain = account === MAIN?.username
  const alerts: AlertHistory = isMain
    ? { since: from, absences: withNever(absences, never), acknowledgements, mutes }
    : { since: from, absences: {}, acknowledgements: [], mutes: [] }
  const announcements = Object.fromEntries(ANNOUNCEMENTS.map(({ title, daysAgo }) => [title, now - daysAgo * DAY_MS]))
  return {
    account,
    setup_ms: now - setupAt,
    tickets_ms: now - ticketsAt,
    alerts,
    clients: isMain ? clients : {},
    ...(isMain && { announcements }),
  }
}

/** A device that never came has always been away. */
const withNever = (absences: Story['absences'], never: readonly string[]): AlertHistory['absences'] => ({
  ...Object.fromEntries(Object.entries(absences).map(([serial, list]) => [serial, [...list]])),
  ...Object.fromEntries(never.map((serial) => [serial, [{ from: 0, to: Number.MAX_SAFE_INTEGER, silent: false }]])),
})

/** Mails to the people on call, by the rules as they are by default. */
async function startMonitoring(api: Call): Promise<void> {
  await api(monitorApi.enable, {})
  const contacts = await api(contactsApi.lists, { search: ON_CALL_CONTACT })
  const switches = Object.fromEntries(
    Object.entries(RULE_DEFAULTS).map(([rule, { on }]) => [rule, on ? 1 : 0]),
  ) as Record<AlertRule, 0 | 1>
  await api(monitorApi.setting, {
    ...switches,
    email_confirm: 1,
    webhook_confirm: 0,
    all_routers: 1,
    router: [],
    contacts: contacts.map(({ uuid }) => uuid),
  })
}

async function postHistory(origin: string, token: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${origin}/__local/history/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { code, msg } = (await response.json()) as { code: number; msg: string }
  if (code !== RESULT.ok) throw new Error(`history/${path}: ${code} ${msg}`)
}
