import { describe, expect, it } from 'vitest'
import { siteApi } from '#contract/site/index.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'

/** Local runs answer to local hosts alone. */
const local = createTestWorker()
const deployed = createTestWorker({ env: { ENVIRONMENT: 'production' } })

const COPYRIGHT = '© 2026 织联网络科技有限公司'
const FILING = '沪ICP备2026000000号-1'

const CONSOLE = { clause: 'console', privacy: 'console' }
const ofCarrier = (name: string) => ({ clause: `/legal/${name}-clause.md`, privacy: `/legal/${name}-privacy.md` })

/** Brand of each host: the company's own lines on the main host and localhost, none of them on a carrier's. */
const HOSTS = [
  // host, brand name, title, logo, handbook, copyright, filing number, terms and privacy
  ['console.netloom.cn', '织联', '织联智能组网控制台', '/brand/netloom.svg', true, COPYRIGHT, FILING, CONSOLE],
  ['localhost', '织联', '织联智能组网控制台', '/brand/netloom.svg', true, COPYRIGHT, FILING, CONSOLE],
  ['xingqiao.netloom.cn', null, '星桥云专线控制台', '/brand/xingqiao.svg', false, null, null, ofCarrier('xingqiao')],
  ['qianfan.netloom.cn', '千帆通', '千帆通组网控制台', '/brand/qianfan.svg', false, null, null, ofCarrier('qianfan')],
  ['lantu.netloom.cn', '蓝途', '蓝途企业互联控制台', '/brand/lantu.svg', false, null, null, ofCarrier('lantu')],
  ['other.example', null, '智能组网控制台', '', false, null, null, null],
] as const

describe('account 1 · site/config · every link by host', () => {
  it.each(HOSTS)('%s', async (host, name, title, logo, handbook, copyright, filing_number, terms) => {
    for (const [worker, environment] of [
      [deployed, 'production'],
      ...(host === 'localhost' ? ([[local, 'local']] as const) : []),
    ] as const) {
      const response = await worker.request(`//${host}/api/v1/${siteApi.config.path}`)
      const { data } = await response.json<{ data: unknown }>()
      expect(data).toMatchObject({ name, title, logo, handbook, copyright, filing_number, terms, environment })
    }
  })

  it('the lines of one brand are on no other host', async () => {
    const texts = await Promise.all(
      HOSTS.map(async ([host]) => (await deployed.request(`//${host}/api/v1/${siteApi.config.path}`)).text()),
    )
    const marks = [/织联|netloom\.svg|沪ICP备/, /星桥|xingqiao/, /千帆|qianfan/, /蓝途|lantu/]
    expect(texts.map((text) => marks.map((mark) => mark.test(text)))).toEqual([
      [true, false, false, false],
      [true, false, false, false],
      [false, true, false, false],
      [false, false, true, false],
      [false, false, false, true],
      [false, false, false, false],
    ])
  })
})
