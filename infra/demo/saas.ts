import type { Input } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import type { Call } from '#infra/local/api.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* SaaS devices of the demo: sells a bandwidth pool and devices to an account through the operator's calls. */

const POOL = { name: '海外加速池', max: 150 }
const OFFICES = '海外办公'
const STORES = '门店收银'

interface DemoSaas extends Omit<Input<typeof opsApi.saasSet>, 'expired_time'> {
  readonly days: number
}

/** Six SaaS devices in two groups; three share a pool, one has expired. */
const DEVICES: readonly DemoSaas[] = [
  { serial: 'NL22P002', group: OFFICES, edition: 'shared', bandwidth: 50, max_bandwidth: 100, days: 320 },
  {
    serial: 'NL22P003',
    group: OFFICES,
    edition: 'standard',
    bandwidth: 100,
    max_bandwidth: 200,
    days: 320,
    pool: POOL.name,
    country: 'US',
  },
  {
    serial: 'NL22P004',
    group: OFFICES,
    edition: 'shared',
    bandwidth: 50,
    max_bandwidth: 200,
    days: 20,
    pool: POOL.name,
    country: 'SG',
  },
  {
    serial: 'NL22P005',
    group: OFFICES,
    edition: 'shared',
    bandwidth: 100,
    max_bandwidth: 150,
    days: 200,
    pool: POOL.name,
    country: 'JP',
  },
  { serial: 'NL22S001', group: STORES, edition: 'shared', bandwidth: 10, max_bandwidth: 50, days: 90 },
  { serial: 'NL22S002', group: STORES, edition: 'shared', bandwidth: 10, max_bandwidth: 50, days: -2 },
]

export const SAAS_SERIALS: readonly string[] = DEVICES.map(({ serial }) => serial)

export async function loadSaas(ops: Call, account: string): Promise<void> {
  const now = Date.now()
  await ops(opsApi.poolSet, { account, ...POOL })
  for (const { days, ...device } of DEVICES) await ops(opsApi.saasSet, { ...device, expired_time: now + days * DAY_MS })
  const raised = { start_time: now, end_time: now + 3 * DAY_MS }
  await ops(opsApi.saasTemporary, { serial: 'NL22P002', bandwidth: 80, ...raised })
}
