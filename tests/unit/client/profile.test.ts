import { expect, it } from 'vitest'
import { DAY_MS } from '#contract/kernel/time.ts'
import {
  type StoredProfile,
  endingMessage,
  isProfileOpen,
  profileFileName,
  toProfileState,
} from '#domain/client/profile.ts'

const NOW = 1_800_000_000_000
const open: StoredProfile = {
  credentialVersion: 2,
  routerName: 'Li.Na@qiming',
  expiresAt: NOW + 30 * DAY_MS,
  revokedAt: null,
  memberName: 'li.na@qiming',
  memberVersion: 2,
}

it.each([
  ['valid', {}, true],
  ['valid', { expiresAt: NOW + 7 * DAY_MS + 1 }, true],
  ['ending', { expiresAt: NOW + 7 * DAY_MS }, true],
  ['ending', { expiresAt: NOW + 1 }, true],
  ['expired', { expiresAt: NOW }, false],
  ['revoked', { revokedAt: NOW - 1 }, false],
  ['revoked', { memberVersion: 3 }, false],
  ['revoked', { memberName: 'li.na@another' }, false],
  ['revoked', { revokedAt: NOW - 1, expiresAt: NOW }, false],
] as const)('a profile is %s: %j', (state, over, isOpen) => {
  expect(toProfileState({ ...open, ...over }, NOW)).toBe(state)
  expect(isProfileOpen({ ...open, ...over }, NOW)).toBe(isOpen)
})

it('the name of a file has no character that a system refuses', () => {
  expect(profileFileName('办公网', '我的手机')).toBe('办公网-我的手机.ovpn')
  expect(profileFileName('a/b\\c', '..:*?"<>|\n')).toBe('a_b_c-..________.ovpn')
})

it('a message names the first profiles and counts the others', () => {
  const profile = { memberName: 'a@q', networkName: '办公网', deviceName: '手机', expiresAt: NOW }
  expect(endingMessage([profile]).title).toBe('1个接入配置即将到期')
  const { title, content } = endingMessage(Array.from({ length: 7 }, () => profile))
  expect(title).toBe('7个接入配置即将到期')
  expect(content.split('将于')).toHaveLength(6)
  expect(content).toContain('另有2个')
})
