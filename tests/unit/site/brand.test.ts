import { describe, expect, it } from 'vitest'
import { toConsoleOrigin, displayName, hostOfAccount, listedHost, toBrand } from '#domain/site/brand.ts'

describe('account 1 · brand of a host', () => {
  it.each([
    ['console.netloom.cn', 'console.netloom.cn'],
    ['CONSOLE.Netloom.cn', 'console.netloom.cn'],
    ['console.netloom.cn.', 'console.netloom.cn'],
    ['localhost', 'console.netloom.cn'],
    ['127.0.0.1', 'console.netloom.cn'],
    ['xingqiao.netloom.cn', 'xingqiao.netloom.cn'],
    ['evil.netloom.cn', null],
    ['console.netloom.cn.evil.com', null],
    ['unlisted', null],
    ['', null],
    ['__proto__', null],
  ])('%s is listed as %s', (hostname, host) => expect(listedHost(hostname)).toBe(host))

  it.each([
    ['console.netloom.cn', '织联'],
    ['xingqiao.netloom.cn', '星桥云专线控制台'], // shows no brand name, but a title
    ['qianfan.netloom.cn', '千帆通'],
    ['unlisted', null],
    ['elsewhere.example.com', null],
  ])('%s calls itself %s', (host, name) => expect(displayName(host)).toBe(name))

  it('a host that is not listed shows nothing of ours', () => {
    expect(toBrand('elsewhere.example.com')).toMatchObject({ name: null, logo: '', copyright: null, terms: false })
  })

  it('an account of an older release is the main host’s', () => {
    expect(['', 'xingqiao.netloom.cn', 'unlisted'].map(hostOfAccount)).toEqual([
      'console.netloom.cn',
      'xingqiao.netloom.cn',
      'unlisted',
    ])
  })

  it.each([
    ['console.netloom.cn', undefined, 'https://console.netloom.cn'],
    ['xingqiao.netloom.cn', undefined, 'https://xingqiao.netloom.cn'],
    ['unlisted', undefined, 'https://console.netloom.cn'],
    ['evil.example.com', undefined, 'https://console.netloom.cn'],
    ['console.netloom.cn', 'http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['xingqiao.netloom.cn', 'http://127.0.0.1:8787', 'https://xingqiao.netloom.cn'],
  ])('links of %s in a run at %s lead to %s', (host, local, origin) =>
    expect(toConsoleOrigin(host, local)).toBe(origin),
  )
})
