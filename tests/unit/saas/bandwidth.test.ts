import { describe, expect, it } from 'vitest'
import { toMessage } from '#contract/kernel/errors.ts'
import { bandwidthInForce, checkBandwidth, checkPoolBandwidth, nextBandwidthChange } from '#domain/saas/bandwidth.ts'

const plain = { bandwidth: 50, expireAt: 1_000, tempBandwidth: null, tempStartAt: null, tempExpireAt: null }
const raised = { ...plain, tempBandwidth: 80, tempStartAt: 200, tempExpireAt: 400 }
const late = { ...raised, tempStartAt: 900, tempExpireAt: 1_100 }

describe('directory 3 · the bandwidth in force, and when it changes', () => {
  it.each([
    ['an ordinary value', plain, 0, 50, 1_000],
    ['just before the expiry', plain, 999, 50, 1_000],
    ['at the expiry', plain, 1_000, 0, null],
    ['before a temporary value', raised, 199, 50, 200],
    ['at its start', raised, 200, 80, 400],
    ['just before its end', raised, 399, 80, 400],
    ['at its end', raised, 400, 50, 1_000],
    ['the expiry ends a temporary value, too', late, 1_000, 0, null],
    ['a temporary value beyond the expiry', late, 950, 80, 1_000],
    ['a device that is off', { ...plain, bandwidth: 0 }, 0, 0, 1_000],
    ['one that is off for a time', { ...raised, tempBandwidth: 0 }, 300, 0, 400],
  ])('%s', (_, term, now, inForce, next) => {
    expect([bandwidthInForce(term, now), nextBandwidthChange(term, now)]).toEqual([inForce, next])
  })
})

const device = { share: 1 as const, expireAt: 1_000, maxBandwidth: 100, poolMax: null }
const sentences = (check: typeof checkBandwidth) => (over: object, bandwidth: number, now: number) => {
  const found = check({ ...device, ...over }, bandwidth, now)
  return found && toMessage(found)
}

describe('directory 5 · a customer’s bandwidth', () => {
  it.each([
    ['the largest', {}, 100, null],
    ['the smallest', {}, 1, null],
    ['none', {}, 0, '带宽不能小于等于0 Mbs'],
    ['less than none', {}, -1, '带宽不能小于等于0 Mbs'],
    ['too much', {}, 101, '带宽不能大于最大值：100 Mbs'],
    ['more than the pool', { poolMax: 60 }, 61, '带宽不能大于最大值：60 Mbs'],
    ['within a larger pool', { poolMax: 500 }, 100, null],
    ['the standard edition', { share: 0 }, 50, '仅共享版设备可以修改带宽，如需调整请联系服务商'],
    ['an expired device', { expireAt: 500 }, 50, '设备服务已到期，无法修改带宽，请续费后重试'],
  ])('in the list: %s', (_, over, bandwidth, sentence) => {
    expect(sentences(checkBandwidth)(over, bandwidth, 500)).toBe(sentence)
  })

  it.each([
    ['the largest', {}, 100, null],
    ['none', {}, 0, '带宽数据不能小于等于 0 Mbs，且不能大于最大值 100 Mbs'],
    ['more than the pool', { poolMax: 60 }, 61, '带宽数据不能小于等于 0 Mbs，且不能大于最大值 60 Mbs'],
    ['the standard edition', { share: 0 }, 50, null],
    ['an expired device', { expireAt: 500 }, 50, '设备服务已到期，无法修改带宽，请续费后重试'],
  ])('in a pool: %s', (_, over, bandwidth, sentence) => {
    expect(sentences(checkPoolBandwidth)(over, bandwidth, 500)).toBe(sentence)
  })
})
