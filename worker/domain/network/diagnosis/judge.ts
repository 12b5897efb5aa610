import type { QuestionAnswer } from '#contract/device/questions.ts'
import type { DiagnosisStep, DiagnosisVerdict, Intended, PlannedHop } from '#contract/network/diagnosis.ts'
import { DEFAULT_PREFIX } from '../routing/effective-routes.ts'
import { LAN_DOWN, NOT_ANNOUNCED, NOT_CHOSEN, NO_DEFAULT, tunnelDown } from '../routing/route-reasons.ts'
import { peerOfLink } from '../members/links.ts'

/* Compares what the rows intend a router to do with a packet with what the router answers, in words. */

type RouteAnswer = QuestionAnswer<'route'>

export interface HopFacts {
  readonly destination: string
  readonly labelOf: (routerName: string) => string
  /** Reason of a link that is down; null for others. */
  readonly downReason: (linkId: string) => string | null
}

export interface Judged {
  readonly step: DiagnosisStep
  /** Null while the packet goes on, and at its end. */
  readonly verdict: DiagnosisVerdict | null
  /** Next router, and the link to it; null at the end. */
  readonly next: { readonly name: string; readonly link: string } | null
  /** True if the route is missing and no link explains it. */
  readonly isUnannounced: boolean
}

const LOCAL = { lan: '送达本地网段', self: '送达本机', software: '送达软件成员' } as const
const NO_ROUTE = '没有路由'
const WAN = '互联网出口'
const OTHER = '其他组网'
const NO_SESSION = '路由会话未建立'
const NOT_DELIVERED = `${LAN_DOWN}，或设备未声明该网段`

export function intendedText(intended: Intended, prefix: string | null, labelOf: HopFacts['labelOf']): string {
  if ('none' in intended) return NO_ROUTE
  if ('wan' in intended) return `经由${WAN}`
  if ('local' in intended) return intended.local === 'lan' ? `${LOCAL.lan}${prefix ?? ''}` : LOCAL[intended.local]
  return `经由${intended.links.map(({ peer }) => labelOf(peer)).join('或')}`
}

export function actualText(via: RouteAnswer['via'], routerName: string, labelOf: HopFacts['labelOf']): string {
  if (via === null) return NO_ROUTE
  if ('wan' in via) return `经由${WAN}`
  if ('other' in via) return `经由${OTHER}`
  return 'local' in via ? LOCAL[via.local] : `经由${labelOf(peerOfLink(via.link, routerName))}`
}

export function judgeHop(hop: PlannedHop, answer: RouteAnswer, facts: HopFacts): Judged {
  const { name, label, intended, prefix } = hop
  const { via } = answer
  const difference = differenceOf(hop, answer, facts)
  const isEqual = difference === null
  const actual = actualText(via, name, facts.labelOf)
  const evidence = difference ?? evidenceOf(hop, answer, facts)
  const text = intendedText(intended, prefix, facts.labelOf)
  const step = {
    router_name: name,
    label,
    intended: text,
    actual,
    evidence,
    ok: isEqual ? 1 : 0,
    rtt_ms: null,
  } as const
  const link = via && 'link' in via ? via.link : null
  return {
    step,
    verdict: isEqual ? null : { ok: 0, text: verdictText(hop, text, actual, evidence, facts.destination) },
    next: isEqual && link !== null ? { name: peerOfLink(link, name), link } : null,
    isUnannounced: difference === NOT_ANNOUNCED,
  }
}

function verdictText({ label, intended }: PlannedHop, text: string, actual: string, why: string, to: string): string {
  if ('none' in intended) return noRouteText(label, to, why)
  const tail = why === '' ? '' : `：${why}`
  return text === actual ? `${label} 应${text}，但${why}` : `${label} 应${text}，实际${actual}${tail}`
}

export const noRouteText = (label: string, destination: string, reason: string): string =>
  `${label} 没有到 ${destination} 的路由：${reason}`

/** Cause of the first difference; null without one. */
function differenceOf({ intended, prefix }: PlannedHop, answer: RouteAnswer, facts: HopFacts): string | null {
  if ('none' in intended) return intended.none
  if ('links' in intended) return linkDifference(intended.links, prefix, answer, facts)
  const { via } = answer
  if ('wan' in intended) return via && 'wan' in via ? null : ''
  if (via && 'local' in via && via.local === intended.local) return null
  return intended.local === 'lan' ? NOT_DELIVERED : ''
}

function linkDifference(
  links: readonly { readonly id: string }[],
  prefix: string | null,
  { via, session, tunnel }: RouteAnswer,
  { downReason }: HopFacts,
): string | null {
  const used = via && 'link' in via ? via.link : null
  if (links.some(({ id }) => id === used)) {
    if (tunnel !== '') return tunnelDown(tunnel)
    return session === 'down' ? NO_SESSION : null
  }
  const [down] = links.flatMap(({ id }) => downReason(id) ?? [])
  if (down !== undefined) return tunnelDown(down)
  if (used !== null) return NOT_CHOSEN
  return prefix === DEFAULT_PREFIX ? NO_DEFAULT : NOT_ANNOUNCED
}

/** Evidence of a hop that is as intended. */
function evidenceOf({ origin, prefix }: PlannedHop, { session, prefix: found }: RouteAnswer, facts: HopFacts): string {
  const shown = found ?? prefix ?? ''
  const source = origin === null ? '' : `路由来自${facts.labelOf(origin)}`
  const state = session === 'up' ? '隧道与路由会话正常' : ''
  return [source, shown, state].filter(Boolean).join('，')
}
