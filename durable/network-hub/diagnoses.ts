import type { DeviceQuestion, QuestionReply } from '#contract/device/questions.ts'
import type { Hubs } from '#contract/kernel/hubs.ts'
import {
  DIAGNOSIS,
  type DiagnosisPlan,
  type DiagnosisRecord,
  type DiagnosisSummary,
  type NetworkDiagnosesRpc,
} from '#contract/network/diagnosis.ts'
import { firstQuestion, runDiagnosis } from './diagnosis-run.ts'
import type { HubProjection } from './projection.ts'

/* Diagnoses of a network: those that run, and the records of the last 30 days in the hub's own SQLite. */

interface Deps {
  readonly sql: SqlStorage
  readonly hubs: Pick<Hubs, 'router'>
  readonly waitUntil: (work: Promise<unknown>) => void
  readonly projection: () => HubProjection
  /** Called after each change of a record. */
  readonly changed: (jobId: string) => void
}

/** A run ends with its object. */
const INTERRUPTED = '诊断被中断'

export class Diagnoses implements NetworkDiagnosesRpc {
  private readonly deps: Deps
  /** Records of runs under way, by the router that begins them. */
  private readonly running = new Map<string, DiagnosisRecord>()
  private isEnded = false

  constructor(deps: Deps) {
    this.deps = deps
    deps.sql.exec(
      'CREATE TABLE IF NOT EXISTS diagnoses (id TEXT PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL) STRICT',
    )
  }

  async diagnose(plan: DiagnosisPlan): ReturnType<NetworkDiagnosesRpc['diagnose']> {
    const { routerName } = plan
    if (this.running.has(routerName) || this.running.size >= DIAGNOSIS.runningMax) return 'busy'
    const record = newRecord(plan, Date.now())
    this.running.set(routerName, record)
    const first = this.ask(routerName, firstQuestion(plan))
    const early = await Promise.race([first, pause(DIAGNOSIS.acceptMs).then(() => null)])
    if (early?.state === 'offline' || early?.state === 'busy' || early?.state === 'too_old') {
      this.running.delete(routerName)
      return early.state
    }
    this.prune()
    this.save(record)
    this.deps.waitUntil(this.run(plan, record, first))
    return 'accepted'
  }

  async diagnosis(jobId: string): Promise<DiagnosisRecord | null> {
    const [row] = this.deps.sql
      .exec<{ body: string }>(
        'SELECT body FROM diagnoses WHERE id = ? AND at > ?',
        jobId,
        Date.now() - DIAGNOSIS.keptMs,
      )
      .toArray()
    return row === undefined ? null : this.toRecord(row.body)
  }

  async diagnoses(page: number, limit: number): ReturnType<NetworkDiagnosesRpc['diagnoses']> {
    const since = Date.now() - DIAGNOSIS.keptMs
    const [total] = this.deps.sql
      .exec<{ n: number }>('SELECT count(*) AS n FROM diagnoses WHERE at > ?', since)
      .toArray()
    const rows = this.deps.sql
      .exec<{ body: string }>(
        'SELECT body FROM diagnoses WHERE at > ? ORDER BY at DESC, id LIMIT ? OFFSET ?',
        since,
        limit,
        (page - 1) * limit,
      )
      .toArray()
    return { rows: rows.map(({ body }) => toSummary(this.toRecord(body))), count: total?.n ?? 0 }
  }

  /** The storage is gone, and runs under way write nothing more. */
  end(): void {
    this.isEnded = true
  }

  private toRecord(body: string): DiagnosisRecord {
    const record = JSON.parse(body) as DiagnosisRecord
    const isRunning = [...this.running.values()].some(({ job_id }) => job_id === record.job_id)
    return record.state === 'running' && !isRunning ? { ...record, state: 'failed', reason: INTERRUPTED } : record
  }

  private async run(plan: DiagnosisPlan, begun: DiagnosisRecord, first: Promise<QuestionReply>): Promise<void> {
    let record = begun
    const store = (change: Partial<DiagnosisRecord>) => {
      record = { ...record, ...change }
      this.save(record)
    }
    try {
      const { reason, verdict } = await runDiagnosis(plan, first, {
        ask: (name, question) => this.ask(name, question),
        downReason: (id) => this.downReason(id),
        stepped: (step) => store({ steps: [...record.steps, step] }),
        now: () => Date.now(),
        pause,
      })
      store(reason === '' ? { state: 'done', verdict } : { state: 'failed', reason })
    } finally {
      this.running.delete(plan.routerName)
    }
  }

  /** A router that is no longer in the rows is away. */
  private async ask(routerName: string, question: DeviceQuestion): Promise<QuestionReply> {
    const hub = this.deps.projection().members.get(routerName)?.router_hub
    if (hub === undefined) return { state: 'offline' }
    return this.deps.hubs
      .router(hub)
      .ask(question)
      .catch(() => ({ state: 'silent' as const }))
  }

  private downReason(id: string): string | null {
    const link = this.deps.projection().links.get(id)
    if (link?.state === 'never') return '尚未建立'
    return link?.state === 'down' || link?.state === 'one_sided' ? link.reason : null
  }

  private save(record: DiagnosisRecord): void {
    if (this.isEnded) return
    const { job_id: id, create_time: at } = record
    if (this.running.has(record.router_name)) this.running.set(record.router_name, record)
    const write = 'INSERT OR REPLACE INTO diagnoses (id, at, body) VALUES (?, ?, ?)'
    this.deps.sql.exec(write, id, at, JSON.stringify(record))
    this.deps.changed(id)
  }

  private prune(): void {
    const { sql } = this.deps
    sql.exec('DELETE FROM diagnoses WHERE at <= ?', Date.now() - DIAGNOSIS.keptMs)
    const kept = 'SELECT id FROM diagnoses ORDER BY at DESC LIMIT ?'
    sql.exec(`DELETE FROM diagnoses WHERE id NOT IN (${kept})`, DIAGNOSIS.keptMax - 1)
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

const newRecord = (plan: DiagnosisPlan, now: number): DiagnosisRecord => ({
  job_id: plan.jobId,
  kind: plan.kind,
  router_name: plan.routerName,
  router_name_note: plan.routerNote,
  source: plan.source,
  destination: plan.destination,
  by: plan.by,
  create_time: now,
  state: 'running',
  reason: '',
  verdict: null,
  steps: [],
})

const toSummary = (record: DiagnosisRecord): DiagnosisSummary => ({
  job_id: record.job_id,
  kind: record.kind,
  router_name: record.router_name,
  router_name_note: record.router_name_note,
  source: record.source,
  destination: record.destination,
  by: record.by,
  create_time: record.create_time,
  state: record.state,
  reason: record.reason,
  verdict: record.verdict,
})
