import type { Input } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { call } from './test-worker.ts'

const DAY_MS = 86_400_000

type Sold = Partial<Input<typeof opsApi.saasSet>>

/** Sells a claimed device as a SaaS device for a year: shared, 50 of 100 Mbit/s unless overridden. */
export const sellSaas = ({ name }: { readonly name: string }, over: Sold = {}) =>
  call(opsApi.saasSet, {
    serial: name,
    edition: 'shared',
    bandwidth: 50,
    max_bandwidth: 100,
    expired_time: Date.now() + 365 * DAY_MS,
    ...over,
  })
