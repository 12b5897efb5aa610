import type { ComponentType } from 'react'
import type { MemberDialogProps } from '#pages/network/settings/dialog-context.ts'
import { NetworkEditPage } from '#pages/network/plan/network-edit-page.tsx'
import { PopEditPage } from '#pages/network/pop/pop-edit-page.tsx'
import type { NetworkInfo } from '#pages/network/live-network.ts'
import { MEMBER_SETTINGS, MEMBER_VERBS, NETWORK_SETTINGS, VERBS } from '#pages/network/settings/dialog-table.ts'
import { member } from '#tests/web/network/member.ts'
import { info } from '#tests/web/network/open-network.tsx'
import { createRouter } from '#tests/web/router/fixtures.ts'
import { fillIn, type FormCase } from './open-form.tsx'

/* Forms of networks: pages, and every dialog of their table in each of its states. */

const close = () => {}
const ports = { public_ip: '', public_port: null, static_port: null }
const center = (name: string, n: number) => ({
  ...member(name, { role: 'center' }),
  fixed_port: {
    router_service: { ...ports, port: 20_000 + 4 * n },
    software_service: { ...ports, port: 20_001 + 4 * n },
  },
  gateway: {
    router: { gateway: `100.64.${n * 32}.0`, mask: 20 },
    software: { gateway: `100.64.${n * 32 + 16}.0`, mask: 20 },
  },
})
const members = [center('c1', 0), center('c2', 1), member('p1'), member('p2'), member('s1@qiming', { type: 2 })]
const network = info(members, { network_fr: { network_fr_id: 7, shortname: '骨干', expire_day: 90 } })
const ADVANCED = { auth: { quagga: 1, quagga_advanced: 1, default_route: 1 } } as const

const pool = (gateway: string) => ({ gateway, mask: 20, start: gateway, end: gateway })
const ROW = { ip: '10.1.0.0', mask: 16, name: '总部', permission: 'permit', ge: null, le: 32 }
const LINK = {
  router_name: 'p2',
  note: '',
  gateway: '172.31.1.0',
  mask: 30,
  static_port: null,
  port: 1,
  client_port: 2,
  is_server: 1,
}
const AREAS = [1, 2, 3].map((id) => ({ id, name: `区域${id}` }))
const REPLIES = {
  'network/info': network,
  'router/info': { data: createRouter('p1') },
  'router/member': { data: { router: [], app: [] }, count: 0 },
  'router/choices': { data: { router: [], app: [], unknown: [] } },
  'network/unsupported': { data: [] },
  'network/routing': { data: { type: 1, main_router: '', secondary_router: '', revision: 1 } },
  'network/prefix': { data: [ROW], count: 0, revision: 5 },
  'network/point_link': { data: { router_name: 'p1', linkList: [LINK], free_gateway: '172.31.0.4', revision: 2 } },
  'network/center_link_network': {
    data: {
      network_number: 'N1',
      gateway: '',
      mask: 30,
      enable: 0,
      center_router_name: '',
      public_ip: '',
      public_port: null,
      static_port: null,
      free_gateway: '172.31.0.4',
      free_port: 20_002,
      revision: 0,
    },
  },
  'network/ip_address_pool': {
    data: {
      gateway: '',
      mask: 20,
      pop: null,
      pop_software: null,
      center_link_network: null,
      center_network: [
        { router_name: 'c1', note: '', router: pool('100.64.0.0'), software: pool('100.64.16.0') },
        { router_name: 'c2', note: '', router: pool('100.64.32.0'), software: pool('100.64.48.0') },
      ],
      revision: 3,
    },
  },
  'network_fr/config': { data: { mode: 1, data: [{ network_fr_id: 7, shortname: '骨干' }] } },
  'network_fr/ov': { data: AREAS },
}

/** Start values that show other fields than the settings above, by the key of the dialog. */
const STATES: Readonly<Record<string, readonly Omit<FormCase, 'page'>[]>> = {
  defaultRoute: [{ start: { model: 1 } }],
  routing: [{ start: { type: 2 } }],
  diagnose: [{ start: { kind: 'ping' } }, { start: { kind: 'traceroute' } }],
  areas: [{ start: { ov_id_main: 1 } }, { start: { ov_id_main: 1, ov_id_backup: 2 } }],
  prefix: [{ user: ADVANCED }, { handlers: { 'network/prefix': { data: [], count: 0, revision: 5 } } }],
  pointLink: [
    { handlers: { 'network/point_link': { data: { ...REPLIES['network/point_link'].data, linkList: [] } } } },
  ],
  ipPool: [
    {
      handlers: {
        'network/ip_address_pool': {
          data: {
            ...REPLIES['network/ip_address_pool'].data,
            center_link_network: { gateway: '172.31.0.0', mask: 30 },
          },
        },
      },
    },
  ],
}

/** Actions of the network that only show something. */
const WITHOUT_FORM = VERBS.flatMap(({ key, right }) => (right === 'view' ? [key] : []))

const DIALOGS = [...VERBS, ...NETWORK_SETTINGS, ...MEMBER_SETTINGS, ...MEMBER_VERBS]
const subjectOf = (key: string) =>
  members.find(({ router_name }) => router_name === (SUBJECT[key] ?? 'p1')) ?? members[0]!
const SUBJECT: Readonly<Record<string, string>> = { gateway: 'c2', fixedPort: 'c2', softwareMode: 's1@qiming' }

const dialogs = DIALOGS.filter(({ key }) => !WITHOUT_FORM.includes(key)).flatMap(({ key, component }) => {
  const Dialog = component as ComponentType<MemberDialogProps & { readonly subject: string }>
  const props = { info: network.data as unknown as NetworkInfo, member: subjectOf(key), subject: '' }
  const page = () => <Dialog {...props} onSaved={close} onClose={close} />
  return [{}, ...(STATES[key] ?? [])].map(({ handlers = {}, ...state }: Omit<FormCase, 'page'>, i) => {
    const opened: FormCase = { page, handlers: { ...REPLIES, ...handlers }, ...state }
    return [`dialog ${key}${i === 0 ? '' : `, state ${i}`}`, opened] as const
  })
})

const rename = () => fillIn({ 组网名称: '另一个名称' })

export const NETWORK_FORMS = [
  ...dialogs,
  ['new network', { page: () => <NetworkEditPage />, handlers: REPLIES }],
  [
    'members of a network',
    { page: () => <NetworkEditPage />, address: '/page?network_number=N1', handlers: REPLIES, reach: rename },
  ],
  [
    'areas of all members',
    { page: () => <PopEditPage />, address: '/page?network_number=N1', handlers: REPLIES, reach: rename },
  ],
] satisfies readonly (readonly [string, FormCase])[]
