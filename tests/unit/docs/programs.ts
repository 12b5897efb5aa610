import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { parseCheckLine, parseCommandLine, parseDownLine } from '#infra/agent/options.ts'
import { checkOptions, parseOptions } from '#infra/deploy/options.ts'
import { PRINTED } from './shell.ts'
import { faultOfWrangler } from './wrangler.ts'

/* Checks of a command line by the table of its program: the npm scripts, wrangler, the agent, the operator's calls. */

type Words = readonly string[]

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> }

/** Programs of every Unix machine, and those of a router. Their options are not checked. */
const OTHERS: ReadonlySet<string> = new Set(
  'cat cd cp curl date echo git journalctl mkdir mv openssl scp sed systemctl'.split(' '),
)

/** Fault of a command line; null if its program takes it. */
export function faultOf([program = '', ...words]: Words): string | null {
  if (program === 'npm') return faultOfNpm(words)
  if (program === 'npx') return words[0] === 'wrangler' ? faultOfWrangler(words.slice(1)) : 'npx runs wrangler only'
  if (program === 'node') return faultOfNode(words)
  return OTHERS.has(program) ? null : `${program} is no program of a guide`
}

function faultOfNpm(words: Words): string | null {
  const at = words.indexOf('--')
  const [given, args] = at < 0 ? [words, []] : [words.slice(0, at), words.slice(at + 1)]
  const [verb = '', script = verb] = given.filter((word) => word !== '-s')
  if (!['start', 'test', 'run'].includes(verb) || !(script in scripts)) return `no script ${script}`
  if (args.length === 0) return null
  switch (script) {
    case 'ops':
      return faultOfOps(args)
    case 'agent':
      return faultOfAgent(args)
    case 'deploy':
      return faultOfDeploy(args)
    default:
      return null
  }
}

function faultOfDeploy(words: Words): string | null {
  try {
    const options = parseOptions(words)
    return options === null ? 'deploy without an environment' : (checkOptions(options)[0] ?? null)
  } catch (error) {
    return String(error)
  }
}

/** The agent as one file, which is called by Node. */
const faultOfNode = ([file = '', ...words]: Words): string | null =>
  /\bagent(\.\w+)?\.mjs$/.test(file) ? faultOfAgent(words) : `node ${file} is no program of a guide`

function faultOfAgent(words: Words): string | null {
  const [verb, ...options] = words
  try {
    if (verb === 'check') parseCheckLine(options)
    else if (verb === 'down') parseDownLine(options)
    else if (verb !== '--version') parseCommandLine(verb === 'unit' ? options : words)
    return null
  } catch (error) {
    return String(error)
  }
}

/** Commands of `npm run ops` that are no call of their own, or take more than its input. */
const OWN_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  token: ['name', 'scope'],
  'account-export': ['to'],
  status: ['watch'],
}

const kebab = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Call of the operator that the first words name, and the words behind it. */
function findOperatorCall(words: Words): readonly [call: Endpoint, rest: Words] | null {
  const [first = '', second = '', third = ''] = words
  const path = `${first}/${second}`.replaceAll('-', '_')
  const calls = Object.entries<Endpoint>(opsApi)
  for (const [name, length] of [[`${path}_${third}`, 3] as const, [path, 2] as const]) {
    const call = calls.find(([, { path: known }]) => known === name)?.[1]
    if (call) return [call, words.slice(length)]
  }
  const byKey = calls.find(([key]) => kebab(key) === first)?.[1]
  return byKey ? [byKey, words.slice(1)] : null
}

/** Fault of arguments of `npm run ops`. */
export function faultOfOps(words: Words): string | null {
  const [first = '', second = ''] = words
  if (first === '--help' || first === 'self-test' || (first === 'handbook' && second === 'import')) return null
  const found = findOperatorCall(words)
  const own = OWN_OPTIONS[first] ?? []
  if (!found && first !== 'token') return `no command of the operator: ${first} ${second}`
  const [call, rest] = found ?? [null, words.slice(1)]
  const fields = call === null ? {} : fieldsOf(call)
  const faults = rest.flatMap((word, i) => {
    if (!word.startsWith('--')) return []
    const name = word.slice(2).replaceAll('-', '_')
    if (own.includes(name) || name === 'file' || name === 'help') return []
    const field = fields[name]
    return field === undefined
      ? `${first} ${second} has no option ${word}`
      : (faultOfChoice(name, field, rest[i + 1]) ?? [])
  })
  return faults[0] ?? null
}

interface Field {
  readonly enum?: readonly unknown[]
}

/** Fault of a value that is none of the field's. */
const faultOfChoice = (name: string, { enum: choices }: Field, value: string | undefined): string | null =>
  choices === undefined || value === undefined || value === PRINTED || choices.map(String).includes(value)
    ? null
    : `--${name}: ${value} is none of ${choices.join(', ')}`

const fieldsOf = (call: Endpoint): Readonly<Record<string, Field>> =>
  (z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, Field> })
    .properties ?? {}
