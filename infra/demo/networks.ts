import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import type { Call } from '#infra/local/api.ts'
import { STORE_DEVICES } from './devices.ts'
import { networkApi } from '#contract/network/index.ts'

/* Networks of the demo with their members and settings. */

/** Network with its members by serial and its settings. */
export interface DemoNetwork {
  readonly name: string
  /** 2: mesh without a centre, whose members link to each other. */
  readonly type?: 2
  readonly center: readonly string[]
  readonly point: readonly string[]
  readonly settings?: readonly DemoSetting[]
}

/** API call that changes a setting of the network after it is created. */
type DemoSetting = (call: Call, network_number: string) => Promise<unknown>

const set =
  <E extends Endpoint>(spec: E, input: Omit<Input<E>, 'network_number'>): DemoSetting =>
  (call, network_number) =>
    call(spec, { ...input, network_number } as Input<E>)

const SHANGHAI = 'NL80C001'
const SUZHOU = 'NL80C002'
const BEIJING = 'NL22P001'
const GUANGZHOU = 'NL22P002'
const CHENGDU = 'NL22P003'
const WUHAN = 'NL22P004'
const XIAN = 'NL22P005'
const QINGDAO = 'NL22P006'
const client = (name: string): string => `${name}@qiming`

/** Network with two centres and settings of every kind. */
export const HEADQUARTERS: DemoNetwork = {
  name: '总部与分支互联',
  center: [SHANGHAI, SUZHOU],
  point: [BEIJING, GUANGZHOU, CHENGDU, WUHAN, XIAN, QINGDAO, client('wang.lei'), client('zhou.min'), client('sun.tao')],
  settings: [
    set(networkApi.editCenterGateway, {
      router_name: SHANGHAI,
      router_network: { gateway: '10.200.0.0', mask: 20 },
      software_network: { gateway: '10.200.16.0', mask: 20 },
    }),
    set(networkApi.editIpAddressPool, {
      gateway: '10.200.0.0',
      mask: 16,
      pack: 1,
      center_network: [
        {
          router_name: SUZHOU,
          router: { gateway: '10.200.32.0', mask: 22, start: '10.200.32.2', end: '10.200.34.254' },
          software: { gateway: '10.200.36.0', mask: 22, start: '10.200.36.2', end: '10.200.38.254' },
        },
      ],
    }),
    set(networkApi.fixedPort, {
      router_name: SHANGHAI,
      router_service: { public_port: 31_194, static_port: 31_194 },
      software_service: { public_port: 31_195, static_port: 31_195 },
    }),
    set(networkApi.centerLink, {
      center_router_name: SHANGHAI,
      gateway: '172.31.255.0',
      mask: 30,
      public_port: 31_196,
      static_port: 31_196,
    }),
    set(networkApi.editRouting, { type: 2, main_router: SHANGHAI, secondary_router: SUZHOU }),
    set(networkApi.editPrefix, {
      prefix: [
        { ip: '10.10.0.0', mask: 16, name: '总部与灾备' },
        { ip: '10.20.0.0', mask: 16, name: '分支', ge: 24, le: 24 },
        { ip: '192.168.0.0', mask: 16, name: '家用网段', permission: 'deny' },
      ],
    }),
    set(networkApi.dns, { dns: ['10.10.0.53', '223.5.5.5'] }),
    set(networkApi.quagga, { router_name: SHANGHAI, enable: 1 }),
    set(networkApi.quagga, { router_name: GUANGZHOU, enable: 1 }),
    set(networkApi.defaultRoute, { router_name: SHANGHAI, model: 1, metric: 30 }),
    set(networkApi.defaultRoute, { router_name: SUZHOU, model: 1, metric: 60 }),
    set(networkApi.defaultRoute, { router_name: BEIJING, model: 2 }),
    set(networkApi.softwareMode, { router_name: client('wang.lei'), mode: 2 }),
    set(networkApi.softwareMode, { router_name: client('zhou.min'), mode: 3 }),
    set(networkApi.editPointLink, {
      router_name: GUANGZHOU,
      link_config: [{ router_name: CHENGDU, gateway: '172.31.254.0', mask: 30, static_port: 24_500 }],
    }),
  ],
}

export const STORES: DemoNetwork = {
  name: '全国门店收银网',
  center: [SHANGHAI, SUZHOU],
  point: [
    ...STORE_DEVICES.map(({ serial }) => serial),
    ...['wang.lei', 'li.na', 'zhang.wei', 'chen.jing', 'liu.yang'].map(client),
  ],
}

/** Mesh network: its members are linked with each other, without a centre. */
export const FACTORY: DemoNetwork = {
  name: '工厂与仓库直连',
  type: 2,
  center: [],
  point: [GUANGZHOU, WUHAN, QINGDAO],
  settings: [
    set(networkApi.ciphers, { ncp_ciphers: 'sm' }),
    set(networkApi.editPointLink, {
      router_name: WUHAN,
      link_config: [
        { router_name: GUANGZHOU, gateway: '172.30.0.0', mask: 30 },
        { router_name: QINGDAO, gateway: '172.30.0.4', mask: 30 },
      ],
    }),
  ],
}

/** Network with POP access; its order is in pop.ts. */
export const RESEARCH: DemoNetwork = {
  name: '研发专网',
  center: [SUZHOU],
  point: [CHENGDU, XIAN, client('zhou.min'), client('liu.yang')],
  settings: [
    set(networkApi.editIpAddressPool, {
      pop: { gateway: '10.210.0.0', mask: 20 },
      pop_software: { gateway: '10.210.64.0', mask: 18 },
    }),
    set(networkApi.dns, { dns: ['10.20.5.53'] }),
  ],
}

export const PORT_STORAGE: DemoNetwork = { name: '港口仓储网', center: ['NL22Y001'], point: ['NL22Y002', 'NL22Y003'] }
