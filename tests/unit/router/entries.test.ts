import { describe, expect, it } from 'vitest'
import { ENTRIES } from '#contract/device/limits.ts'
import { areEntries, isEntry, parseEntries, toEntries } from '#domain/router/entries.ts'
import { findOffenders } from '#tests/support/offenders.ts'

describe('DEVICE_ENTRIES', () => {
  it('holds https origins by name, and nothing else', async () => {
    const offenders = await findOffenders([
      ['https://devices.netloom.cn', true],
      ['https://devices.netloom.cn:8443', true],
      ['https://localhost:8443', true],
      ['https://xn--fiq228c.cn', true],
      ['https://1a.2b', true],
      ['http://devices.netloom.cn', false],
      ['wss://devices.netloom.cn', false],
      ['https://devices.netloom.cn/', false],
      ['https://devices.netloom.cn/path', false],
      ['https://Devices.netloom.cn', false],
      ['https://user@devices.netloom.cn', false],
      ['https://203.0.113.7', false],
      ['https://[2001:db8::1]', false],
      ['https://devices.netloom.cn:0', false],
      ['https://devices.netloom.cn:65536', false],
      ['https://-a.cn', false],
      ['https://a..cn', false],
      ['https://a b.cn', false],
      [`https://${'a.'.repeat(130)}cn`, false],
      ['', false],
    ])((text, isOne) => expect(isEntry(text)).toBe(isOne))
    expect(offenders).toEqual([])
  })

  it('is a list whose order counts, without repeats, and of a limited length', () => {
    expect(parseEntries(' https://b.cn ,https://a.cn,https://b.cn,')).toEqual(['https://b.cn', 'https://a.cn'])
    const names = Array.from({ length: ENTRIES.max + 1 }, (_, n) => `https://a${n}.cn`)
    expect(parseEntries(names.slice(1).join())).toHaveLength(ENTRIES.max)
    expect(parseEntries(names.join())).toBeNull()
    expect(parseEntries('https://a.cn,a.cn')).toBeNull()
  })

  it('that is unset, empty or wrong says nothing in a welcome', () => {
    for (const value of [undefined, '', ' , ', 'a.cn']) expect(toEntries(value)).toEqual({})
    expect(toEntries('https://a.cn')).toEqual({ entries: ['https://a.cn'] })
    expect([undefined, '', 'https://a.cn', 'a.cn', 7].map(areEntries)).toEqual([true, true, true, false, false])
  })
})
