/** Below the time limit of a test, so that a row which hangs is named. */
const LIMIT_MS = 150_000
/** Longest text of a value in a line. */
const NAME_MAX = 100
const REASON_MAX = 600

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis // a row may fake the timers

/** Runs a check over every row and lists the rows that it fails for. */
type Search<Args extends readonly unknown[]> = (check: (...args: Args) => unknown) => Promise<string[]>
type Writable<Row extends readonly unknown[]> = { -readonly [Index in keyof Row]: Row[Index] }

export function findOffenders<Row extends unknown[] | [unknown]>(rows: readonly Row[]): Search<Row>
export function findOffenders<Row extends readonly unknown[]>(rows: readonly Row[]): Search<Writable<Row>>
export function findOffenders<Row>(rows: readonly Row[]): Search<[row: Row]>
/**
 * A table as one test: a check runs over its rows one by one, which are spread as by `it.each`. Returns a line for each row
 * whose check throws, with the reason; a table without rows is an offender itself.
 */
export function findOffenders(rows: readonly unknown[]): Search<unknown[]> {
  return async (check) => {
    if (rows.length === 0) return ['the table has no rows']
    const offenders: string[] = []
    const limit = startLimit()
    for (const [index, row] of rows.entries()) {
      const values: unknown[] = Array.isArray(row) ? row : [row]
      try {
        await Promise.race([check(...values), limit.passed])
      } catch (error) {
        offenders.push(`${toName(values)} → ${toReason(error)}`)
        if (!limit.isPassed()) continue
        offenders.push(`${rows.length - index - 1} more rows were not tried`)
        break
      }
    }
    limit.stop()
    return offenders
  }
}

function startLimit() {
  let isPassed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<never>((_, reject) => {
    timer = startTimer(() => {
      isPassed = true
      reject(new Error(`the table took more than ${LIMIT_MS / 1000} s`))
    }, LIMIT_MS)
  })
  passed.catch(() => {}) // nobody listens between two rows
  return { passed, isPassed: () => isPassed, stop: () => stopTimer(timer) }
}

const toName = (row: readonly unknown[]): string =>
  row
    .filter((value) => typeof value !== 'function')
    .map((value) => cut(toText(value), NAME_MAX))
    .join(' · ')

/** A value on one line, as JSON; of a class that JSON does not hold only the name. */
const toText = (value: unknown): string => toJson(value) ?? String(value)
const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}…` : text)

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, part: unknown) => toPlain(part))
  } catch {
    return undefined // circular
  }
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'function') return '<function>'
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return String(value)
  if (value instanceof Set || value instanceof Map) return [...value]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name: string } } | null
  return prototype === null || prototype === Object.prototype ? value : `<${prototype.constructor?.name}>`
}

/** The message of an assertion, with both values where it shortens them; of any other error also its name. */
function toReason(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error))
    return `threw ${cut(toText(error), NAME_MAX)}`
  const [first = ''] = String('actual' in error ? error.message : error).split('\n')
  const message = first.replace(' // Object.is equality', '')
  if (!('actual' in error && 'expected' in error)) return message
  const { actual, expected } = error
  const isShortened = message.includes('…') || typeof actual === 'object' || typeof expected === 'object'
  if (!isShortened) return message
  if (expected === undefined) return `${message}: is ${cut(toText(actual), REASON_MAX)}`
  const texts = [toText(actual), toText(expected)] as const
  const from = Math.max(0, firstDifference(...texts) - REASON_MAX / 2)
  const [is, wanted] = texts.map((text) => (from > 0 ? '…' : '') + cut(text.slice(from), REASON_MAX))
  return `${message}: is ${is}, should be ${wanted}`
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}
