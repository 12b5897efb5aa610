import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import config from '#infra/hosts.json' with { type: 'json' }
import {
  toConsoleOrigin,
  displayName,
  hostOfAccount,
  listedHost,
  localSites,
  toBrand,
  trialAt,
} from '#domain/site/brand.ts'

describe('account 1 · brand of a host', () => {
  it.each([
    ['console.netloom.cn', 'console.netloom.cn'],
    ['CONSOLE.Netloom.cn', 'console.netloom.cn'],
    ['console.netloom.cn.', 'console.netloom.cn'],
    ['localhost', 'console.netloom.cn'],
    ['127.0.0.1', 'console.netloom.cn'],
    ['xingqiao.netloom.cn', 'xingqiao.netloom.cn'],
    ['qianfan.localhost', 'qianfan.netloom.cn'],
    ['Console.localhost', 'console.netloom.cn'],
    ['evil.localhost', null],
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
    expect(toBrand('elsewhere.example.com')).toMatchObject({ name: null, logo: '', copyright: null, terms: null })
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

it('only a run on this machine grants trial seats, unless a host enables them', () => {
  const hosts = [...Object.keys(config.hosts), 'unlisted', 'elsewhere.example.com', '__proto__']
  expect(hosts.map(trialAt).filter((trial) => trial !== null)).toEqual([])
  expect(['localhost', '127.0.0.1'].map(trialAt)).toEqual([
    { seats: 3, days: 14 },
    { seats: 3, days: 14 },
  ])
})

describe('account 1 · legal texts of a host', () => {
  it('each host that asks for consent has two texts that open', () => {
    const files = Object.entries(config.hosts).flatMap(([host, { terms }]) =>
      terms === null ? [] : Object.values(terms).map((source) => [host, source] as const),
    )
    expect(files.length).toBeGreaterThanOrEqual(8)
    const broken = files.filter(([, source]) => {
      if (source === 'console' || /^https:\/\/[\w.-]+\//.test(source)) return false
      const path = `web/public${source}`
      return !source.endsWith('.md') || !existsSync(path) || readFileSync(path, 'utf8').trim().length < 200
    })
    expect(broken).toEqual([])
  })

  it('no two hosts share a text of their own', () => {
    const texts = Object.values(config.hosts).flatMap(({ terms }) => (terms === null ? [] : Object.values(terms)))
    const own = texts.filter((source) => source !== 'console')
    expect(own).toEqual([...new Set(own)])
  })
})

it('a local run has a name for each host', () => {
  expect(localSites().map(({ hostname }) => hostname)).toEqual([
    'console.localhost',
    'xingqiao.localhost',
    'qianfan.localhost',
    'lantu.localhost',
  ])
})
