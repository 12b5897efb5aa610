import * as z from 'zod'
import { EXAMPLE } from '#contract/kernel/endpoint.ts'
import {
  codeString,
  displayText,
  dottedString,
  lengthText,
  networkNumber,
  numeric,
  routerName,
  wireBoolean,
} from '#contract/kernel/fields.ts'
import { isAddress, isAligned, isRouted, isUnicast } from '#contract/kernel/ipv4.ts'
import { DEFAULT_ROUTE_METRICS, MASK, NETWORK, OV_PRIORITY, PORT, PREFIX } from './limits.ts'

/* Schemas of a network's settings with the sentences of their rules (network 5). Dialogs and server use the same ones. */

const absent = (value: unknown) => value === '' || value === undefined || value === null
/** Optional field: an empty field of a form is null. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((sent) => (absent(sent) ? null : sent), schema.nullable()).prefault(null)

const textOf = (message: string, isValid: (text: string) => boolean) =>
  dottedString({ error: message }).refine(isValid, message)
const addressOf = (message: string) => textOf(message, isUnicast)
const maskOf = ({ min, max }: { readonly min: number; readonly max: number }) => {
  const message = `掩码取值范围在${min}~${max}`
  return numeric(z.int(message).min(min, message).max(max, message))
}

export const networkTarget = z.object({ network_number: networkNumber })
export const memberTarget = networkTarget.extend({ router_name: routerName })
export const EXAMPLE_MEMBER = { network_number: EXAMPLE.network_number, router_name: EXAMPLE.router_name }
/** Input and example of a call about one network. */
export const ofNetwork = { input: networkTarget, example: { network_number: EXAMPLE.network_number } }

export const settingRevision = numeric(z.int().nonnegative()).optional()

const PORT_RANGE = `设置范围应在${PORT.min}~${PORT.max}之间！`
export const port = numeric(z.int(PORT_RANGE).min(PORT.min, PORT_RANGE).max(PORT.max, PORT_RANGE))
const publicIp = optional(addressOf('请输入正确的公网IP'))
const optionalPort = optional(port)

type PortPair = Readonly<z.output<z.ZodObject<typeof ports>>>
const isFilled = (pair: PortPair) => pair.public_ip !== null || pair.public_port !== null || pair.static_port !== null
const hasAddress = ({ public_ip }: PortPair) => public_ip !== null

/** Requires both ports if `isAsked` says so. */
function requirePorts(pair: PortPair, isAsked: (pair: PortPair) => boolean, issues: z.RefinementCtx): void {
  if (!isAsked(pair)) return
  if (pair.public_port === null) issues.addIssue({ code: 'custom', path: ['public_port'], message: '公网端口不能为空' })
  if (pair.static_port === null) issues.addIssue({ code: 'custom', path: ['static_port'], message: '本地端口不能为空' })
}

const ports = { public_ip: publicIp, public_port: optionalPort, static_port: optionalPort }
/** Address and ports of one service of a centre. Null is the address of the device, and a port of our choice. */
export const servicePorts = z.object(ports).superRefine((pair, issues) => requirePorts(pair, isFilled, issues))
/** Address and ports of the twin-centre link, which may have a port without an address. */
export const linkPorts = z.object(ports).superRefine((pair, issues) => requirePorts(pair, hasAddress, issues))
export type ServicePorts = z.output<typeof servicePorts>
export const NO_PORTS: ServicePorts = { public_ip: null, public_port: null, static_port: null }

export const fixedPortFields = {
  router_service: servicePorts.prefault({}),
  software_service: servicePorts.prefault({}),
}
type FixedPorts = { readonly [K in keyof typeof fixedPortFields]?: PortPair | undefined }

/** Requires two services with different local ports, and different pairs of public address and port. */
export function requireDistinctPorts(pairs: FixedPorts, issues: z.RefinementCtx): void {
  const { router_service: a = NO_PORTS, software_service: b = NO_PORTS } = pairs
  const isTwice = <K extends keyof PortPair>(field: K) => a[field] !== null && a[field] === b[field]
  const fail = (field: keyof PortPair, message: string) =>
    issues.addIssue({ code: 'custom', path: ['software_service', field], message })
  if (isTwice('static_port')) fail('static_port', '硬件服务与软件服务的本地端口不能相同')
  if (isTwice('public_port') && a.public_ip === b.public_ip)
    fail('public_port', '硬件服务与软件服务的公网IP和公网端口不能相同')
}

export const fixedPorts = z.object(fixedPortFields).superRefine(requireDistinctPorts)

export const SEGMENT_REQUIRED = '网段不能为空'
const MISALIGNED = '网段格式设置错误'
const segmentAddress = dottedString({ error: SEGMENT_REQUIRED })
  .min(1, SEGMENT_REQUIRED)
  .refine((text) => text === '' || isUnicast(text), '请输入正确的网段')

/** Requires a network number that fits the mask of the segment. */
export function isAlignedSegment({ gateway, mask }: { gateway: string; mask: number }, issues: z.RefinementCtx): void {
  if (!isAligned(gateway, mask)) issues.addIssue({ code: 'custom', path: ['gateway'], message: MISALIGNED })
}
const segmentOf = (range: { readonly min: number; readonly max: number }) =>
  z
    .object({ gateway: segmentAddress, mask: maskOf(range) })
    .refine(({ gateway, mask }) => isAligned(gateway, mask), { path: ['gateway'], message: MISALIGNED })

/** Segment of a service: hardware or software. */
export const gatewaySegment = segmentOf(MASK.gateway)
/** Segment between two ends. */
export const interlinkFields = { gateway: segmentAddress, mask: maskOf(MASK.interlink) }
export const interlinkSegment = segmentOf(MASK.interlink)
export type SegmentField = z.output<typeof gatewaySegment>

export const centerLinkFields = {
  center_router_name: codeString({ error: '请选择服务端' }).min(1, '请选择服务端').max(64),
  gateway: dottedString().default(''),
  mask: maskOf(MASK.interlink).prefault(MASK.interlinkDefault),
  ...ports,
  enable: numeric(wireBoolean).prefault(1),
}
type CenterLink = z.output<z.ZodObject<typeof centerLinkFields>>
/** Requires a public address or a segment for the twin-centre link. A given segment is always checked. */
export function requireCenterLink(form: CenterLink, issues: z.RefinementCtx): void {
  const fail = (path: string, message: string) => issues.addIssue({ code: 'custom', path: [path], message })
  requirePorts(form, hasAddress, issues)
  if (form.gateway === '' && form.public_ip === null) return fail('gateway', SEGMENT_REQUIRED)
  if (form.gateway === '') return
  if (!isUnicast(form.gateway)) fail('gateway', '请输入正确的网段')
  else if (!isAligned(form.gateway, form.mask)) fail('gateway', MISALIGNED)
}
export const centerLinkForm = z.object(centerLinkFields).superRefine(requireCenterLink)

const prefixName = displayText.max(NETWORK.noteMax, lengthText('名称', NETWORK.noteMax))
const PREFIX_LENGTH = `应满足：掩码 < ge <= le <= ${PREFIX.leMax}`
const prefixLength = numeric(z.int(PREFIX_LENGTH).max(PREFIX.leMax, PREFIX_LENGTH))
const PREFIX_NUMBER = '请输入正确的网络号'
const PREFIX_MASK = `掩码取值范围在${MASK.prefix.min}~${MASK.prefix.max}`
const isPrefixMask = (mask: number) => mask >= MASK.prefix.min && mask <= MASK.prefix.max
const prefixMask = numeric(
  z.int(PREFIX_MASK).refine((mask) => mask === PREFIX.restMask || isPrefixMask(mask), PREFIX_MASK),
)

/** The row 其余允许: permits all that no row before it matches. */
export const isRestRow = ({ ip, mask }: { readonly ip: string; readonly mask: unknown }): boolean =>
  ip === PREFIX.restIp && mask === PREFIX.restMask

/** Row of a prefix list. A number inside the boundary of the mask is aligned, not refused. */
export const prefixRow = z
  .object({
    ip: textOf(PREFIX_NUMBER, (ip) => ip === PREFIX.restIp || isAddress(ip)),
    mask: prefixMask,
    name: prefixName.default(''),
    permission: z.enum(['permit', 'deny']).default('permit'),
    ge: optional(prefixLength),
    le: z.preprocess((sent) => (absent(sent) ? PREFIX.leMax : sent), prefixLength).prefault(PREFIX.leMax),
  })
  .superRefine(({ ip, mask, permission, ge, le }, issues) => {
    if (ip === PREFIX.restIp && !(isRestRow({ ip, mask }) && permission === 'permit'))
      issues.addIssue({ code: 'custom', path: ['ip'], message: PREFIX_NUMBER })
    else if (mask === PREFIX.restMask && ip !== PREFIX.restIp)
      issues.addIssue({ code: 'custom', path: ['mask'], message: PREFIX_MASK })
    if (ge !== null && (ge <= mask || ge > le))
      issues.addIssue({ code: 'custom', path: ['ge'], message: PREFIX_LENGTH })
    if (le < mask && mask <= MASK.prefix.max) issues.addIssue({ code: 'custom', path: ['le'], message: PREFIX_LENGTH })
  })
export type PrefixRow = z.output<typeof prefixRow>
export const prefixRows = z.array(prefixRow).max(PREFIX.rowsMax, `最多添加${PREFIX.rowsMax}条网络号`)

const UNROUTED = '127.0.0.0/8、169.254.0.0/16和224.0.0.0/4内的地址不会被转发，请重新填写'
/** Rows of a form. Stored rows of earlier versions may also lie in addresses that no router forwards. */
export const prefixEntries = prefixRows.superRefine((rows, issues) => {
  for (const [i, { ip, mask }] of rows.entries())
    if (!isRouted(ip, mask)) issues.addIssue({ code: 'custom', path: [i, 'ip'], message: UNROUTED })
})

/** List of rows, for which an empty form sends one empty text. */
const rowsOf = <T extends z.ZodType>(rows: T) => z.preprocess((sent) => (sent === '' ? [] : sent), rows)
export const prefixForm = rowsOf(prefixEntries)
export const prefixView = z.object({
  ip: z.string(),
  mask: z.int(),
  name: z.string(),
  permission: z.enum(['permit', 'deny']),
  ge: z.int().nullable(),
  le: z.int(),
})

const DNS_ADDRESS = '请输入正确的DNS地址'
const DNS_TOO_MANY = `最多添加${NETWORK.dnsMax}个DNS地址`
const dnsAddress = addressOf(DNS_ADDRESS)
/** DNS servers. Their largest number depends on the account (dns_quantity). */
export const dnsList = z
  .array(dnsAddress)
  .max(NETWORK.dnsMax, DNS_TOO_MANY)
  .refine((list) => new Set(list).size === list.length, 'DNS地址不能重复')

/** DNS servers from a form. Empty ones are dropped; sentences name the others by their place in the form. */
export const dnsEntries = z
  .array(dottedString({ error: DNS_ADDRESS }))
  .max(NETWORK.dnsMax, DNS_TOO_MANY)
  .superRefine((list, issues) => {
    list.forEach((text, i) => {
      const isTwice = text !== '' && list.indexOf(text) < i
      const message = text !== '' && !isUnicast(text) ? DNS_ADDRESS : isTwice ? 'DNS地址不能重复' : null
      if (message) issues.addIssue({ code: 'custom', path: [i], message })
    })
  })
  .transform((list) => list.filter((text) => text !== ''))
export const dnsForm = rowsOf(dnsEntries)

export const SAME_ROUTERS = '主路由与备路由不能相同'
/** Routing of two centres. 1: they share the load; 2: a main and a backup router, both required. */
export const routingForm = z
  .object({
    type: numeric(z.union([z.literal(1), z.literal(2)])).prefault(1),
    main_router: codeString().max(64).default(''),
    secondary_router: codeString().max(64).default(''),
  })
  .superRefine(({ type, main_router: main, secondary_router: secondary }, issues) => {
    const fail = (path: string, message: string) => issues.addIssue({ code: 'custom', path: [path], message })
    if (type === 1) return
    if (main === '') fail('main_router', '请选择主路由')
    if (secondary === '') fail('secondary_router', '请选择备路由')
    else if (main === secondary) fail('secondary_router', SAME_ROUTERS)
  })

/** Default route: 0 off, 1 advertise (with a metric), 2 receive. */
export const defaultRouteForm = z
  .object({
    model: numeric(z.union([z.literal(0), z.literal(1), z.literal(2)], '请选择默认路由的模式')),
    metric: optional(numeric(z.union(DEFAULT_ROUTE_METRICS.map((metric) => z.literal(metric))))),
  })
  .superRefine(({ model, metric }, issues) => {
    if ((model === 1) === (metric !== null)) return
    const message = model === 1 ? '请选择优先级' : '仅通告默认路由时可设置优先级'
    issues.addIssue({ code: 'custom', path: ['metric'], message })
  })

/** POP areas of a member; 0 for none. */
export const ovForm = z
  .object({
    ov_id_main: numeric(z.int().nonnegative()).prefault(0),
    ov_id_backup: numeric(z.int().nonnegative()).prefault(0),
    priority: numeric(z.int().min(OV_PRIORITY.min).max(OV_PRIORITY.max)).prefault(OV_PRIORITY.default),
  })
  .superRefine(({ ov_id_main: main, ov_id_backup: backup }, issues) => {
    if (backup === 0) return
    const message = main === backup ? '主备区域不可选择相同的区域！' : main === 0 ? '请先选择主区域' : null
    if (message) issues.addIssue({ code: 'custom', path: ['ov_id_backup'], message })
  })

/** Dial mode of software members: 1 default, 2 prefer centre, 3 prefer POP. */
export const softwareMode = numeric(z.union([z.literal(1), z.literal(2), z.literal(3)]))

const pointLinkRow = interlinkSegment.and(z.object({ router_name: routerName, static_port: optionalPort }))
export type WantedLink = Readonly<z.output<typeof pointLinkRow>>
export const pointLinkRows = z
  .array(pointLinkRow)
  .max(NETWORK.pointLinksMax, `最多添加${NETWORK.pointLinksMax}条互联`)
  .superRefine((rows, issues) => {
    const seen = new Set<string>()
    rows.forEach(({ router_name: name }, i) => {
      const key = name.toLowerCase()
      if (seen.has(key)) issues.addIssue({ code: 'custom', path: [i, 'router_name'], message: '互联的成员不能重复' })
      seen.add(key)
    })
  })

/** Field of a change: a missing one is not changed; null or empty returns to the default. */
export const changeable = <T extends z.ZodType>(schema: T) =>
  z.preprocess((sent) => (sent === '' ? null : sent), schema.nullable()).optional()

const poolEnd = optional(addressOf('请输入正确的IP地址'))
/** Segment of a service with the range of assigned addresses; the whole segment without an end. */
export const poolFields = z
  .object({ gateway: segmentAddress, mask: maskOf(MASK.gateway), start: poolEnd, end: poolEnd })
  .superRefine(({ gateway, mask, start, end }, issues) => {
    if (!isAligned(gateway, mask)) issues.addIssue({ code: 'custom', path: ['gateway'], message: MISALIGNED })
    const missing = start === null ? 'start' : 'end'
    if ((start === null) !== (end === null))
      issues.addIssue({ code: 'custom', path: [missing], message: '请同时填写起始IP和结束IP' })
  })
const centerPool = z.object({
  router_name: routerName,
  router: changeable(poolFields),
  software: changeable(poolFields),
})
export const ipConfigFields = {
  gateway: dottedString().optional(),
  mask: z
    .preprocess((sent) => (absent(sent) ? MASK.gatewayDefault : sent), maskOf(MASK.gateway))
    .prefault(MASK.gatewayDefault),
  pop: changeable(gatewaySegment),
  pop_software: changeable(gatewaySegment),
  center_link_network: changeable(interlinkSegment),
  center_network: z.array(centerPool).max(NETWORK.membersMax).default([]),
}

/** Requires a range of the network that is an aligned segment, or none. */
export function requireRange(
  { gateway, mask }: { readonly gateway?: string | undefined; readonly mask: number },
  issues: z.RefinementCtx,
): void {
  if (gateway === undefined || gateway === '') return
  const message = isUnicast(gateway) ? (isAligned(gateway, mask) ? null : MISALIGNED) : '请输入正确的网段'
  if (message) issues.addIssue({ code: 'custom', path: ['gateway'], message })
}

/** IP config of a network (network 3). */
export const ipConfig = z.object(ipConfigFields).superRefine(requireRange)

/** Segment behind a next hop on the device's LAN. A number inside the boundary of the mask is aligned, not refused. */
const staticRoute = z
  .object({
    prefix: addressOf('请输入正确的网段'),
    mask: maskOf(MASK.prefix),
    via: addressOf('请输入正确的下一跳'),
  })
  .superRefine(({ prefix, mask }, issues) => {
    if (!isRouted(prefix, mask)) issues.addIssue({ code: 'custom', path: ['prefix'], message: UNROUTED })
  })
export type StaticRouteRow = z.output<typeof staticRoute>
export const staticRoutes = z
  .array(staticRoute)
  .max(NETWORK.staticRoutesMax, `最多添加${NETWORK.staticRoutesMax}条静态路由`)
