import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type {
  BatchResult,
  Condition,
  HranaError,
  SqlText,
  Step,
  Stmt,
  StmtResult,
  StreamRequest,
  StreamResult,
  Value,
} from './protocol.ts'

/** libSQL's own spelling of a transaction that may not write; SQLite knows it as a pragma. */
const BEGIN_READ_ONLY = 'BEGIN TRANSACTION READONLY'
const ERROR_CODES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  19: 'SQLITE_CONSTRAINT',
}

/** Runs the requests of one pipeline. Each pipeline is a stream of its own: a transaction left open at its end is rolled back. */
export function runPipeline(
  database: DatabaseSync,
  requests: readonly StreamRequest[],
  checkStatement: (sql: string) => void = () => {},
): StreamResult[] {
  const stored = new Map<number, string>()
  const resolveSql = ({ sql, sql_id: id }: SqlText) => {
    const text = sql ?? stored.get(id ?? -1) ?? ''
    checkStatement(text)
    return text
  }

  function respond(request: StreamRequest): StmtResult | BatchResult | undefined {
    switch (request.type) {
      case 'execute':
        return runStatement(database, resolveSql(request.stmt), request.stmt)
      case 'batch':
        return runBatch(request.batch.steps, (stmt) => runStatement(database, resolveSql(stmt), stmt))
      case 'sequence':
        return void database.exec(resolveSql(request))
      case 'store_sql':
        return void stored.set(request.sql_id, request.sql)
      case 'close_sql':
        return void stored.delete(request.sql_id)
      case 'close':
        return undefined
      default:
        throw new Error(`unsupported request: ${JSON.stringify(request)}`)
    }
  }

  try {
    return requests.map((request): StreamResult => {
      try {
        const result = respond(request)
        return { type: 'ok', response: { type: request.type, ...(result && { result }) } }
      } catch (error) {
        return { type: 'error', error: toHranaError(error) }
      }
    })
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
    database.exec('PRAGMA query_only = 0')
  }
}

function runBatch(steps: readonly Step[], run: (stmt: Stmt) => StmtResult): BatchResult {
  const results: (StmtResult | null)[] = []
  const errors: (HranaError | null)[] = []
  const holds = (condition: Condition): boolean => {
    switch (condition.type) {
      case 'ok':
        return results[condition.step] != null
      case 'error':
        return errors[condition.step] != null
      case 'not':
        return !holds(condition.cond)
      case 'and':
        return condition.conds.every(holds)
      case 'or':
        return condition.conds.some(holds)
    }
  }
  for (const { stmt, condition } of steps) {
    let result: StmtResult | null = null
    let error: HranaError | null = null
    if (!condition || holds(condition)) {
      try {
        result = run(stmt)
      } catch (thrown) {
        error = toHranaError(thrown)
      }
    }
    results.push(result)
    errors.push(error)
  }
  return { step_results: results, step_errors: errors }
}

function runStatement(database: DatabaseSync, sql: string, { args = [], named_args: named = [] }: Stmt): StmtResult {
  if (sql === BEGIN_READ_ONLY) {
    database.exec('BEGIN; PRAGMA query_only = 1')
    return { cols: [], rows: [], affected_row_count: 0, last_insert_rowid: null }
  }
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  statement.setReadBigInts(true)
  const values = args.map(fromValue)
  const names = Object.fromEntries(named.map(({ name, value }) => [name, fromValue(value)]))
  const rows = statement.all(names, ...values) as unknown as SQLOutputValue[][]
  const [changes, rowid] =
    database.prepare('SELECT changes() AS n, last_insert_rowid() AS id').all().map(Object.values)[0] ?? []
  return {
    cols: statement.columns().map(({ name }) => ({ name })),
    rows: rows.map((row) => row.map(toValue)),
    affected_row_count: /^\s*(insert|update|delete|replace)\b/i.test(sql) ? Number(changes) : 0,
    last_insert_rowid: String(rowid),
  }
}

function fromValue(value: Value): SQLInputValue {
  switch (value.type) {
    case 'null':
      return null
    case 'integer':
      return BigInt(value.value)
    case 'blob':
      return Buffer.from(value.base64, 'base64')
    default:
      return value.value
  }
}

function toValue(value: SQLOutputValue): Value {
  if (value === null) return { type: 'null' }
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) }
  if (typeof value === 'number') return { type: 'float', value }
  if (typeof value === 'string') return { type: 'text', value }
  return { type: 'blob', base64: Buffer.from(value).toString('base64') }
}

/** The texts and codes of sqld, which `db/guard.ts` reads. */
function toHranaError(error: unknown): HranaError {
  const { message, errcode = 1 } = error as Error & { errcode?: number }
  return { message: `SQLite error: ${message}`, code: ERROR_CODES[errcode & 0xff] ?? 'SQLITE_UNKNOWN' }
}
