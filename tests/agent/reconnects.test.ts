import { expect, it } from 'vitest'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, assignSlots } from '#infra/agent/drivers/render/slots.ts'
import { type Tunnel, listNetworks } from '#infra/agent/drivers/render/tunnels.ts'
import type { RouterDocument } from '#contract/device/document.ts'
import { reconnectsBetween } from '#domain/network/compile/reconnects.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { TARGET } from './support/render-case.ts'
import { CASES } from './support/tunnel-documents.ts'

/** Options that a software member gets with its admission. */
const ADMISSION = /^push "(?:route |dhcp-option ).*\n/gm

/** Text of each link's process and of its own file at a server, and of each service for software members. */
function textsOf(document: RouterDocument, slots: ReturnType<typeof assignSlots>) {
  const files = renderDocument(document, slots, TARGET)
  const processOf = ({ device }: Tunnel) => files.get(`openvpn/${device}.conf`)?.replaceAll(ADMISSION, '') ?? ''
  const [links, software] = [new Map<string, string>(), new Map<string, string>()]
  for (const { network, tunnels } of listNetworks(document, slots)) {
    for (const tunnel of tunnels) {
      if (tunnel.type === 'software-server') software.set(network.network_number, processOf(tunnel))
      else
        for (const { id, peer } of 'links' in tunnel ? tunnel.links : [tunnel.link])
          links.set(id, processOf(tunnel) + (files.get(`openvpn/ccd/${tunnel.device}/${peer}`) ?? ''))
    }
  }
  return { links, software }
}

const moved = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  [...before].filter(([key, text]) => after.has(key) && after.get(key) !== text).map(([key]) => key)

it('a link reconnects exactly where the text of its process or of its own file changes', async () => {
  const pairs = Object.entries(CASES).flatMap(([one, before]) =>
    Object.entries(CASES).flatMap(([other, after]) =>
      before.router_name === after.router_name ? [[`${one} → ${other}`, before, after] as const] : [],
    ),
  )
  const seen = { links: 0, software: 0 }
  const offenders = await findOffenders(pairs)((_, before, after) => {
    const slots = assignSlots(before, NO_SLOTS)
    const [old, now] = [textsOf(before, slots), textsOf(after, assignSlots(after, slots))]
    const { links, software } = reconnectsBetween(before, after)
    const run = links.filter((id) => old.links.has(id) && now.links.has(id)) // others wait for an address
    expect(run.toSorted()).toEqual(moved(old.links, now.links).toSorted())
    expect(software.toSorted()).toEqual(moved(old.software, now.software).toSorted())
    seen.links += links.length
    seen.software += software.length
  })
  expect(offenders).toEqual([])
  expect(seen.links).toBeGreaterThan(20)
  expect(seen.software).toBeGreaterThan(20)
})
