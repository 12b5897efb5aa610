import * as z from 'zod'
import { QUESTION } from '#contract/device/questions.ts'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import { dottedString, numeric, routerName, time, wireBoolean } from '#contract/kernel/fields.ts'
import { sentenceOf } from '#contract/kernel/input/input-sentence.ts'
import { isUnicast } from '#contract/kernel/ipv4.ts'
import { list } from '#contract/kernel/list.ts'
import { DAY_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { EXAMPLE_MEMBER, memberTarget, networkTarget } from './fields.ts'
import { acceptedJob, jobId } from './jobs.ts'

/* Diagnosis (诊断) of a network: ping, traceroute and path analysis from one of its routers, and their records. */

export const DIAGNOSIS = {
  keptMs: 30 * DAY_MS,
  keptMax: 500,
  pathMs: MINUTE_MS,
  hopsMax: QUESTION.hopsMax,
  countDefault: 4,
  runningMax: 8, // of one network at once
  acceptMs: 1_500, // until the first answer may refuse it
} as const
/** Of one account. */
export const DIAGNOSIS_RATE = { limit: 10, windowMs: MINUTE_MS } as const

const DIAGNOSIS_KINDS = ['ping', 'traceroute', 'path'] as const
export type DiagnosisKind = (typeof DIAGNOSIS_KINDS)[number]
export const DIAGNOSIS_KIND_NAME: Readonly<Record<DiagnosisKind, string>> = {
  ping: 'Ping',
  traceroute: '路由跟踪',
  path: '路径分析',
}

const DESTINATION = '请输入正确的目的IP地址'
const SOURCE = '请输入正确的源IP地址'
const COUNT = `次数取值范围在1~${QUESTION.countMax}`
export const diagnosisFields = {
  kind: z.enum(DIAGNOSIS_KINDS, '请选择诊断方式'),
  source: dottedString({ error: sentenceOf('源地址') })
    .refine((text) => text === '' || isUnicast(text), SOURCE)
    .default(''),
  destination: dottedString({ error: sentenceOf('目的地址') })
    .min(1, '目的地址不能为空')
    .refine((text) => text === '' || isUnicast(text), DESTINATION),
  count: numeric(z.int(COUNT).min(1, COUNT).max(QUESTION.countMax, COUNT)).prefault(DIAGNOSIS.countDefault),
}

/** A source is a LAN address, in whose name nothing is sent. */
function requireLookup(
  { kind, source }: { readonly kind: DiagnosisKind; readonly source: string },
  issues: z.RefinementCtx,
): void {
  if (kind !== 'path' && source !== '')
    issues.addIssue({ code: 'custom', path: ['source'], message: '仅路径分析可以填写源地址' })
}

const step = z.object({
  /** Empty for a hop that is no router of this network. */
  router_name: z.string(),
  /** Note or name, area of a node, or 其他组网. */
  label: z.string(),
  intended: z.string(),
  actual: z.string(),
  evidence: z.string(),
  /** 1: as intended; 0: not; null: nothing is intended. */
  ok: wireBoolean.nullable(),
  rtt_ms: z.number().nullable(),
})
export type DiagnosisStep = Readonly<z.output<typeof step>>

const verdict = z.object({ ok: wireBoolean, text: z.string() })
export type DiagnosisVerdict = Readonly<z.output<typeof verdict>>

const summary = z.object({
  job_id: jobId,
  kind: z.enum(DIAGNOSIS_KINDS),
  router_name: routerName,
  router_name_note: z.string(),
  source: z.string(),
  destination: z.string(),
  /** Name of the person who asked. */
  by: z.string(),
  create_time: time,
  state: z.enum(['running', 'done', 'failed']),
  /** Reason of a failed one. */
  reason: z.string(),
  verdict: verdict.nullable(),
})
export type DiagnosisSummary = Readonly<z.output<typeof summary>>
const record = summary.extend({ steps: z.array(step) })
export type DiagnosisRecord = Readonly<z.output<typeof record>>

const records = list({ row: summary, filters: networkTarget.shape })

export const diagnosis = {
  diagnose: write('network/diagnose', 'network:edit', {
    summary: 'Ask a member for a ping, a traceroute or a path analysis to an address of the network',
    input: memberTarget.extend(diagnosisFields).superRefine(requireLookup),
    output: acceptedJob,
    done: 'accepted',
    refreshes: ['network/diagnoses'],
    example: { ...EXAMPLE_MEMBER, kind: 'ping', destination: '10.1.0.5' },
  }),
  diagnosis: read('network/diagnosis', 'session', {
    summary: 'One diagnosis with its steps so far',
    input: networkTarget.extend({ job_id: jobId }),
    output: record,
    example: { network_number: EXAMPLE.network_number, job_id: '0'.repeat(32) },
  }),
  diagnoses: read('network/diagnoses', 'session', {
    summary: 'Diagnoses of the last 30 days, newest first',
    ...records,
    example: { network_number: EXAMPLE.network_number },
  }),
} as const

/** Way of a packet at a router as the rows intend it. */
export type Intended =
  | { readonly links: readonly { readonly id: string; readonly peer: string }[] }
  | { readonly local: 'lan' | 'self' | 'software' }
  | { readonly wan: true }
  | { readonly none: string }

export interface PlannedHop {
  readonly name: string
  readonly label: string
  readonly isNode: boolean
  readonly intended: Intended
  readonly prefix: string | null
  /** Router that declares the prefix; null for a segment of its own. */
  readonly origin: string | null
}

/** A diagnosis as the Worker has planned it by the rows. */
export interface DiagnosisPlan {
  readonly jobId: string
  /** Revision of the rows. */
  readonly revision: number
  readonly networkNumber: string
  readonly kind: DiagnosisKind
  readonly routerName: string
  readonly routerNote: string
  readonly source: string
  readonly destination: string
  readonly count: number
  readonly by: string
  /** Hops of a path analysis, the member's first. */
  readonly hops: readonly PlannedHop[]
  /** A path analysis ends with a ping. */
  readonly isPinged: boolean
  /** Labels of routers by name. */
  readonly labels: Readonly<Record<string, string>>
  /** Routers by inner address, of a traceroute. */
  readonly addresses: Readonly<Record<string, string>>
  /** Names of nodes, whose addresses are not shown. */
  readonly nodes: readonly string[]
  /** Segments of this network, of a traceroute. */
  readonly segments: readonly string[]
}

/** Calls of a network's hub. */
export interface NetworkDiagnosesRpc {
  /** Starts it. A refusal comes at once: the router is away, too old or busy. */
  diagnose(plan: DiagnosisPlan): Promise<'accepted' | 'offline' | 'busy' | 'too_old'>
  /** One record; null if it is unknown or older than 30 days. */
  diagnosis(jobId: string): Promise<DiagnosisRecord | null>
  diagnoses(
    page: number,
    limit: number,
  ): Promise<{ readonly rows: readonly DiagnosisSummary[]; readonly count: number }>
}
