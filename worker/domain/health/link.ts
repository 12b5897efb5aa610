import type { OpenedLinks } from '#contract/kernel/health.ts'
import type { LinkState, LinkView, PresenceState } from '#contract/kernel/protocol.ts'
import { NO_ANSWER_REASON, PROBE_WORD } from '#contract/kernel/states.ts'
import type { LinkKind } from '#domain/network/members/links.ts'
import { isPresent } from './member.ts'
import { NOT_PUBLISHED, type PublicAddress, type TunnelDevice, unreachablePairText, unreachableText } from './reach.ts'

/* State of a link from presence and probe reports of both ends; counts of links, and 单中心 (single centre). */

/** One end of a link: presence of its device, and its last report (null: none since its reconnect). */
export interface LinkEnd {
  readonly name: string
  readonly presence: PresenceState
  readonly up: boolean | null
  /** Addresses of a device that runs tunnels. Absent or null: it runs none. */
  readonly tunnels?: TunnelDevice | null
  /** Chosen public address of a server. Absent: none. */
  readonly published?: PublicAddress
  /** The device's own reason of a tunnel that is down; absent without a tunnel, or without a reason. */
  readonly reason?: string | undefined
}

type EvaluatedLink = Pick<LinkView, 'state' | 'reason'>

const MEMBER = '成员'
const CENTER = '中心点'
const END_WORDS = {
  access: { client: MEMBER, server: CENTER },
  center: { client: CENTER, server: CENTER },
  point: { client: MEMBER, server: MEMBER },
  pop: { client: MEMBER, server: 'POP节点' },
} as const satisfies Readonly<Record<LinkKind, object>>
type EndWord = (typeof END_WORDS)[LinkKind]['client' | 'server']

/**
 * A link is up when both ends report it up. A link with an end that never came online is 未开通 (never opened), whatever the
 * other end reports. Links of an offline centre or POP node are unknown, so that they do not all turn red; so are links of
 * a device that was disabled on purpose.
 */
export function toLinkState(client: LinkEnd, server: LinkEnd, kind: LinkKind = 'access'): EvaluatedLink {
  const words = END_WORDS[kind]
  if (server.presence === 'never') return { state: 'never', reason: `${words.server}从未上线` }
  if (client.presence === 'never') return { state: 'never', reason: `${words.client}从未上线` }
  if (!isPresent(server.presence)) return absence(server, words.server)
  if (!isPresent(client.presence)) return absence(client, words.client)
  const { state, reason } = judgeReports(client, server, words)
  return { state, reason: withTunnels(reason, state, { client, server, kind }) }
}

function judgeReports(client: LinkEnd, server: LinkEnd, words: (typeof END_WORDS)[LinkKind]): EvaluatedLink {
  if (client.up === null || server.up === null) return { state: 'unknown', reason: '等待设备上报' }
  if (client.up && server.up) return { state: 'up', reason: '' }
  const cut = cutReason(client, server)
  if (client.up === server.up) return { state: 'down', reason: cut ?? `两端均${PROBE_WORD.lost}` }
  return disagreement(client, server, words, cut)
}

/** Reason of a tunnel that is down, of the client end first; null without one. */
const cutReason = (...ends: readonly LinkEnd[]): string | null =>
  ends.find((end) => end.up === false && end.reason !== undefined)?.reason ?? null

interface Ends {
  readonly client: LinkEnd
  readonly server: LinkEnd
  readonly kind: LinkKind
}

/**
 * Reason of a link with its tunnel in view. Where one end alone runs tunnels the probe judges, and the link says so; where
 * both do, a server that cannot be dialled explains why the link is not up.
 */
function withTunnels(reason: string, state: LinkState, { client, server, kind }: Ends): string {
  const words = END_WORDS[kind]
  const nameOf = (end: LinkEnd) =>
    words.client === words.server ? end.name : end === client ? words.client : words.server
  if (client.tunnels && server.tunnels) {
    const isSettled = state !== 'up' && client.presence !== 'reconnecting' && server.presence !== 'reconnecting'
    const isSilent = client.reason === undefined || client.reason === NO_ANSWER_REASON // another reason was given by the server
    if (!isSettled || !isSilent) return reason
    const unreachable =
      kind === 'point'
        ? unreachablePairText({ ...server.tunnels, name: server.name }, { ...client.tunnels, name: client.name })
        : unreachableText(nameOf(server), kind, server.tunnels, server.published ?? NOT_PUBLISHED)
    return unreachable ?? reason
  }
  if (!client.tunnels && !server.tunnels) return reason
  const note = `${PROBED_WORD}：${nameOf(client.tunnels ? server : client)}的设备不支持隧道`
  return reason === '' ? note : `${reason}；${note}`
}

/** Word for a link whose ends probe each other over the Internet, without a tunnel. */
const PROBED_WORD = '仅探测'

const awayReason = (word: EndWord): string => `${word}离线`
/** Reason of links to a POP node that is offline. */
export const POP_AWAY = awayReason('POP节点')

function absence({ presence }: LinkEnd, word: EndWord): EvaluatedLink {
  if (presence === 'disabled') return { state: 'unknown', reason: `${word}已停用` }
  if (presence === 'unreadable') return { state: 'unknown', reason: `${word}状态未知` }
  return { state: word === MEMBER ? 'down' : 'unknown', reason: awayReason(word) }
}

function disagreement(
  client: LinkEnd,
  server: LinkEnd,
  words: (typeof END_WORDS)[LinkKind],
  cut: string | null,
): EvaluatedLink {
  // A reconnecting device sends no reports, so its last one does not outweigh the other end's.
  if (server.presence === 'reconnecting') return { state: 'unknown', reason: `${words.server}重连中` }
  if (client.presence === 'reconnecting') return { state: 'unknown', reason: `${words.client}重连中` }
  const [end, word] = client.up ? [server, words.server] : [client, words.client]
  // Names distinguish two ends of one kind.
  const which = words.client === words.server ? end.name : word
  return { state: 'one_sided', reason: cut === null ? `${which}${PROBE_WORD.lost}` : `${which}上报：${cut}` }
}

export type LinkCount = Readonly<Record<LinkState, number>>

export const NO_LINKS: LinkCount = { up: 0, down: 0, one_sided: 0, unknown: 0, never: 0 }

export function countLinks(links: readonly { readonly state: LinkState }[]): LinkCount {
  const count = { ...NO_LINKS }
  for (const { state } of links) count[state] += 1
  return count
}

/** States of a link that is known to be broken. */
export const FAULTY_LINKS: ReadonlySet<LinkState> = new Set(['down', 'one_sided'])

/** Most urgent state first. A link that was never opened is last. */
const LINK_ORDER = ['down', 'one_sided', 'unknown', 'up', 'never'] as const satisfies readonly LinkState[]

export const worstLinksFirst = <T extends { readonly state: LinkState }>(links: readonly T[]): readonly T[] =>
  links.toSorted((a, b) => LINK_ORDER.indexOf(a.state) - LINK_ORDER.indexOf(b.state))

/** Counts only links whose ends both came online once, so that devices not yet installed do not lower 2/2. */
export function countOpened({ up, down, one_sided, unknown }: LinkCount): OpenedLinks {
  return { up, unknown, total: up + down + one_sided + unknown }
}

/** True while most of the opened links are unknown. */
export const isMostlyUnknown = ({ unknown, total }: OpenedLinks): boolean => unknown * 2 > total

export interface Path {
  readonly state: LinkState
  readonly center: PresenceState
}

/** True for a path that is known to be lost, but not while it waits for its first reports or its centre is unreadable. */
const isLost = ({ state, center }: Path): boolean =>
  state === 'down' || state === 'one_sided' || (state === 'unknown' && center !== 'unreadable' && !isPresent(center))

/**
 * 单中心: exactly one of two or more paths is up, and the others are lost. A path whose end never came online does not count.
 * A path that waits for reports decides nothing, so that a returning member does not flicker.
 */
export function isSingleCenter(paths: readonly Path[]): boolean {
  const opened = paths.filter(({ state }) => state !== 'never')
  const up = opened.filter(({ state }) => state === 'up')
  return opened.length >= 2 && up.length === 1 && opened.every((path) => path.state === 'up' || isLost(path))
}
