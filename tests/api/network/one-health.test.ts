import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { NetworkHealth } from '#contract/kernel/health.ts'
import { networkApi } from '#contract/network/index.ts'
import { overviewApi } from '#contract/overview/index.ts'
import { networks } from '#db/schema/networks.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { createFleet, createNetwork, createRouter, networkRow } from '#tests/support/fixtures.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'

const SUSPENDED_AT = Date.parse('2026-07-01T04:00:00Z')
const CONTRACTS = {
  used: { status: 1, suspendedAt: null, withdrawn: 0 },
  suspended: { status: 0, suspendedAt: SUSPENDED_AT, withdrawn: 0 },
  withdrawn: { status: 0, suspendedAt: SUSPENDED_AT, withdrawn: 1 },
} as const

it('design 12 · overview, list, page and status call say one health, in each state of hub and contract', async () => {
  const { main } = await createFleet({ hardware: 0, centers: 1 })
  const number = await createNetwork(main, [await createRouter(main.accountId)])
  const { hub } = await networkRow(number)
  const offenders = await findOffenders<[keyof typeof CONTRACTS, NetworkHealth['state'], string, string[]]>([
    ['used', 'ok', '', ['ok', '']],
    ['used', 'unknown', '链路状态未知，等待设备上报（1）', ['unknown', '链路状态未知，等待设备上报（1）']],
    ['used', 'partial', '1 个成员离线', ['partial', '1 个成员离线']],
    ['used', 'partial', '1 个POP节点离线（华东）', ['partial', '1 个POP节点离线（华东）']],
    ['used', 'down', '中心点离线', ['down', '中心点离线']],
    ['suspended', 'ok', '', ['suspended', '07-16 起移除设备配置']],
    ['suspended', 'unknown', '未知', ['suspended', '07-16 起移除设备配置；未知']],
    ['suspended', 'down', '中心点离线', ['suspended', '07-16 起移除设备配置；中心点离线']],
    ['withdrawn', 'down', '组网已停用，设备配置已移除', ['suspended', '设备配置已移除']],
  ])(async (contract, state, cause, expected) => {
    const health = { ...evaluateNetwork([], []).health, state, cause, issues: state === 'partial' ? 1 : 0 }
    await db.update(networks).set(CONTRACTS[contract]).where(eq(networks.number, number))
    const { hubs } = fakeHubs({
      'account.health': () => ({ summaries: { [hub]: { health, problems: [] } }, transitions: [], unsupported: {} }),
      'network.status': () => ({ seq: 1, members: [], links: [], health }),
    })
    const worker = createTestWorker({ hubs })
    const [listed, page, status, overview] = [
      (await worker.call(networkApi.lists, {}, main.token)).data[0]?.health,
      (await worker.call(networkApi.info, { network_number: number }, main.token)).data.health,
      (await worker.call(networkApi.status, { network_number: number }, main.token)).data.health,
      (await worker.call(overviewApi.info, {}, main.token)).data,
    ]
    const shown = [listed, page, status, overview.networks[0]?.health]
    expect(shown.map((one) => [one?.state, one?.cause])).toEqual(Array(4).fill(expected))
    const counts = { ok: 0, down: 0, partial: 0, unknown: 0, suspended: 0, [expected[0] ?? '']: 1 }
    expect(overview.status).toMatchObject({
      networks_down: counts.down,
      networks_partial: counts.partial,
      networks_unknown: counts.unknown,
      networks_suspended: counts.suspended,
    })
  })
  expect(offenders).toEqual([])
})
