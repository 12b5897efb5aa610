import { describe, expect, it } from 'vitest'
import { computeRollout, rolloutText, toBaseline, toResent } from '#pages/network/detail/rollout.ts'
import { member } from './member.ts'

const [c1, p1, p2] = [member('c1', { role: 'center' }), member('p1'), member('p2')]

describe('progress of a saved change', () => {
  const start = { kind: 'saved', versions: toBaseline([c1, p1, p2]) } as const
  const moved = (name: string, config: 'applied' | 'pushing' | 'queued' | 'failed' | 'unsynced') =>
    member(name, { version: 2, config })
  it.each([
    ['nothing moved', [c1, p1, p2], '已保存，设备配置无变化'],
    [
      'an online device has not answered',
      [moved('c1', 'pushing'), moved('p1', 'queued'), p2],
      '已保存，正在下发… 下发中 1 · 1 台离线，上线后自动下发',
    ],
    [
      'only offline devices are left',
      [moved('c1', 'applied'), moved('p1', 'applied'), moved('p2', 'queued')],
      '已保存，已生效 2 · 1 台离线，上线后自动下发',
    ],
    ['one failed', [moved('c1', 'applied'), moved('p1', 'failed')], '已保存，已生效 1 · 失败 1'],
    ['everywhere', [moved('c1', 'applied'), moved('p1', 'applied'), p2], '已保存，2 台设备已全部生效'],
    ['a new member counts', [c1, p1, p2, member('p3', { config: 'pushing' })], '已保存，正在下发… 下发中 1'],
    [
      'software has no configuration',
      [c1, member('s', { type: 2, config: 'none', version: 0 })],
      '已保存，设备配置无变化',
    ],
  ])('%s', (_name, members, expected) => {
    expect(rolloutText('saved', computeRollout(start, members), true)).toBe(expected)
  })

  it('waits for the first device before it says that none is concerned', () => {
    expect(rolloutText('saved', computeRollout(start, [c1]), false)).toBe('已保存，正在确认需要下发的设备')
  })

  it('waits for the last device, too, before it says that all have applied it', () => {
    expect(rolloutText('saved', computeRollout(start, [moved('c1', 'applied'), p1]), false)).toBe('已保存，已生效 1')
  })
})

describe('progress of a resend: no version moves', () => {
  const at = (one: typeof c1, time: number | null) => ({ ...one, config: { ...one.config, at: time } })
  const away = member('p2', { state: 'offline', config: 'queued' })
  const start = toResent([at(c1, 1), at(p1, null), at(away, 1), member('s', { type: 2, config: 'none' })])
  it.each([
    ['just sent', [at(c1, 1), at(p1, null), at(away, 1)], '已重新下发，正在下发… 下发中 2 · 1 台离线，上线后自动下发'],
    [
      'one answered',
      [at(c1, 9), at(p1, null), at(away, 9)],
      '已重新下发，正在下发… 已生效 1 · 下发中 1 · 1 台离线，上线后自动下发',
    ],
    [
      'all that are online answered',
      [at(c1, 9), at(p1, 9), at(away, 9)],
      '已重新下发，已生效 2 · 1 台离线，上线后自动下发',
    ],
    [
      'a member that it was not sent to does not count',
      [at(c1, 9), member('p9', { version: 7 })],
      '已重新下发，1 台设备已全部生效',
    ],
  ])('%s', (_name, members, expected) => {
    expect(rolloutText('resent', computeRollout(start, members), true)).toBe(expected)
  })
})
