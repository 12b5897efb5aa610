import * as z from 'zod'
import { ROUTE_PROTOCOL, RULE_PRIORITIES, TUNNEL_TABLE } from '#infra/agent/drivers/render/policy-rules.ts'

/* Policy rules and static routes in the form in which they are rendered, read from the answers of `ip -N -j`. */

export interface RuleState {
  /** Our rules as they are rendered, without the verb: `pref 100 fwmark 100 lookup main protocol 110`. */
  readonly own: readonly string[]
  /** Priorities in our range that others use. */
  readonly foreign: readonly number[]
}

const MAIN = '254'

const rule = z.looseObject({
  priority: z.int(),
  src: z.string().optional(),
  fwmark: z.string().optional(),
  iif: z.string().optional(),
  table: z.string().optional(),
  suppress_prefixlen: z.int().optional(),
  protocol: z.string().optional(),
})

/** Rules in the form of `ip -N -j -4 rule show`. */
export function parseRules(text: string): RuleState {
  const all = z.array(rule).parse(JSON.parse(text || '[]'))
  const isOwn = ({ protocol }: z.infer<typeof rule>) => protocol === String(ROUTE_PROTOCOL)
  const { first, last } = RULE_PRIORITIES
  return {
    own: all.filter(isOwn).map(toRuleText),
    foreign: all
      .filter((one) => !isOwn(one) && one.priority >= first && one.priority <= last)
      .map((one) => one.priority),
  }
}

function toRuleText({ priority, fwmark, iif, table, suppress_prefixlen: suppress }: z.infer<typeof rule>): string {
  return [
    `pref ${priority}`,
    ...(fwmark === undefined ? [] : [`fwmark ${Number(fwmark)}`]),
    ...(iif === undefined ? [] : [`iif ${iif}`]),
    `lookup ${table === MAIN ? 'main' : table}`,
    ...(suppress === undefined ? [] : [`suppress_prefixlength ${suppress}`]),
    `protocol ${ROUTE_PROTOCOL}`,
  ].join(' ')
}

const routes = z.array(z.looseObject({ dst: z.string(), gateway: z.string().optional(), protocol: z.string() }))

export interface RouteState {
  /** Our static routes as they are rendered: `10.40.0.0/16 via 10.13.1.9`. */
  readonly own: readonly string[]
  /** Number of all routes in the table. */
  readonly count: number
}

/** Routes in the form of `ip -N -j -4 route show table 200`. */
export function parseRoutes(text: string): RouteState {
  const all = routes.parse(JSON.parse(text.trim() || '[]'))
  const own = all.filter(({ protocol }) => protocol === String(ROUTE_PROTOCOL))
  return {
    own: own.map(({ dst, gateway }) => `${dst.includes('/') ? dst : `${dst}/32`} via ${gateway ?? ''}`),
    count: all.length,
  }
}

/** An interface that is down is an empty object. */
const links = z.array(
  z.looseObject({
    ifname: z.string().default(''),
    addr_info: z.array(z.looseObject({ local: z.string(), prefixlen: z.int() })).default([]),
  }),
)

export interface InterfaceAddress {
  readonly name: string
  /** Address and mask length. */
  readonly address: string
}

/** Addresses in the form of `ip -N -j -4 addr show up`. */
export const parseAddresses = (text: string): InterfaceAddress[] =>
  links
    .parse(JSON.parse(text.trim() || '[]'))
    .flatMap(({ ifname, addr_info: addresses }) =>
      addresses.map(({ local, prefixlen }) => ({ name: ifname, address: `${local}/${prefixlen}` })),
    )

/** Lines of a rendered batch after one verb. */
export const linesOf = (batch: string, verb: string): string[] =>
  batch.split('\n').flatMap((line) => (line.startsWith(`${verb} `) ? [line.slice(verb.length + 1)] : []))

/** Tail of a rendered route, which its state leaves out. */
export const ROUTE_TAIL = ` table ${TUNNEL_TABLE} protocol ${ROUTE_PROTOCOL}`
