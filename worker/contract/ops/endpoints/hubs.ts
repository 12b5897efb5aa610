import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { confirmed, numeric, time } from '#contract/kernel/fields.ts'
import { HUB_KINDS, MISSING_KINDS } from '#contract/kernel/hubs.ts'

/* Operator's endpoints of hubs: they read their rows again; hold of devices without a row; hubs to forget. */

/** Cursor of the next page: kind and id of the last row before it. */
const cursor = z.string().regex(new RegExp(`^(${HUB_KINDS.join('|')}):\\d{1,15}$`))

/** Hubs and devices that hold a state or a configuration and have no row, by kind, and those missing longest. */
const missing = z.object({
  counts: z.array(z.object({ kind: z.enum(MISSING_KINDS), count: z.int() })),
  rows: z.array(
    z.object({
      kind: z.enum(MISSING_KINDS),
      /** Name of the hub, or serial of the device. */
      name: z.string(),
      serial: z.string().nullable(),
      first_at: time,
      last_at: time,
    }),
  ),
})

const holdStatus = z.object({
  /** Begin of the hold; null while it is off. */
  since: time.nullable(),
  changed_at: time.nullable(),
  /** Name of the operator who switched it last; '' for the service itself. */
  changed_by: z.string(),
  /** Rows missing since then, in ten minutes at most; more than `limit` switch the hold on. */
  recent: z.int(),
  limit: z.int(),
  missing,
})

export const hubOps = {
  refreshHubs: write('hubs/refresh', 'operator:admin', {
    summary: 'Make every hub read its rows again, a page at a time: after a database was restored',
    input: z.object({ after: cursor.optional() }),
    output: z.object({ queued: z.int(), next: cursor.nullable() }),
    done: 'submitted',
  }),
  holdOn: write('hubs/hold_on', 'operator:admin', {
    summary: 'Let devices without a row wait, and let no read empty a device: while a database is restored',
    output: holdStatus,
  }),
  holdOff: write('hubs/hold_off', 'operator:admin', {
    summary: 'End the hold; missing rows count anew',
    output: holdStatus,
  }),
  holdStatus: read('hubs/hold_status', 'operator:read', {
    summary: 'State of the hold, and the hubs and devices whose row is missing',
    output: holdStatus,
  }),
  forgetHubs: write('hubs/forget', 'operator:admin', {
    summary: 'List hubs and devices whose row is missing; with --confirm, remove them and empty their devices',
    input: z.object({ missing: numeric(z.literal(1)), confirm: confirmed }),
    output: missing.extend({ forgotten: z.int() }),
    example: { missing: 1 },
  }),
} as const
