/** Hrana over HTTP, version 2, as JSON (libsql/docs/HTTP_V2_SPEC.md): the part that `@libsql/client/web` speaks. */

/** Behind the path of a database: a statement that scans a table fails (query-plan.ts). */
export const PLANNED = 'planned/'

export type Value =
  | { readonly type: 'null' }
  | { readonly type: 'integer'; readonly value: string }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'blob'; readonly base64: string }

export interface SqlText {
  readonly sql?: string
  /** Names a text that an earlier request of the same stream stored. */
  readonly sql_id?: number
}

export interface Stmt extends SqlText {
  readonly args?: readonly Value[]
  readonly named_args?: readonly { readonly name: string; readonly value: Value }[]
}

export type Condition =
  | { readonly type: 'ok' | 'error'; readonly step: number }
  | { readonly type: 'not'; readonly cond: Condition }
  | { readonly type: 'and' | 'or'; readonly conds: readonly Condition[] }

export interface Step {
  readonly stmt: Stmt
  readonly condition?: Condition | null
}

export type StreamRequest =
  | { readonly type: 'close' }
  | { readonly type: 'execute'; readonly stmt: Stmt }
  | { readonly type: 'batch'; readonly batch: { readonly steps: readonly Step[] } }
  | ({ readonly type: 'sequence' } & SqlText)
  | { readonly type: 'store_sql'; readonly sql_id: number; readonly sql: string }
  | { readonly type: 'close_sql'; readonly sql_id: number }

export interface StmtResult {
  readonly cols: readonly { readonly name: string }[]
  readonly rows: readonly (readonly Value[])[]
  readonly affected_row_count: number
  readonly last_insert_rowid: string | null
}

export interface HranaError {
  readonly message: string
  readonly code: string
}

export interface BatchResult {
  readonly step_results: readonly (StmtResult | null)[]
  readonly step_errors: readonly (HranaError | null)[]
}

export type StreamResult =
  | {
      readonly type: 'ok'
      readonly response: { readonly type: StreamRequest['type']; readonly result?: StmtResult | BatchResult }
    }
  | { readonly type: 'error'; readonly error: HranaError }

export interface PipelineRequest {
  readonly baton?: string | null
  readonly requests: readonly StreamRequest[]
}

export interface PipelineResponse {
  readonly baton: string | null
  readonly base_url: string | null
  readonly results: readonly StreamResult[]
}
