import { publicPaths } from './public-paths.ts'

/* URLs of the console that pages link to; web/app/pages.ts lists the pages behind them. */

type Query = Readonly<Record<string, string | number | undefined>>

/** `path?a=1`, without undefined or empty values. */
function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return path
  return `${path}?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`
}

/** Kinds of requests to the provider: the first service, or more of one. */
export type ServiceRequest = 'service' | 'seats' | 'software' | 'ram'

export const paths = {
  dashboard: '/dashboard',
  /** The dashboard, filtered by one part of its status line. */
  overview: (show: string) => withQuery('/dashboard', { show }),

  networks: (list: { readonly search?: string } = {}) => withQuery('/network/lists', list),
  /** `at` shows the events around that time. */
  network: (network_number: string, view: { readonly member?: string; readonly at?: number } = {}) =>
    withQuery('/network/detail', { network_number, ...view }),
  createNetwork: '/network/create',
  editNetwork: (network_number: string) => withQuery('/network/edit', { network_number }),

  networkTickets: '/network/ticket_lists',
  networkTicket: (ticket: { readonly network_number: string; readonly network_ticket_number: string }) =>
    withQuery('/network/ticket_detail', {
      network_number: ticket.network_number,
      network_ticket_number: ticket.network_ticket_number,
    }),
  createNetworkTicket: (network_number: string) => withQuery('/network/ticket_create', { network_number }),
  editPop: (network_number: string) => withQuery('/network/pop_edit', { network_number }),
  popResources: '/network/fr_lists',

  routers: (
    list: {
      readonly type?: number
      readonly search?: string
      readonly state?: string
      readonly sort?: string
      readonly claim?: 1
    } = {},
  ) => withQuery('/router/lists', list),
  /** `at` shows charts and states around that time. */
  router: (router_name: string, view: { readonly at?: number } = {}) =>
    withQuery('/router/detail', { router_name, ...view }),

  /** Saved view of a list. */
  savedView: ({ list, query }: { readonly list: 'router' | 'network'; readonly query: string }) =>
    [list === 'router' ? '/router/lists' : '/network/lists', query].filter(Boolean).join('?'),

  ldap: '/router/ldap',
  directoryUsers: '/router/ldap?users=1',
  editLdap: (ldapType: 'create' | 'edit') => withQuery('/router/ldap_edit', { ldapType }),

  /** `bind` opens the dialog that binds the first contact. */
  account: (view: { readonly bind?: 'phone' | 'email' } = {}) => withQuery('/account', view),
  profile: '/account/info',
  changePassword: '/account/password',
  security: '/account/security',
  changePhone: '/account/phone',
  changeEmail: '/account/email',
  messages: '/account/message',
  contacts: '/account/contacts',
  services: '/account/service',
  announcements: '/account/announcements',
  announcement: (id: number) => withQuery('/account/announcements/detail', { id }),
  monitor: '/monitor/setting',
  deliveries: '/monitor/setting?tab=deliveries',
  saasDevice: (router_name: string) => withQuery('/saas/detail', { router_name }),
  tickets: '/ticket/lists',
  ticket: (ticket_number: string) => withQuery('/ticket/detail', { ticket_number }),
  createTicket: '/ticket/create',
  /** A request for what the account lacks, filled in. */
  requestService: (request: ServiceRequest) => withQuery('/ticket/create', { request }),
  /** A ticket that renews a service, or has a snapshot of a member or network. */
  ticketAbout: (
    subject: { readonly service_name: string } | { readonly router_name: string } | { readonly network_number: string },
  ) => withQuery('/ticket/create', subject),
  roles: '/ram/role',
  download: publicPaths.download,
  article: ({ id, title }: { readonly id: string; readonly title: string }) =>
    withQuery(publicPaths.handbook, { id, title }),
  notFound: '/404/index',
} as const
