import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'
import { numeric, time } from '#contract/kernel/fields.ts'
import { STATUS } from '../limits.ts'

/* Operator's endpoint of the status: indicators with their thresholds, and counters by release. */

/** `unknown`: what it is read from is away, or no StatusHub is bound. */
export const STATUS_LEVELS = ['ok', 'unknown', 'warn', 'bad'] as const
export type StatusLevel = (typeof STATUS_LEVELS)[number]

/** Runbooks of infra/docs/operate.md. */
export const RUNBOOKS = [
  'database-overloaded',
  'fleet-gone',
  'release-bad',
  'database-restored',
  'key-leaked',
  'region-dark',
  'queue-stuck',
  'cost-jump',
  'carrier-host',
  'agent-upgrade',
] as const

const indicator = z.object({
  name: z.string(),
  level: z.enum(STATUS_LEVELS),
  /** In words, with the numbers. */
  value: z.string(),
  threshold: z.string(),
  /** Anchor of the runbook: `infra/docs/operate.md#…`. */
  runbook: z.enum(RUNBOOKS),
})
export type Indicator = z.infer<typeof indicator>

const releaseCounters = z.object({
  /** Version of the Worker; `local` in a local run. */
  release: z.string(),
  calls: z.int(),
  faults: z.int(),
  refusals: z.int(),
  overloads: z.int(),
  connects: z.int(),
  database_calls: z.int(),
  database_ms: z.int(),
  /** Refusals by the key of their sentence. */
  reasons: z.record(z.string(), z.int()),
})
export type ReleaseCounters = z.infer<typeof releaseCounters>

export const statusOps = {
  status: read('status', 'operator:read', {
    summary: 'What is well and what is not, with thresholds and runbooks; --watch repeats it',
    input: z.object({
      /** Length of the time that the counters are of, and its end in seconds before now. */
      span_s: numeric(z.int().min(10).max(STATUS.spanMaxS)).default(STATUS.spanS),
      ago_s: numeric(z.int().min(0).max(STATUS.spanMaxS)).default(0),
    }),
    output: z.object({
      /** The worst of all indicators. */
      level: z.enum(STATUS_LEVELS),
      /** Version that answers. */
      release: z.string(),
      from: time,
      to: time,
      /** `unbound`: the installation has no StatusHub. `away`: it does not answer. */
      counters: z.enum(['kept', 'unbound', 'away']),
      indicators: z.array(indicator),
      releases: z.array(releaseCounters),
    }),
  }),
} as const
