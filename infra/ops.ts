import { openAsBlob, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Endpoint, type Input, type Output, bodyKinds, maxBytes } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { messageOfError } from './agent/log.ts'
import { exportAccount } from './local/account-export.ts'
import { callEndpoint, fetchFile } from './local/api.ts'
import { importHandbook } from './local/handbook.ts'
import { createOperatorToken } from './local/operator-token.ts'
import { stop } from './local/processes.ts'
import { isPassed, runSelfTest, toReport } from './local/self-test.ts'
import { toStatusReport, watchStatus } from './local/status-report.ts'
import { sha256Of } from './local/publish-agent.ts'
import { runningUrl } from './local/run-lock.ts'
import { localSecrets } from './local/secrets.ts'

/**
 * The operator's command line: every call of contract/ops/index.ts as `npm run ops -- <command> --field value …`.
 * NETLOOM_URL and OPERATOR_TOKEN (any valid token) name another installation; the default is the local one.
 */
const commands = new Map<string, Endpoint>(Object.entries(opsApi).map(([key, spec]) => [kebab(key), spec]))

/** Pause of `status --watch`. */
const WATCH_MS = 10_000

const [first = '', ...others] = process.argv.slice(2)
const asPath = `${first}/${others[0]}`.replaceAll('-', '_') // `hubs refresh`, `network-ticket start`
const [byPath, words] = findByPath()
const [name, args] = byPath ? [[first, ...others.slice(0, words)].join(' '), others.slice(words)] : [first, others]
const spec = byPath ?? commands.get(name)
const fail = (error: unknown) => stop(messageOfError(error))
if (asPath === 'handbook/import' && others[1]?.startsWith('--') === false)
  process.stdout.write(`${await importHandbook(others[1], call).catch(fail)}\n`)
else if (spec === opsApi.accountExport && args.includes('--to')) await printExport()
else if (name === 'token') await printToken()
else if (name === 'self-test' && args.length === 0) await printSelfTest()
else if (spec === opsApi.status && !args.includes('--help')) await printStatus()
else if (!spec) usage(name === '' || name === '--help' ? 0 : 1)
else if (args.includes('--help')) describe(name, spec)
else await execute(spec)

/** Call whose path the first words name, and their number without the noun: `hubs refresh`, `hubs hold on`. */
function findByPath(): readonly [spec: Endpoint | undefined, words: number] {
  const found = [asPath, `${asPath}_${others[1]}`].map((path) =>
    Object.values<Endpoint>(opsApi).find((endpoint) => endpoint.path === path),
  )
  return found[0] ? [found[0], 1] : [found[1], 2]
}

/** Prints a new token, which this machine does not keep, and the entry by which the Worker knows it. */
async function printToken(): Promise<void> {
  const { token, entry } = await createOperatorToken(args).catch(fail)
  process.stdout.write(`token: ${token}\nadd to OPERATOR_TOKENS: ${entry}\n`)
}

/** Writes an account to a folder of this machine: `account-export --account company01 --to company01`. */
async function printExport(): Promise<void> {
  const [, to = ''] = args.splice(args.indexOf('--to'), 2)
  const { account } = opsApi.accountExport.input.parse(parseInput(opsApi.accountExport, args))
  const file = (key: string) =>
    fetchFile(runningUrl(), '/ops/v1', opsApi.accountExportFile, { account, key }, operatorToken())
  const line = (text: string) => void process.stdout.write(`${text}\n`)
  await exportAccount({ account, to, call, file, line }).catch(fail)
}

/** Prints each check; fails if one of them did. */
async function printSelfTest(): Promise<void> {
  const result = await runSelfTest(runningUrl(), operatorToken())
  process.stdout.write(`${toReport(result)}\n`)
  if (!isPassed(result)) process.exit(1)
}

/** Prints the status, with --watch every ten seconds; exits with 1 if something is bad. */
async function printStatus(): Promise<void> {
  const line = (text: string) => void process.stdout.write(`${text}\n`)
  const isWatched = args.includes('--watch')
  const input = opsApi.status.input.parse(
    parseInput(
      opsApi.status,
      args.filter((word) => word !== '--watch'),
    ),
  )
  const read = () => call(opsApi.status, input)
  if (isWatched) await watchStatus({ read, print: line, pause: () => pause(WATCH_MS) })
  const status = await read().catch(fail)
  line(toStatusReport(status))
  if (status.level === 'bad') process.exit(1)
}

function operatorToken(): string {
  return process.env['OPERATOR_TOKEN'] ?? localSecrets().OPERATOR_TOKEN
}

async function execute(endpoint: Endpoint): Promise<void> {
  const path = isStream(endpoint) ? takeFile(endpoint, args) : undefined
  const given = path === undefined ? {} : { name: basename(path), sha256: await sha256Of(path) }
  const file = path === undefined ? undefined : openAsBlob(path) // its bytes are read while they are sent
  const parsed = endpoint.input.safeParse({ ...given, ...parseInput(endpoint, args) })
  if (!parsed.success)
    return stop(parsed.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`).join('\n'))
  for (let input = parsed.data as Readonly<Record<string, unknown>> | null; input;) {
    const data = await call(endpoint, input as never, file).catch(fail)
    process.stdout.write(`${JSON.stringify(data ?? 'ok', null, 2)}\n`)
    input = nextPage(data, input)
  }
}

async function call<E extends Endpoint>(endpoint: E, input: Input<E>, file?: Promise<Blob>): Promise<Output<E>> {
  return callEndpoint(runningUrl(), '/ops/v1', endpoint, input, operatorToken(), undefined, await file)
}

function isStream(endpoint: Endpoint): boolean {
  return bodyKinds(endpoint)[0] === 'stream'
}

/** Takes `--file <path>` out of the arguments. Refuses a file that is too large: the server would cut the connection. */
function takeFile(endpoint: Endpoint, words: string[]): string {
  const [, path] = words.splice(words.indexOf('--file'), words.includes('--file') ? 2 : 0)
  const bytes = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size
  if (path === undefined || bytes === undefined) return stop('--file: needs the path of a file')
  const max = maxBytes(endpoint)
  return bytes > max ? stop(`--file: ${bytes} bytes, of which ${max} are allowed`) : path
}

/** Input of the next page of a paged call; null at its end, and for other calls. */
function nextPage(data: unknown, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  const next = typeof data === 'object' && data !== null && 'next' in data ? data.next : null
  return next === null ? null : { ...input, after: next }
}

/** Parses arguments by the field's schema: `--flags a,b` is a list, times may be dates, files are named by paths. */
function parseInput(endpoint: Endpoint, words: readonly string[]): Record<string, unknown> {
  const fields = listFields(endpoint)
  // links point to the server called, unless an origin is given
  const input: Record<string, unknown> = 'origin' in fields ? { origin: runningUrl() } : {}
  for (let i = 0; i < words.length; i += 2) {
    const field = words[i]?.replace(/^--/, '').replaceAll('-', '_') ?? ''
    if (isFlag(fields[field]) && words[i + 1]?.startsWith('--') !== false) words = words.toSpliced(i + 1, 0, '1')
    const text = words[i + 1]
    if (!(field in fields) || text === undefined)
      stop(`--${field}: ${field in fields ? 'needs a value' : 'unknown option'}`)
    input[field] = parseValue(JSON.stringify(fields[field]), text ?? '')
  }
  return input
}

/** A field that is 1 or left out: `--confirm` stands for `--confirm 1`. */
function isFlag(field: unknown): boolean {
  const schema = JSON.stringify(field ?? '')
  return /"const":1\b/.test(schema) && !/"const":[2-9]/.test(schema)
}

function parseValue(schema: string, text: string): unknown {
  const isList = /"type":"array"/.test(schema)
  const words = isList ? text.split(',').filter(Boolean) : [text]
  if (/"format":"binary"/.test(schema)) {
    const files = words.map((path) => new File([readFileSync(path)], basename(path)))
    return isList ? files : files[0]
  }
  if (isList) return words
  if (/"(number|integer)"|"const":\d/.test(schema))
    return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number(text)
  return text
}

function listFields(endpoint: Endpoint): Record<string, unknown> {
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' })
  return (schema as { properties?: Record<string, unknown> }).properties ?? {}
}

function usage(code: number): never {
  const lines = [...commands].map(
    ([command, { access, summary }]) =>
      `  ${command.padEnd(22)} ${access.replace('operator:', '').padEnd(8)} ${summary}`,
  )
  lines.push(`  ${'token'.padEnd(22)} ${''.padEnd(8)} New operator token: --name li.na --scope read|support|admin`)
  process.stdout.write(
    `npm run ops -- <command> --field value …   (<command> --help lists its fields)\n${lines.join('\n')}\n`,
  )
  process.exit(code)
}

function describe(command: string, endpoint: Endpoint): void {
  const fields = Object.entries(listFields(endpoint)).map(
    ([field, schema]) => `  --${field.padEnd(20)} ${JSON.stringify(schema)}`,
  )
  if (isStream(endpoint)) fields.push(`  --${'file'.padEnd(20)} path; its name and SHA-256 are taken from it`)
  process.stdout.write(`${command}: ${endpoint.summary}\n${fields.join('\n')}\n`)
}

function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
