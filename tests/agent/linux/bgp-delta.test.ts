import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { joinCommands, leaveCommands } from '#infra/agent/drivers/linux/frr/bgp-delta.ts'
import { type BgpConfig, EMPTY_CONFIG, parseBgpConfig } from '#infra/agent/drivers/linux/frr/running-config.ts'
import { withScratchBgpd } from '#infra/agent/drivers/linux/frr/scratch-bgpd.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, type Slots, assignSlots } from '#infra/agent/drivers/render/slots.ts'
import { missingTools } from '#infra/local/network-tools.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { anyDocument } from '../support/random-documents.ts'
import { TARGET, renderCase } from '../support/render-case.ts'
import { loadIntoBgpd, loadLines } from '../support/scratch-bgpd.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { access, center, centerNetwork } from '../support/tunnel-parts.ts'

const FRR = /^frr\//
const delta = (from: BgpConfig, to: BgpConfig) => [...leaveCommands(from, to), ...joinCommands(from, to)]
const textsOf = (files: ReadonlyMap<string, string>) => [...files].filter(([path]) => FRR.test(path))

function render(document: RouterDocument, before: Slots): { text: string; slots: Slots } {
  const slots = assignSlots(document, before)
  return { text: renderDocument(document, slots, TARGET).get('frr/bgpd.conf') ?? '', slots }
}

describe('commands between two BGP configurations', () => {
  it('are none from a configuration to itself, and from nothing the configuration', () => {
    for (const name of Object.keys(CASES)) {
      for (const [, text] of textsOf(renderCase(name))) {
        const config = parseBgpConfig(text)
        expect(delta(config, config)).toEqual([])
        const lines = new Set(delta(EMPTY_CONFIG, config).map((line) => line.trim()))
        const lost = text.split('\n').filter((line) => line.trim() && !lines.has(line.trim()))
        expect(lost.filter((line) => line !== 'exit')).toEqual([])
      }
    }
  })

  it('of a changed row name its list alone, and release its effect at once', () => {
    const text = renderCase('prefix-rows-center').get('frr/bgpd.conf')!
    const changed = text.replace('deny 10.13.0.128/25 le 32', 'permit 10.13.0.128/25')
    expect(delta(parseBgpConfig(text), parseBgpConfig(changed))).toEqual([
      'bgp route-map delay-timer 600',
      'no ip prefix-list ROWS-1 seq 5 deny 10.13.0.128/25 le 32',
      'ip prefix-list ROWS-1 seq 5 permit 10.13.0.128/25',
      'bgp route-map delay-timer 0',
    ])
  })

  it('of a peer that goes come first, and are alone before its tunnel goes', () => {
    const [both, one] = [
      parseBgpConfig(renderCase('two-centers-share-load-point').get('frr/bgpd.conf')!),
      parseBgpConfig(renderCase('point').get('frr/bgpd.conf')!),
    ]
    expect(leaveCommands(both, one)).toEqual(['router bgp 4200000021', 'no neighbor 100.64.32.1', 'exit'])
    expect(leaveCommands(one, both)).toEqual([])
  })

  it('of another number of this system take the old one off', () => {
    const text = renderCase('point').get('frr/bgpd.conf')!
    const [from, to] = [parseBgpConfig(text), parseBgpConfig(text.replace('router bgp 4200000021', 'router bgp 7'))]
    expect(leaveCommands(from, to)).toEqual(['no router bgp 4200000021'])
    expect(joinCommands(from, to)).toContain('neighbor 100.64.0.1 remote-as 4200000001')
  })

  it('of a changed filter let its peer send its routes again', () => {
    const text = renderCase('center').get('frr/bgpd.conf')!
    const changed = text.replace('permit 10.13.2.0/24', 'permit 10.13.9.0/24')
    expect(delta(parseBgpConfig(text), parseBgpConfig(changed)).slice(-2)).toEqual([
      'bgp route-map delay-timer 0',
      'do clear bgp ipv4 unicast 100.64.0.22 soft in',
    ])
  })

  it('of a member that joins a large centre are few, and none of a map', () => {
    const render = (points: number) => {
      const links = Array.from({ length: points }, (_, index) => access('N1', index + 1, 'A').server)
      return parseBgpConfig(renderDocument(center(centerNetwork({ links })), SLOTS, TARGET).get('frr/bgpd.conf')!)
    }
    const SLOTS = assignSlots(
      center(centerNetwork({ links: Array.from({ length: 101 }, (_, i) => access('N1', i + 1, 'A').server) })),
      NO_SLOTS,
    )
    const lines = delta(render(100), render(101))
    expect([lines.length, lines.filter((line) => line.startsWith('route-map'))]).toEqual([21, []])
  })

  it('release what an interrupted change held back', () => {
    const text = renderCase('point').get('frr/bgpd.conf')!
    const held = parseBgpConfig(text.replace('delay-timer 0', 'delay-timer 600'))
    expect(delta(held, parseBgpConfig(text))).toEqual(['bgp route-map delay-timer 0'])
  })
})

const missing = missingTools()
if (missing.length > 0) console.log(`skipped: no bgpd takes changes (${missing.join(', ')} needed)`)

describe.skipIf(missing.length > 0)('bgpd', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nl-bgp-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('prints each rendered case as it was rendered', async () => {
    const offenders = await findOffenders(Object.keys(CASES))(async (name) => {
      for (const [, text] of textsOf(renderCase(name))) {
        const { refused, config } = await loadIntoBgpd(folder, text)
        expect(refused).toEqual([])
        expect(config).toEqual(parseBgpConfig(text))
        expect(delta(config, parseBgpConfig(text))).toEqual([])
      }
    })
    expect(offenders).toEqual([])
  })

  it('has after a change exactly what it has from nothing', { timeout: 900_000 }, async () => {
    const runs = inject('isFull') ? 500 : 20
    let changes = 0
    await fc.assert(
      fc.asyncProperty(anyDocument, anyDocument, async (a, b) => {
        const from = render(a, NO_SLOTS)
        const to = render(b, from.slots)
        const wanted = parseBgpConfig(to.text)
        await withScratchBgpd(folder, async (socket) => {
          const before = await loadLines(socket, joinCommands(EMPTY_CONFIG, parseBgpConfig(from.text)))
          expect(before.refused).toEqual([])
          const lines = delta(before.config, wanted)
          const after = await loadLines(socket, lines)
          expect([lines, after.refused]).toEqual([lines, []])
          expect(after.config).toEqual(wanted)
          if (lines.length > 0) changes += 1
        })
      }),
      { numRuns: runs, seed: inject('seed') },
    )
    expect(changes).toBeGreaterThan(runs * 0.8)
  })
})
