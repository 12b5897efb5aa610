import { describe, expect, it } from 'vitest'
import { type Build, LINUX_DISTRIBUTIONS, PLATFORMS } from '#contract/download/index.ts'
import { parseRange } from '#domain/download/byte-range.ts'
import { type ReleaseTarget, checkRelease, newestBuilds } from '#domain/download/releases.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const build = (version: string): Build => ({
  version,
  release_time: 0,
  name: 'a',
  bytes: 1,
  sha256: '',
  notes: '',
  src: '',
})
const release = (id: number, platform: ReleaseTarget['platform'], panel = '', distribution = '') => ({
  id,
  platform,
  panel,
  distribution,
  build: build(`1.${id}`),
})

describe('directory 2 · the newest build for each platform', () => {
  it('is null for all while nothing is published', () => {
    const { linux, ...others } = newestBuilds([])
    expect(Object.keys({ ...others, linux }).toSorted()).toEqual([...PLATFORMS].toSorted())
    expect(Object.values(others)).toEqual([null, null, null, null, null])
    expect(Object.values({ ...linux.panel, ...linux.command })).toEqual(LINUX_DISTRIBUTIONS.map(() => null))
  })

  it('is the one published last, in whatever order they come', () => {
    const { windows, macOS } = newestBuilds([release(2, 'windows'), release(3, 'windows'), release(1, 'windows')])
    expect([windows?.version, macOS]).toEqual(['1.3', null])
  })

  it('counts one without a distribution for each of them, until one of its own is newer', () => {
    const { linux } = newestBuilds([
      release(1, 'linux', 'command', 'ubuntu'),
      release(2, 'linux', 'command'),
      release(3, 'linux', 'command', 'centos'),
      release(4, 'linux', 'panel', 'debian'),
    ])
    expect(linux.command.centos?.version).toBe('1.3')
    expect(linux.command.ubuntu?.version).toBe('1.2')
    expect(linux.command.debian?.version).toBe('1.2')
    expect([linux.panel.debian?.version, linux.panel.centos]).toEqual(['1.4', null])
  })
})

describe('files that may be published', () => {
  const target = (platform: ReleaseTarget['platform'], panel = '', distribution = '') => ({
    platform,
    panel,
    distribution,
  })
  it('files of the target’s system; others are refused with the reason', async () => {
    const offenders = await findOffenders([
      [target('windows'), 'client.msi', null],
      [target('windows'), 'Client.EXE', null],
      [target('windows'), 'client.dmg', 'RELEASE_FILE'],
      [target('macOS'), 'client.dmg', null],
      [target('android'), 'client.apk', null],
      [target('android'), 'apk', 'RELEASE_FILE'],
      [target('iOS'), 'client.ipa', null],
      [target('harmonyos'), 'client.hap', null],
      [target('linux', 'command'), 'agent.mjs', null],
      [target('linux', 'panel', 'centos'), 'client.tar.gz', null],
      [target('linux', 'panel', 'centos'), 'client.gz', 'RELEASE_FILE'],
      [target('linux'), 'agent.mjs', 'RELEASE_TARGET'],
      [target('windows', 'panel'), 'client.msi', 'RELEASE_TARGET'],
      [target('windows', '', 'centos'), 'client.msi', 'RELEASE_TARGET'],
    ])((wanted, name, key) => {
      expect(checkRelease(wanted, name)?.key ?? null).toBe(key)
    })
    expect(offenders).toEqual([])
  })
})

describe('the part of a file that is asked for', () => {
  it('is read from the header, or is the whole file where the header is none', async () => {
    const offenders = await findOffenders([
      [undefined, null],
      ['', null],
      ['bytes=0-9', { first: 0, last: 9 }],
      ['bytes=90-', { first: 90, last: 99 }],
      ['bytes=90-500', { first: 90, last: 99 }],
      ['bytes=-10', { first: 90, last: 99 }],
      ['bytes=-500', { first: 0, last: 99 }],
      ['bytes=99-99', { first: 99, last: 99 }],
      ['bytes=100-', 'beyond'],
      ['bytes=-0', 'beyond'],
      ['bytes=9-3', null],
      ['bytes=-', null],
      ['bytes=0-1,5-6', null],
      ['items=0-1', null],
      ['bytes=a-b', null],
    ])((header, expected) => {
      expect(parseRange(header, 100)).toEqual(expected)
    })
    expect(offenders).toEqual([])
  })
})
