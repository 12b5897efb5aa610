import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { ipNumber } from '#contract/kernel/ipv4.ts'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import {
  toRouting,
  featuresOfDefaultRoute,
  priorityOf,
  checkFeatures,
  checkDns,
  alignPrefixes,
  checkPrefixes,
  gainsAdvanced,
} from '#domain/network/routing/routing.ts'
import { ROUTING_NAME } from '#domain/network/history/setting-words.ts'
import { checkRevision, readNetworkSettings } from '#domain/network/history/stored-settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { saveSettings, type LoadedNetwork, loadSettings } from '../settings.ts'
import { selectMembers, selectNetwork } from '../sql/networks.ts'
import { selectNetworkSettings } from '../sql/settings.ts'
import { toRoutingView } from '../views.ts'
import type { networkApi } from '#contract/network/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { batch } from '#db/batch.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import { type EffectiveRoute, effectiveRoutes, routesTo } from '#domain/network/routing/effective-routes.ts'

/* Endpoints of a network's routing: prefixes, DNS, default and dynamic routes, effective routes (有效路由). */

type Api = typeof networkApi

export async function networkPrefix(ctx: Ctx, { network_number: number }: Parsed<Api['prefix']>) {
  const { networks, settings } = await batch(ctx.db, selectSettings(ctx, number))
  if (networks.length === 0) refuse('NETWORK_NOT_FOUND')
  const { values, revisions } = readNetworkSettings(settings)
  return { data: [...values.prefix], revision: revisions.prefix }
}

export async function networkRouting(ctx: Ctx, { network_number: number }: Parsed<Api['routing']>) {
  const { networks, settings, members } = await batch(ctx.db, {
    ...selectSettings(ctx, number),
    members: selectMembers(ctx.db, requireSession(ctx), number),
  })
  if (networks.length === 0) refuse('NETWORK_NOT_FOUND')
  const { values, revisions } = readNetworkSettings(settings)
  return { ...toRoutingView(values.routing, members), revision: revisions.routing }
}

const selectSettings = (ctx: Ctx, number: string) => ({
  networks: selectNetwork(ctx.db, requireSession(ctx), number),
  settings: selectNetworkSettings(ctx.db, requireSession(ctx), number),
})

export const setDns = (ctx: Ctx, { network_number, dns, revision }: Parsed<Api['dns']>): Promise<void> =>
  saveSettings(ctx, network_number, ({ network, stored, account }) => {
    throwIf(checkRevision(revision, stored.revisions.dns))
    throwIf(checkDns(dns, stored.values.dns, account.dnsQuantity))
    const message = `组网“${network.name}”的DNS${dns.length === 0 ? '已清空' : `改为${dns.join('、')}`}`
    return {
      network: { dns },
      audit: { action: 'dns', message, before: { dns: stored.values.dns }, after: { dns } },
      isAllowedSuspended: dns.length === 0,
    }
  })

export const editPrefix = async (ctx: Ctx, { network_number, prefix: sent, revision }: Parsed<Api['editPrefix']>) => {
  const { rows: prefix, corrected } = alignPrefixes(sent)
  throwIf(checkPrefixes(prefix))
  await saveSettings(ctx, network_number, ({ network, stored, account }) => {
    const before = stored.values.prefix
    throwIf(checkRevision(revision, stored.revisions.prefix))
    if (gainsAdvanced(prefix, before)) throwIf(checkFeatures(account.features, ['quaggaAdvanced']))
    const message = `修改组网“${network.name}”的网络号，共${prefix.length}条`
    return {
      network: { prefix },
      audit: { action: 'edit_prefix', message, before: { prefix: before }, after: { prefix } },
      isAllowedSuspended: prefix.length === 0,
    }
  })
  return corrected.map(({ row, from, to }) => ({ row, old: from, new: to }))
}

export const editRouting = (ctx: Ctx, { network_number, revision, ...form }: Parsed<Api['editRouting']>) =>
  saveSettings(ctx, network_number, ({ network, members, stored }) => {
    const before = stored.values.routing
    throwIf(checkRevision(revision, stored.revisions.routing))
    const { routing: next, refused } = toRouting(form, members, before)
    throwIf(refused)
    const message = `组网“${network.name}”的路由改为${routingText(next, members)}`
    const [old, now] = [toRoutingView(before, members), toRoutingView(next, members)]
    return {
      network: { routing: next },
      audit: { action: 'edit_routing', message, before: old, after: now },
      isAllowedSuspended: next.type === 1,
    }
  })

export const setDefaultRoute = (ctx: Ctx, input: Parsed<Api['defaultRoute']>): Promise<void> =>
  saveSettings(ctx, input.network_number, (loaded) => {
    const { network, storedOf, account } = loaded
    const member = requireKind(loaded, input.router_name, ROUTER_TYPE.hardware)
    const { values, revisions } = storedOf(member.routerId)
    const next = { mode: input.model, metric: input.metric }
    throwIf(checkRevision(input.revision, revisions.default_route))
    throwIf(checkFeatures(account.features, featuresOfDefaultRoute(next)))
    const message = `组网“${network.name}”成员“${labelOf(member)}”的默认路由改为${defaultRouteText(next)}`
    const toWire = ({ mode, metric }: typeof next) => ({ router_name: member.routerName, model: mode, metric })
    return {
      members: { default_route: [{ routerId: member.routerId, value: next }] },
      audit: { action: 'default_route', message, before: toWire(values.default_route), after: toWire(next) },
      isAllowedSuspended: next.mode === 0,
    }
  })

export const setQuagga = (ctx: Ctx, { network_number, router_name, enable, revision }: Parsed<Api['quagga']>) =>
  saveSettings(ctx, network_number, (loaded) => {
    const member = requireKind(loaded, router_name, ROUTER_TYPE.hardware)
    throwIf(checkRevision(revision, loaded.storedOf(member.routerId).revisions.quagga))
    const subject = `成员“${labelOf(member)}”`
    return toQuagga(loaded, { action: 'quagga', subject, members: [member], enable })
  })

export const enableQuagga = (ctx: Ctx, { network_number }: Parsed<Api['quaggaEnable']>): Promise<void> =>
  saveSettings(ctx, network_number, (loaded) => toQuaggaOfAll(loaded, 'quagga_enable', 1))

export const disableQuagga = (ctx: Ctx, { network_number }: Parsed<Api['quaggaDisable']>): Promise<void> =>
  saveSettings(ctx, network_number, (loaded) => toQuaggaOfAll(loaded, 'quagga_disable', 0))

export const setSoftwareMode = (
  ctx: Ctx,
  { network_number, router_name, mode, revision }: Parsed<Api['softwareMode']>,
): Promise<void> =>
  saveSettings(ctx, network_number, (loaded) => {
    const member = requireKind(loaded, router_name, ROUTER_TYPE.software)
    const { values, revisions } = loaded.storedOf(member.routerId)
    throwIf(checkRevision(revision, revisions.software_mode))
    return {
      members: { software_mode: [{ routerId: member.routerId, value: { mode } }] },
      audit: {
        action: 'software_mode',
        message: `修改组网“${loaded.network.name}”成员“${labelOf(member)}”的拨号方式`,
        before: { router_name: member.routerName, mode: values.software_mode.mode },
        after: { router_name: member.routerName, mode },
      },
    }
  })

type LoadedMember = LoadedNetwork['members'][number]

/** A member by name; refused if the setting is not for its type. */
function requireKind({ requireMember }: LoadedNetwork, name: string, routerType: number): LoadedMember {
  const member = requireMember(name)
  if (member.routerType === routerType) return member
  return refuse(routerType === ROUTER_TYPE.hardware ? 'HARDWARE_ONLY' : 'SOFTWARE_ONLY')
}

interface QuaggaChange {
  readonly action: string
  readonly subject: string
  readonly members: readonly LoadedMember[]
  readonly enable: 0 | 1
}

function toQuagga({ network, account }: LoadedNetwork, { action, subject, members, enable }: QuaggaChange) {
  if (enable === 1) throwIf(checkFeatures(account.features, ['quagga']))
  return {
    members: { quagga: members.map(({ routerId }) => ({ routerId, value: { enable } })) },
    audit: {
      action,
      message: `${enable === 1 ? '开启' : '关闭'}组网“${network.name}”${subject}的动态路由`,
      before: { enable: enable === 1 ? 0 : 1 },
      after: { enable, router_name: members.map(({ routerName }) => routerName) },
    },
    isAllowedSuspended: enable === 0,
  }
}

function toQuaggaOfAll(loaded: LoadedNetwork, action: string, enable: 0 | 1) {
  const isOther = ({ routerId, routerType }: LoadedMember) =>
    routerType === ROUTER_TYPE.hardware && loaded.storedOf(routerId).values.quagga.enable !== enable
  return toQuagga(loaded, { action, subject: '全部硬件成员', members: loaded.members.filter(isOther), enable })
}

function routingText({ type, main, secondary }: NetworkSettings['routing'], members: readonly LoadedMember[]): string {
  if (type === 1) return ROUTING_NAME[1]
  const nameOf = (id: number | null) =>
    members
      .filter(({ routerId }) => routerId === id)
      .map(labelOf)
      .join('')
  return `主备，主路由“${nameOf(main)}”，备路由“${nameOf(secondary)}”`
}

function defaultRouteText({ mode, metric }: { readonly mode: 0 | 1 | 2; readonly metric: number | null }): string {
  return mode === 0 ? '关闭' : mode === 2 ? '接收' : `通告，优先级${priorityOf(metric ?? 0)}`
}

/** Effective routes of one hardware router; by default of the first point, else of the first centre. */
export async function readEffectiveRoutes(ctx: Ctx, { network_number, router_name, search }: Parsed<Api['routes']>) {
  const loaded = await loadSettings(ctx, network_number)
  const { rows, members, popNodes } = loaded
  const name = router_name === undefined ? firstName(loaded) : loaded.requireMember(router_name).routerName
  const self = rows.members.find((m) => m.routerName === name)
  if (self === undefined && router_name === undefined) return { data: [], count: 0, router_name: '' }
  if (self?.routerType !== ROUTER_TYPE.hardware) return refuse('HARDWARE_ONLY')
  const notes = new Map([
    ...members.map(({ routerName, note }) => [routerName, note] as const),
    ...popNodes.map(({ routerName, area }) => [routerName, `POP ${area}`] as const),
  ])
  const found = findRoutes(effectiveRoutes(rows, self), search, notes)
  const toRow = ({ prefix, from, via, state, rank, blockedBy }: EffectiveRoute) => ({
    prefix,
    router_name: from,
    router_name_note: notes.get(from) ?? '',
    via,
    via_note: notes.get(via) ?? '',
    state,
    rank,
    blocked_by: blockedBy,
  })
  return { data: found.slice(0, ROWS_MAX).map(toRow), count: found.length, router_name: self.routerName }
}

/** The first hardware point, which sees most; else the first hardware centre. */
function firstName({ members }: LoadedNetwork): string | undefined {
  const hardware = members.filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
  return (hardware.find(({ memberType }) => memberType === 'point') ?? hardware[0])?.routerName
}

/** Searches by an address, or by part of a prefix, a name or a note. */
function findRoutes(routes: readonly EffectiveRoute[], search: string, notes: ReadonlyMap<string, string>) {
  if (ipNumber(search) !== null) return routesTo(routes, search)
  const part = search.toLowerCase()
  const textOf = ({ prefix, from, via }: EffectiveRoute) =>
    [prefix, from, via, notes.get(from), notes.get(via)].join(' ').toLowerCase()
  return part === '' ? routes : routes.filter((route) => textOf(route).includes(part))
}
