import { DatabaseSync } from 'node:sqlite'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { unstable_readConfig as readConfig } from 'wrangler'
import { RUNBOOKS } from '#contract/ops/endpoints/status.ts'
import { toIndicators } from '#domain/ops/status.ts'
import { listFiles } from '#tests/support/source-files.ts'
import { type Block, type CodeSpan, type Guide, anchorOf, fillMarks, marksOf, readGuide } from './guide.ts'
import { faultOf, faultOfOps } from './programs.ts'
import { listCommands } from './shell.ts'
import { VALUES } from './values.ts'

/* Checks of the operator's guides against the code. Each lists what a guide names and the code does not have. */

const code = ['worker', 'durable', 'web', 'infra'].flatMap((folder) => listFiles(folder, /\.(tsx?|mjs)$/))
export const SOURCE = code.map((file) => readFileSync(file, 'utf8')).join('\n')
const NAMES = new Set(SOURCE.match(/\b[A-Z][A-Z0-9_]+\b/g))
/** Words that a flag may be of: `secrets-file`, `network_fr_id`, `isFull`. */
const WORDS = new Set((SOURCE.match(/\b[a-z][\w-]+/g) ?? []).map((word) => word.replaceAll('-', '_')))
const HANDBOOK = listFiles('infra/docs/handbook', /\.md$/).map((file) => readFileSync(file, 'utf8'))
const CHINESE = new Set([SOURCE, ...HANDBOOK].join('\n').match(/\p{Script=Han}+/gu))

type Guides = readonly Guide[]
type Place = Pick<Block, 'document' | 'line'>
const at = ({ document, line }: Place, fault: string): string => `${document}:${line}: ${fault}`

/** Code of the text, and blocks that are no commands. */
const textsOf = (guides: Guides): readonly (Block | CodeSpan)[] =>
  guides.flatMap(({ spans, blocks }) => [...spans, ...blocks.filter(({ language }) => language !== 'sh')])

/** Marks that no table explains: that of deploy.md, the first guide, or the guide's own. */
export const unknownMarks = (guides: Guides): readonly string[] =>
  guides.flatMap(({ name, text, marks }) =>
    marksOf(text).flatMap((mark) => (marks.has(mark) || guides[0]?.marks.has(mark) ? [] : [`${name}: <${mark}>`])),
  )

/** Gaps in commands that are no marks. */
export function otherGaps(guides: Guides): readonly string[] {
  const gap = /…|<[a-z][\w ]*>|\bexample\.(com|org|net)\b/
  const commands = guides.flatMap(({ blocks, spans }) => [...blocks, ...spans.filter(isCommand)])
  return commands.flatMap((command) => (gap.test(command.text) ? [at(command, command.text)] : []))
}

const isCommand = ({ text }: { readonly text: string }): boolean =>
  /^(npm|npx|node|curl|git|scp|openssl|systemctl) /.test(text)

/** Section whose commands stand behind `npm run ops --`, as it says. */
const BEHIND_OPS = "The operator's commands"

/** Command lines that their program would refuse; `count`: of those that were read. */
export function commandFaults(guides: Guides): { readonly faults: readonly string[]; readonly count: number } {
  const scripts = guides.flatMap(({ blocks, spans }) => [
    ...blocks.filter(({ language }) => language === 'sh'),
    ...spans.filter(isCommand),
  ])
  const isCall = ({ text, headings }: CodeSpan) =>
    headings.includes(BEHIND_OPS) && / --|^[a-z-]+ [a-z_-]+$/.test(text) && !text.startsWith('--')
  const calls = guides.flatMap(({ spans }) => spans.filter((span) => isCall(span) && !isCommand(span)))
  const lines = listCommands([...scripts, ...calls].map(({ text }) => fillMarks(text, VALUES)))
  const faultsOf = (places: readonly Place[], from: number, check: (words: readonly string[]) => string | null) =>
    places.flatMap((place, i) =>
      (lines[from + i] ?? []).flatMap((words) => {
        const fault = check(words)
        return fault === null ? [] : [at(place, fault)]
      }),
    )
  const faults = [...faultsOf(scripts, 0, faultOf), ...faultsOf(calls, scripts.length, faultOfOps)]
  return { faults, count: lines.flat().length }
}

/** Flags that stand alone in the text and in no source. */
export const unknownFlags = (guides: Guides): readonly string[] =>
  guides.flatMap(({ spans }) =>
    spans.flatMap((span) => {
      const [, name] = /^--([\w-]+)/.exec(span.text) ?? []
      const isKnown = name === undefined || WORDS.has(name.replaceAll('-', '_'))
      return isKnown ? [] : [at(span, span.text)]
    }),
  )

/** Names of other programs, and templates of a vendor. */
const OUTSIDE: readonly string[] = ['CLOUDFLARE_ACCOUNT_ID', 'SMS_1001', 'SMS_1002', 'SMS_1003']

/** Names of settings, secrets, bindings and refusals that the code does not have. */
export function unknownNames(guides: Guides): readonly string[] {
  const { ratelimits, durable_objects } = readConfig({ config: 'wrangler.toml', env: 'production' })
  const bound: readonly { readonly name: string }[] = [...ratelimits, ...durable_objects.bindings]
  const marks = new Set(guides.flatMap(({ text }) => marksOf(text)))
  const named = textsOf(guides).flatMap(({ text }) => text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [])
  return [...new Set(named)].filter(
    (name) => !marks.has(name) && !NAMES.has(name) && ![...OUTSIDE, ...bound.map((one) => one.name)].includes(name),
  )
}

/** Variables of local runs, and those by which fakes of vendors are reached. */
const OF_LOCAL_RUNS =
  /^(OPEN_TO_OTHERS|CONFIRM_S|BENCH_WRITES|LOCAL_\w+|(WECOM|FEISHU|DINGTALK)_(APP|LOGIN|OAUTH|MEMBERS)_BASE_URL)$/

/** Variables and secrets of the Worker that no guide explains. */
export function unexplainedVariables(guides: Guides): readonly string[] {
  const text = guides.map((guide) => guide.text).join('\n')
  const all = readFileSync('worker/env.d.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+)\??: (?:string|'local')/gm)
  return [...all]
    .map(([, name = '']) => name)
    .filter((name) => !OF_LOCAL_RUNS.test(name) && !text.includes(`\`${name}\``))
}

/** The product's name in examples, and the name of a service that an operator chooses. */
const OURS: readonly string[] = ['织联', '标准服务']

/** Chinese words that are neither the product's nor the handbook's. */
export const unknownWords = (guides: Guides): readonly string[] =>
  guides
    .flatMap(({ text }) => text.replaceAll(/```[\s\S]*?```/g, '').match(/\p{Script=Han}+/gu) ?? [])
    .filter((word) => !CHINESE.has(word) && !OURS.includes(word))

/** Links to a heading that does not exist, in all documents. */
export function deadAnchors(guides: Guides): readonly string[] {
  const given = new Map(guides.map((guide) => [guide.name, guide]))
  const names = listFiles('infra/docs', /^[\w-]+\.md$/).map((file) => basename(file))
  const documents = names.map((name) => given.get(name) ?? readGuide(name))
  const anchors = new Map(documents.map(({ name, headings }) => [name, headings.map(anchorOf)]))
  const readme = { name: 'README.md', text: readFileSync('README.md', 'utf8') }
  return [...documents, readme].flatMap(({ name, text }) =>
    [...text.matchAll(/\]\((?!https?:)([\w./-]*)#([^)]+)\)/g)].flatMap(([, path = '', anchor = '']) => {
      const known = anchors.get(path === '' ? name : basename(path))
      const isThere = known === undefined || known.includes(anchor)
      return isThere ? [] : [`${name}: ${path}#${anchor}`]
    }),
  )
}

/** Paths of the repository that do not exist. */
export const missingPaths = (guides: Guides): readonly string[] =>
  textsOf(guides).flatMap((place) =>
    (place.text.match(/(?<![\w./~-])(?:worker|durable|web|infra|migrations|tests)\/[\w./-]+\w/g) ?? []).flatMap(
      (path) => (existsSync(path) ? [] : [at(place, path)]),
    ),
  )

/** Blocks that change a file, or run on a router, and whose last sentence does not say so. */
export const silentBlocks = (guides: Guides): readonly string[] =>
  guides
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => {
      const { target, before } = block
      const isSaid =
        target === '' || (target === 'device' ? /\b[Oo]n the (router|device)\b/.test(before) : before.includes(target))
      return isSaid ? [] : [at(block, target)]
    })

/** Statements of SQL that the schema refuses. */
export function wrongStatements(guides: Guides): readonly string[] {
  const database = new DatabaseSync(':memory:')
  for (const file of listFiles('migrations', /\.sql$/)) database.exec(readFileSync(file, 'utf8'))
  return guides.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      [...block.text.matchAll(/--command "([^"]+)"/g)].flatMap(([, statement = '']) => {
        try {
          database.prepare(statement)
          return []
        } catch (error) {
          return [at(block, String(error))]
        }
      }),
    ),
  )
}

const PARTS = ['**Symptom.**', '**Customers see**', '**First command', '**Decide', '**Commands', '**Over** when']

/** Runbooks that are missing, or that lack a part or have it in another order. */
export function wrongRunbooks(text: string): readonly string[] {
  const sections = text.split(/^### /m).map((section) => [anchorOf(section.split('\n')[0] ?? ''), section] as const)
  return RUNBOOKS.filter((anchor) => {
    const section = sections.find(([name]) => name === anchor)?.[1] ?? ''
    const places = PARTS.map((part) => section.indexOf(part))
    return places.some((place, i) => place < 0 || place < (places[i - 1] ?? 0))
  })
}

/** Lines of the status whose row in the table of a text lacks its runbook or a number of its threshold. */
export const wrongStatusRows = (text: string): readonly string[] =>
  toIndicators({
    now: 0,
    database: { ms: 0, fault: null },
    rows: null,
    counters: 'unbound',
    probeFault: null,
  }).flatMap(({ name, runbook, threshold }) => {
    const row = new RegExp(`^\\| \`${name}\` \\|.*\\(#${runbook}\\) \\|$`, 'm').exec(text)?.[0] ?? ''
    const numbers = threshold.match(/\d+/g) ?? []
    return row !== '' && numbers.every((number) => new RegExp(`\\b${number}\\b`).test(row))
      ? []
      : [`${name}: ${threshold}`]
  })
