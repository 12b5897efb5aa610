import { isInside } from '#domain/network/addresses/segments.ts'
import { TUNNEL_TABLE } from '#infra/agent/drivers/render/policy-rules.ts'
import type { Rendering, Step } from '../tool.ts'
import { type InterfaceAddress, ROUTE_TAIL, type RouteState, type RuleState, linesOf } from './rules.ts'
import { NEEDED, type Sysctls, planSysctls } from './sysctls.ts'

/* Plan of policy rules, static LAN routes and kernel settings. */

const FILE = 'ip/netloom.ip'

export interface IpWanted {
  /** Rules and static routes as they are rendered; null: of a device without tunnels. */
  readonly batch: { readonly rules: readonly string[]; readonly routes: readonly string[] } | null
  readonly lan: readonly string[]
}

export interface IpObserved {
  readonly rules: RuleState
  readonly routes: RouteState
  readonly addresses: readonly InterfaceAddress[]
  readonly sysctls: Sysctls
  /** Values before this driver changed them. */
  readonly recorded: Sysctls
}

export interface IpStep extends Step {
  /** Argument lists of ip, in order. */
  readonly commands: readonly (readonly string[])[]
  readonly sysctls: Sysctls
  /** True for the values from before this driver. */
  readonly isRestoring: boolean
}

export function toWanted(rendering: Rendering | null): IpWanted {
  const text = rendering?.files.get(FILE) ?? null
  const routes = linesOf(text ?? '', 'route replace').map((line) => line.replace(ROUTE_TAIL, ''))
  return {
    batch: text === null ? null : { rules: linesOf(text, 'rule add'), routes },
    lan: rendering?.target.lan ?? [],
  }
}

export function toSettled({ batch, lan }: IpWanted): IpObserved {
  const { rules = [], routes = [] } = batch ?? {}
  return {
    rules: { own: rules, foreign: [] },
    routes: { own: routes, count: routes.length },
    addresses: routes.map((route) => ({ name: lan[0] ?? '', address: `${nextHop(route)}/32` })),
    sysctls: batch === null ? new Map() : NEEDED,
    recorded: new Map(),
  }
}

const ofDevice = { networks: [], reconnects: [] } as const
const toArgs = (verb: string, line: string): string[] => `${verb} ${line}`.split(' ')

export function planIp(observed: IpObserved, wanted: IpWanted): readonly IpStep[] {
  const step = wanted.batch === null ? clearDevice(observed) : change(observed, wanted, wanted.batch)
  return step.commands.length + step.sysctls.size === 0 ? [] : [step]
}

/** Rules that come are added before others go, so that no packet meets neither. */
function change(observed: IpObserved, wanted: IpWanted, batch: NonNullable<IpWanted['batch']>): IpStep {
  const { rules, routes, addresses, sysctls } = observed
  const isReachable = (route: string) =>
    addresses.some((one) => wanted.lan.includes(one.name) && isInside(`${nextHop(route)}/32`, one.address))
  return {
    ...ofDevice,
    phase: 'rules',
    commands: [
      ...missing(batch.rules, rules.own).map((line) => toArgs('rule add', line)),
      ...missing(rules.own, batch.rules).map((line) => toArgs('rule del', line)),
      ...missing(routes.own, batch.routes).map((line) => toArgs('route del', `${line}${ROUTE_TAIL}`)),
      ...missing(batch.routes, routes.own)
        .filter(isReachable) // else the kernel refuses it: the LAN's interface is down, and a later plan adds it
        .map((line) => toArgs('route replace', `${line}${ROUTE_TAIL}`)),
    ],
    sysctls: planSysctls(sysctls, wanted.lan),
    isRestoring: false,
  }
}

/** Takes everything off, and last: routes of a daemon that was killed are still in the table. */
function clearDevice({ rules, routes, recorded, sysctls }: IpObserved): IpStep {
  return {
    ...ofDevice,
    phase: 'rates',
    commands: [
      ...rules.own.map((line) => toArgs('rule del', line)),
      ...(routes.count > 0 ? [['-4', 'route', 'flush', 'table', String(TUNNEL_TABLE)]] : []),
    ],
    sysctls: new Map([...recorded].filter(([path]) => sysctls.has(path))),
    isRestoring: true,
  }
}

/** Items of `list` beyond those of `other`; a repeated one counts as often as it stands. */
function missing(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other]
  return list.filter((item) => {
    const index = left.indexOf(item)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

const nextHop = (route: string): string => route.split(' via ')[1] ?? ''

/** Sentence for a device on which somebody else has a rule in our range. */
export function ruleProblem({ foreign }: RuleState, { batch }: IpWanted): string | null {
  const [priority] = foreign
  return batch === null || priority === undefined ? null : `策略路由优先级${priority}已被本设备的其他程序占用`
}
