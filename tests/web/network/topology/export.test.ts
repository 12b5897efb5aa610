import { describe, expect, it } from 'vitest'
import { exportTexts, createSvg, exportSize } from '#pages/network/topology/canvas/export-png.ts'
import { legendItems } from '#pages/network/topology/legend.tsx'
import { network, painted } from './shapes.ts'

const AT = Date.UTC(2026, 0, 31, 20, 5, 9)

describe('the exported drawing', () => {
  const of = network(2, ['online', 'offline', 'never'])
  const texts = exportTexts({ name: '总部<互联>', painted: painted(of), ...of }, AT)

  it('carries title, time in Asia/Shanghai, counts and brand', () => {
    expect(texts).toEqual({
      title: '总部<互联> 拓扑图',
      subtitle: '2026-02-01 04:05:09 · 成员 5（在线\u00a03 · 离线\u00a01 · 从未上线\u00a01） · 链路 2/4',
      brand: '智能组网控制台',
    })
    expect(exportTexts({ name: 'n', painted: painted(of, true), ...of }, AT).subtitle).toContain('最后已知状态')
  })

  it('has head and legend outside the drawing, as well-formed SVG', () => {
    const size = { width: 300, height: 200 }
    const svg = createSvg({
      ...texts,
      drawing: '<g id="drawing"/>',
      size,
      legend: legendItems(of.links, { ringed: 1 }),
      css: '',
    })
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml')
    expect(parsed.querySelector('parsererror')).toBeNull()
    const words = [...parsed.querySelectorAll('text')].map((text) => text.textContent)
    expect(words).toEqual([
      texts.title,
      texts.subtitle,
      texts.brand,
      '链路连通',
      '链路断开',
      '部分异常',
      '链路未开通',
      '单中心',
    ])
    expect(Number(parsed.documentElement.getAttribute('height'))).toBe(exportSize(size).height)
    expect(exportSize(size).width).toBeGreaterThan(600)
  })
})
