import { NETWORK_HEALTH_WORD, PRESENCE_WORD } from '#contract/kernel/states.ts'
import { SEVERITY_WORD } from '#contract/monitor/alert.ts'
import type { OutageRecord } from './outages.ts'
import type { Sample } from './sample.ts'

/* Table of a run, in Markdown: what the pages said at some moments of each outage. */

const MOMENTS_S = [10, 30, 75] as const

export const outageTable = (records: readonly OutageRecord[]): string =>
  `# Outages\n\n${records.map(toSection).join('\n')}`

function toSection({ outage, during, after, contradictions, failure }: OutageRecord): string {
  const moments: readonly (readonly [name: string, sample: Sample | undefined])[] = [
    ...MOMENTS_S.map((seconds) => [`${seconds} s`, during.find(({ at }) => at >= seconds)] as const),
    ['end', during.at(-1)],
    ['recovery', after.at(-1)],
  ]
  const most = Math.max(0, ...[...during, ...after].map(({ rows }) => rows.length))
  const named = during.find(({ rows }) => rows.length > 0)
  const lines = moments.flatMap(([name, sample]) => (sample ? [toLine(name, sample)] : []))
  const notes = [
    named ? `First row after ${named.at} s, at most ${most}.` : 'No row.',
    `Rows in their order: ${listChanges([...during, ...after])}`,
    ...(failure === null ? [] : [`Failed: ${failure}`]),
    ...(contradictions.length === 0 ? ['No contradiction.'] : contradictions.map((text) => `Contradiction ${text}`)),
  ]
  const head = '| at | 待处理 | networks | alerts | list |\n| --- | --- | --- | --- | --- |'
  return `## ${outage.name}\n\n${head}\n${lines.join('\n')}\n\n${notes.map((note) => `- ${note}`).join('\n')}\n`
}

function toLine(name: string, { at, rows, networks, alerts, alertCount, routers }: Sample): string {
  const presences = Map.groupBy(routers, ({ presence }) => presence.state)
  const cells = [
    `${name} (${at} s)`,
    rows.map(rowText),
    networks.map(({ name: network, overview: { state, issues, cause } }) => {
      const count = state === 'partial' ? ` (${issues})` : ''
      return `${network}：${NETWORK_HEALTH_WORD[state]}${count} ${cause}`.trim()
    }),
    [
      ...alerts.map(({ severity, title, reason }) => `${SEVERITY_WORD[severity]} ${title}（${reason}）`),
      `${alertCount} in all`,
    ],
    [...presences].map(([state, some]) => `${PRESENCE_WORD[state]} ${some.length}`),
  ]
  return `| ${cells.map((cell) => (typeof cell === 'string' ? cell : cell.join('<br>')).replaceAll('|', '/')).join(' | ')} |`
}

const rowText = ({ level, name, cause }: Sample['rows'][number]): string =>
  `${level === 'bad' ? '●' : '○'} ${name} – ${cause}`

/** Each set of rows with the second in which it appeared. */
function listChanges(samples: readonly Sample[]): string {
  let shown = ''
  return samples
    .flatMap(({ at, rows }) => {
      const text = rows.map(rowText).join('；') || 'none'
      if (text === shown) return []
      shown = text
      return [`${at} s ${text}`]
    })
    .join(' → ')
}
