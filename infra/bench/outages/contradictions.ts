import type { AttentionRow } from '#contract/kernel/health.ts'
import { SUSPECTED_WORD } from '#contract/kernel/states.ts'
import type { AlertRow } from '#contract/monitor/index.ts'
import { POP_AWAY } from '#domain/health/link.ts'
import type { NetworkSample, Sample } from './sample.ts'

/* Contradictions between the pages of one sample: what one page says and another denies. */

interface Contradiction {
  /** Samples have to agree within this time, for their calls do not answer at one moment. */
  readonly patienceS: number
  readonly text: string
}

/** Time in which a change of health reaches all pages. */
const PAGES_S = 6
/** Time in which alerts that belong together are gathered, and a suspicion that is over is cleared. */
const ALERTS_S = 45

export function findContradictions(sample: Sample): readonly Contradiction[] {
  const pages = [
    ...comparePages(sample),
    ...compareOffline(sample),
    ...compareRows(sample),
    ...compareOutages(sample),
    ...comparePops(sample),
  ]
  const alerts = [...compareAlerts(sample), ...findSilentRows(sample), ...compareDirectory(sample)]
  return [
    ...pages.map((text) => ({ patienceS: PAGES_S, text })),
    ...alerts.map((text) => ({ patienceS: ALERTS_S, text })),
  ]
}

/** Contradictions that lasted longer than their patience, each once, with the second in which it began. */
export function listLasting(samples: readonly Sample[]): readonly string[] {
  const begun = new Map<string, number>()
  const lasting = new Map<string, number>()
  for (const sample of samples) {
    const found = findContradictions(sample)
    const texts = new Set(found.map(({ text }) => text))
    for (const text of begun.keys()) if (!texts.has(text)) begun.delete(text)
    for (const { text, patienceS } of found) {
      const since = begun.get(text) ?? sample.at
      begun.set(text, since)
      if (sample.at - since > patienceS && !lasting.has(text)) lasting.set(text, since)
    }
  }
  return [...lasting].map(([text, since]) => `from ${since} s on: ${text}`)
}

const verdictText = (verdict: NetworkSample['overview']): string =>
  `${verdict.state} (${verdict.issues}) ${verdict.cause}`.trim()

/** Overview, list and page of a network say the same. */
const comparePages = ({ networks }: Sample): readonly string[] =>
  networks.flatMap(({ name, overview, list, page }) => {
    const texts = [overview, list, page].flatMap((verdict) => (verdict ? [verdictText(verdict)] : []))
    return new Set(texts).size > 1 ? [`${name}: ${texts.join(' | ')}`] : []
  })

function compareOffline({ status, routers }: Sample): readonly string[] {
  const offline = routers.filter(({ presence }) => presence.state === 'offline').length
  return status.hardware_offline === offline ? [] : [`offline: overview ${status.hardware_offline}, list ${offline}`]
}

const isSuspicion = (text: string): boolean => text.includes(SUSPECTED_WORD)

/** A row about a device says nothing else than the list of devices. */
const compareRows = ({ rows, routers }: Sample): readonly string[] =>
  rows.flatMap(({ target, name, cause }) => {
    const state = routers.find((router) => router.name === target.router_name)?.presence.state
    if (target.type !== 'router' || state === undefined) return []
    const isAway = !isSuspicion(cause) && /离线/u.test(cause.split('→')[0] ?? '')
    if (isSuspicion(cause) && state === 'offline') return [`row “${name} – ${cause}”, list ${state}`]
    return isAway && state !== 'offline' ? [`row “${name} – ${cause}”, list ${state}`] : []
  })

/** Networks that the rows call interrupted: by name, or how many. */
function countOutages(rows: readonly AttentionRow[]): number {
  return rows.reduce((sum, { kind, name, cause, target }) => {
    const [, consequences = ''] = cause.split('→')
    const [, many, names] = /^\s*(?:(\d+) 个组网|([^，]+?))(?<!疑似|POP接入)中断/u.exec(consequences) ?? []
    if (many !== undefined) return sum + Number(many)
    if (names !== undefined) return sum + names.split('、').length
    return sum + (kind === 'network_down' && target.type === 'network' && name !== '' ? 1 : 0)
  }, 0)
}

function compareOutages({ rows, networks }: Sample): readonly string[] {
  const [named, down] = [countOutages(rows), networks.filter(({ overview }) => overview.state === 'down').length]
  return named === down ? [] : [`interrupted networks: rows ${named}, overview ${down}`]
}

/** Networks whose POP access the rows call cut; their own sentences name the node, or the lost centres. */
function comparePops({ rows, networks }: Sample): readonly string[] {
  const cut = rows.filter(({ kind }) => kind === 'pop_offline')
  const isCounted = ({ state, cause }: NetworkSample['overview']) => state === 'down' || cause.includes(POP_AWAY)
  const known = networks.filter(({ overview }) => isCounted(overview))
  const silent = cut.filter(({ cause }) => {
    const [, many, name] = /→ (?:(\d+) 个组网|(.+))的POP接入中断/u.exec(cause) ?? []
    return many === undefined ? known.every((one) => one.name !== name) : known.length < Number(many)
  })
  const unlisted = cut.length > 0 ? [] : networks.filter(({ overview }) => overview.cause.includes(POP_AWAY))
  return [
    ...silent.map(({ name, cause }) => `row “${name} – ${cause}”, network ${networks.map(toSentence).join(' | ')}`),
    ...unlisted.map((one) => `network ${toSentence(one)} without a row`),
  ]
}

const toSentence = ({ name, overview }: NetworkSample): string => `${name}: ${verdictText(overview)}`

/** Consequences of an absence: the part of a row, and of an alert's title, behind the arrow. */
const consequencesOf = (text: string): string => (text.split('→')[1] ?? '').replace(/，\d+个成员随之.*$/u, '').trim()

const OUTAGE_KINDS: ReadonlySet<AttentionRow['kind']> = new Set([
  'network_down',
  'center_offline',
  'suspected',
  'fleet_offline',
  'site_offline',
  'member_offline',
])

/** An open alert about absent members says the same as the row about them. */
const compareAlerts = ({ alerts, rows, routers }: Sample): readonly string[] =>
  alerts
    .filter(({ rule }) => rule === 'router_offline')
    .flatMap((alert) => {
      const router = routers.find(({ name }) => name === alert.router_name)
      const own = rows.find((row) => OUTAGE_KINDS.has(row.kind) && isAbout(row, alert, router?.note))
      if (own === undefined) return [`alert “${alert.title}” without a row`]
      if (isSuspicion(alert.title) !== isSuspicion(own.cause)) return [differenceOf(alert, own)]
      return consequencesOf(alert.title) === consequencesOf(own.cause) ? [] : [differenceOf(alert, own)]
    })

const differenceOf = ({ title }: AlertRow, { name, cause }: AttentionRow): string =>
  `alert “${title}”, row “${name} – ${cause}”`

/** A row of several centres names them all; one of many devices is about each of them. */
const isAbout = ({ name, target }: AttentionRow, alert: AlertRow, note = ''): boolean =>
  target.type === 'members' ||
  (alert.router_name === ''
    ? target.network_number === alert.network_number
    : target.router_name === alert.router_name || name.split('、').some((part) => part.split(' ')[0] === note))

/** An interrupted network, and a lost centre, are an alert. */
const findSilentRows = ({ rows, alerts }: Sample): readonly string[] =>
  rows
    .filter(({ kind, cause }) => OUTAGE_KINDS.has(kind) && /中断|失去冗余/u.test(cause))
    .flatMap(({ name, cause }) =>
      alerts.some(({ rule }) => rule === 'router_offline') ? [] : [`row “${name} – ${cause}” without an alert`],
    )

/** A directory that is an alert is a row. */
const compareDirectory = ({ rows, alerts }: Sample): readonly string[] =>
  alerts
    .filter(({ rule }) => rule === 'directory_sync')
    .flatMap(({ title }) =>
      rows.some(({ target }) => target.type === 'directory') ? [] : [`alert “${title}” without a row`],
    )
