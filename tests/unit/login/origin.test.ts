import { describe, expect, it } from 'vitest'
import { evaluateNovelty, originsOf, type SeenOrigin, readDevice } from '#domain/login/origin.ts'
import { regionBlock } from '#domain/login/address-block.ts'
import { findOffenders } from '#tests/support/offenders.ts'

describe('device and browser of a User-Agent', () => {
  const AGENTS: readonly (readonly [agent: string, device: string, browser: string])[] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
      'Windows',
      'Chrome 126',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.56',
      'Windows',
      'Edge 126',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; rv:127.0) Gecko/20100101 Firefox/127.0', 'Windows', 'Firefox 127'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'Mac',
      'Safari 17',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'iPhone',
      'Safari 17',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.49(0x18003131)',
      'iPhone',
      '微信 8',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1',
      'iPad',
      'Chrome 126',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      'Android',
      'Chrome 126',
    ],
    [
      'Mozilla/5.0 (Linux; Android 12; HarmonyOS; NOH-AN00) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0 HuaweiBrowser/15.0 Mobile Safari/537.36',
      '鸿蒙',
      '华为浏览器 15',
    ],
    [
      'Mozilla/5.0 (Linux; U; Android 13; zh-cn) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0 MQQBrowser/14.8 Mobile Safari/537.36',
      'Android',
      'QQ浏览器 14',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0 Safari/537.36 dingtalk-win/1.0 DingTalk/7.6',
      'Windows',
      '钉钉 7',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 OPR/111.0',
      'Linux',
      'Opera 111',
    ],
    ['curl/8.5.0', '未知设备', '未知浏览器'],
    ['', '未知设备', '未知浏览器'],
  ]
  it('are read of each browser', async () => {
    const offenders = await findOffenders(AGENTS)((agent, device, browser) => {
      expect(readDevice(agent)).toMatchObject({ device, browser })
    })
    expect(offenders).toEqual([])
  })
  it('is the same device after an update of the browser', () => {
    expect(readDevice('Windows Chrome/126.0').key).toBe(readDevice('Windows Chrome/131.0').key)
  })
})

describe('news about a sign-in', () => {
  const request = { ip: '203.0.113.9', place: '', ipRegion: '203.0.0.0/16', userAgent: 'Windows Chrome/126.0' }
  const origins = originsOf(request)
  const [device, place] = origins
  const other: SeenOrigin = ['place', '198.51.0.0/16']
  it.each([
    ['nothing at the first one', [], null],
    ['nothing where both are known', [device, place], null],
    ['the place', [device, other], { device: false, place: true }],
    ['the device', [place], { device: true, place: false }],
    ['both', [other], { device: true, place: true }],
  ] as const)('%s', (_, known, novelty) => expect(evaluateNovelty(origins, known)).toEqual(novelty))

  it('the place is what the platform names, else the block of the address', () => {
    expect(place).toEqual(['place', '203.0.0.0/16'])
    expect(originsOf({ ...request, place: '中国 Shanghai' })[1]).toEqual(['place', '中国 Shanghai'])
  })
})

it.each([
  ['203.0.113.9', '203.0.0.0/16'],
  ['::ffff:203.0.113.9', '203.0.0.0/16'],
  ['2001:db8:1:2::3', '2001:db8::/32'],
])('region of %s is %s', (ip, block) => expect(regionBlock(ip)).toBe(block))
