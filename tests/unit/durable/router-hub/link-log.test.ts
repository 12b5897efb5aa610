import { describe, expect, it } from 'vitest'
import { DIAL } from '#contract/kernel/hub-limits.ts'
import { type LinkLog, mergePeriods, noLinkLog, stepLinkLog } from '#durable/router-hub/state/link-log.ts'

const LINK = 'N1:NL-1>NL-C'
const at = { routerName: 'NL-1', links: {}, orig: '203.0.113.5', awaySince: null, remaining: 500, now: 1_000 }
const up = { [LINK]: { up: true } }
const down = { [LINK]: { up: false } }
const began = stepLinkLog({ ...noLinkLog, ips: { [LINK]: '100.64.0.2' } }, { ...at, links: up })

describe('directory 2 · a link of a device is a row for each up and down', () => {
  it('begins with the address that the device came from and its own inside', () => {
    const period = { id: LINK, startAt: 1_000, endAt: null, reason: '', orig: '203.0.113.5', vpnIp: '100.64.0.2' }
    expect(began.periods).toEqual([period])
    expect(began.log).toMatchObject({ open: { [LINK]: period }, isBehind: false })
  })

  it('a report of the same state changes nothing', () => {
    const again = stepLinkLog(began.log, { ...at, links: up, now: 2_000 })
    expect(again.periods).toEqual([])
    expect(again.log).toBe(began.log)
  })

  it.each([
    ['it is reported down', { links: down }, 9_000, '隧道已断开'],
    ['it is no longer in the document', { links: {} }, 9_000, '连接已从组网中移除'],
    ['its device is away: when it was there last', { links: {}, awaySince: 5_000 }, 5_000, '设备已离线'],
    ['its device was there last before it began', { links: {}, awaySince: 500 }, 1_000, '设备已离线'],
  ])('ends when %s', (_, change, endAt, reason) => {
    const { log, periods } = stepLinkLog(began.log, { ...at, now: 9_000, ...change })
    expect(periods).toMatchObject([{ id: LINK, startAt: 1_000, endAt, reason }])
    expect(log.open).toEqual({})
  })

  it('the end that is dialled writes nothing', () => {
    expect(stepLinkLog(noLinkLog, { ...at, routerName: 'NL-C', links: up }).periods).toEqual([])
    expect(stepLinkLog(noLinkLog, { ...at, links: { nonsense: { up: true } } }).periods).toEqual([])
  })

  it('links that flap begin so many periods an hour; what is up then is logged with the next one', () => {
    let log: LinkLog = noLinkLog
    let periods = 0
    const flap = (links: typeof up, now: number) => {
      const step = stepLinkLog(log, { ...at, links, now })
      log = step.log
      periods += step.periods.filter(({ endAt }) => endAt === null).length
    }
    for (let n = 0; n < 2 * DIAL.newPerHour; n++) {
      flap(up, 1_000 + 2 * n)
      if (n < 2 * DIAL.newPerHour - 1) flap(down, 1_001 + 2 * n)
    }
    expect([periods, log.isBehind, log.open]).toEqual([DIAL.newPerHour, true, {}])
    flap(up, 3_600_000)
    expect([periods, log.isBehind]).toEqual([DIAL.newPerHour + 1, false])
  })

  it('begins none while too many wait to be saved', () => {
    const full = stepLinkLog(noLinkLog, { ...at, links: up, remaining: 0 })
    expect(full).toMatchObject({ periods: [], log: { isBehind: true } })
    expect(stepLinkLog(full.log, { ...at, links: up, remaining: 1 }).periods).toHaveLength(1)
  })

  it('of a period that ends while its beginning waits, the end alone is saved', () => {
    const ended = stepLinkLog(began.log, { ...at, links: down, now: 9_000 })
    expect(mergePeriods(began.periods, ended.periods)).toEqual(ended.periods)
    const next = stepLinkLog(ended.log, { ...at, links: up, now: 10_000 })
    expect(mergePeriods(ended.periods, next.periods)).toEqual([...ended.periods, ...next.periods])
  })
})
