import { announcementsApi } from '#contract/announcements/index.ts'
import { bandwidthPoolApi } from '#contract/bandwidth-pool/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { saasApi } from '#contract/saas/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { findNetworkPath } from './browser-harness.ts'

/* Addresses of all pages of the console. */

/** Addresses of the pages before the sign-in. */
export const PUBLIC = [
  '/login',
  '/login/index',
  '/register',
  '/reset',
  '/clause',
  '/privacy',
  '/licenses',
  '/handbook?id=states',
  '/download',
  '/validate/email',
  '/validate/unsubscribe',
  '/validate/refuse',
]

export const ACCOUNT = [
  '/dashboard',
  '/account',
  '/account/info',
  '/account/message',
  '/account/contacts',
  '/account/password',
  '/account/phone',
  '/account/email',
  '/account/security',
  '/account/service',
  '/account/announcements',
  '/account/announcements/detail?id={announcement}',
  '/ticket/lists',
  '/ticket/detail?ticket_number={ticket}',
  '/ticket/create',
  '/monitor/setting',
  '/monitor/setting?tab=alerts',
  '/monitor/setting?tab=deliveries',
  '/monitor/setting?tab=mutes',
]

export const NETWORK = [
  '/network/lists',
  '/network/create',
  '/network/edit?network_number={network}',
  '/network/detail?network_number={network}&view=graph',
  '/network/detail?network_number={network}&view=table',
  '/network/detail?network_number={network}&view=links',
  '/network/ticket_lists',
  '/network/ticket_detail?{order}',
  '/network/ticket_create?network_number={network}',
  '/network/pop_edit?network_number={reached}',
  '/network/fr_lists',
  '/router/lists',
  '/router/lists?type=2',
  '/router/detail?router_name=NL80C001',
]

export const ADMINISTRATION = [
  '/router/ldap',
  '/router/ldap_edit?ldapType=create',
  '/router/auth_source',
  '/ram/index',
  '/ram/role',
  '/saas/router',
  '/saas/detail?router_name={saas}',
  '/saas/bandwidth_pool',
  '/saas/bandwidth_pool_detail?id={pool}',
  '/logs/software_login',
  '/logs/online',
  '/logs/connect',
  '/logs/audit',
  '/404/index',
]

/** Numbers in the addresses, as the demo has them. */
export async function readNumbers(origin: string, token: string): Promise<Readonly<Record<string, string>>> {
  const number = (path: string) => new URL(path, origin).searchParams.get('network_number') ?? ''
  const call = { page: 1, limit: 10 } as const
  const [announcement] = await callEndpoint(origin, '/api/v1', announcementsApi.lists, call, token)
  const [ticket] = await callEndpoint(origin, '/api/v1', ticketApi.lists, call, token)
  const [order] = await callEndpoint(origin, '/api/v1', networkApi.ticketLists, call, token)
  const [device] = await callEndpoint(origin, '/api/v1', saasApi.router, {}, token)
  const [pool] = await callEndpoint(origin, '/api/v1', bandwidthPoolApi.lists, call, token)
  return {
    network: number(await findNetworkPath(origin, token, '总部与分支互联')),
    reached: number(await findNetworkPath(origin, token, '研发专网')),
    announcement: String(announcement?.id),
    ticket: String(ticket?.ticket_number),
    order: `network_number=${order?.network_number}&network_ticket_number=${order?.network_ticket_number}`,
    saas: String(device?.router_name),
    pool: String(pool?.id),
  }
}

export const fill = (address: string, numbers: Awaited<ReturnType<typeof readNumbers>>): string =>
  address.replace(/\{(\w+)\}/g, (_place, name: string) => numbers[name] ?? '')
