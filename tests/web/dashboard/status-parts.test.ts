import { describe, expect, it } from 'vitest'
import type { Overview } from '#contract/overview/index.ts'
import { toNarrowing, toStatusParts, type StatusKey } from '#pages/dashboard/cards/status-parts.ts'
import { NO_FAULTS, createAttentionRow, createOverviewNetwork } from './overview-fixture.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const networks = [
  createOverviewNetwork('N1', { state: 'down' }),
  createOverviewNetwork('N2', { state: 'suspended' }, { network_status: 0 }),
  createOverviewNetwork('N5', { state: 'down' }),
  createOverviewNetwork('N3', { state: 'partial', single_center: 2 }),
  createOverviewNetwork('N4'),
]
const partsOf = (status: Partial<Overview['status']>) =>
  toStatusParts({ status: { ...NO_FAULTS, ...status }, networks })

describe('parts of the status line', () => {
  it('each part leads to exactly its objects', async () => {
    const offenders = await findOffenders<[StatusKey, number, string, string]>([
      ['networks_down', 2, '2 个组网中断', '/dashboard?show=networks_down'],
      ['networks_suspended', 1, '1 个组网已停用', '/network/detail?network_number=N2'],
      ['networks_unknown', 2, '2 个组网的链路状态未知', '/dashboard?show=networks_unknown'],
      ['networks_partial', 1, '1 个组网部分异常', '/network/detail?network_number=N3'],
      ['pops_expired', 2, '2 个组网的POP资源已过期', '/dashboard?show=pops_expired'],
      ['hardware_offline', 1_400, '1,400 台硬件离线', '/router/lists?type=1&state=offline'],
      ['hardware_flapping', 1, '1 台硬件抖动', '/router/lists?type=1&state=flapping'],
      ['hardware_unreadable', 1, '1 台硬件状态未知', '/router/lists?type=1&state=unreadable'],
      ['software_flapping', 1, '1 个软件抖动', '/router/lists?type=2&state=flapping'],
      ['suspected', 1, '1 处疑似失联', '/dashboard?show=suspected'],
      ['pops_offline', 1, '1 个POP节点离线', '/dashboard?show=pops_offline'],
      ['links_together', 2, '2 处多条链路异常', '/dashboard?show=links_together'],
      ['links_down', 3, '3 条链路断开', '/dashboard?show=links_down'],
      ['links_one_sided', 3, '3 条链路单边', '/dashboard?show=links_one_sided'],
      ['single_center', 2, '2 个成员单中心', '/router/lists?type=1&state=single_center'],
      ['config_trouble', 1, '1 台配置异常', '/dashboard?show=config_trouble'],
      ['overlaps', 1, '1 处网段重叠', '/dashboard?show=overlaps'],
      ['terms_over', 1, '1 项服务已到期', '/dashboard?show=terms_over'],
      ['deliveries_failed', 1, '1 个告警通道发送失败', '/dashboard?show=deliveries_failed'],
      ['directory', 1, '1 项目录同步异常', '/dashboard?show=directory'],
      ['reminders', 2, '2 项提醒', '/dashboard?show=reminders'],
    ])((key, count, text, to) => {
      expect(partsOf({ [key]: count })).toMatchObject([{ key, text, to }])
    })
    expect(offenders).toEqual([])
  })

  it('names every number of the contract, the worst first, and leaves out zeros', () => {
    const all = Object.fromEntries(Object.keys(NO_FAULTS).map((key) => [key, 1]))
    const levels = partsOf(all).map(({ level }) => level)
    expect(levels).toHaveLength(Object.keys(NO_FAULTS).length)
    expect(levels.lastIndexOf('bad')).toBeLessThan(levels.indexOf('warn'))
    expect(partsOf({})).toEqual([])
  })

  it('narrows a card to what the part counts', () => {
    const down = toNarrowing('networks_down')
    expect(networks.filter(down!.hasNetwork).map(({ network_number }) => network_number)).toEqual(['N1', 'N5'])
    const trouble = toNarrowing('config_trouble')
    const rows = [
      createAttentionRow('config_failed', 'a', { type: 'router' }),
      createAttentionRow('link_down', 'b', { type: 'link' }),
      createAttentionRow('config_unsynced', 'c', { type: 'router' }),
    ]
    expect(rows.filter(trouble!.hasRow).map(({ name }) => name)).toEqual(['a', 'c'])
  })

  it.each([null, '', 'nonsense', 'hardware_offline', 'single_center'])('shows the whole page for %j', (show) => {
    expect(toNarrowing(show)).toBeNull()
  })
})
