import { expect, it } from 'vitest'
import { planOpenvpn, settledOpenvpn } from '#infra/agent/drivers/linux/openvpn/plan.ts'
import { wantedOpenvpn } from '#infra/agent/drivers/linux/openvpn/wanted.ts'
import type { Rendering } from '#infra/agent/drivers/linux/tool.ts'
import { type Tunnel, listNetworks } from '#infra/agent/drivers/render/tunnels.ts'
import type { RouterDocument } from '#contract/device/document.ts'
import { reconnectsBetween } from '#domain/network/compile/reconnects.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { renderingOf, withKeys } from './support/renderings.ts'

/* The rule by which the console names links that reconnect, against the plan of the driver. */

const keyOf = ({ type, device }: Tunnel, peer: string) => (type === 'software-server' ? device : `${device} ${peer}`)

/** Links and services of a rendering by their processes; one server has many links. */
function tunnelsOf({ document, slots }: Rendering) {
  const [links, software] = [new Map<string, string>(), new Map<string, string>()]
  for (const { network, tunnels } of listNetworks(document, slots))
    for (const tunnel of tunnels) {
      if (tunnel.type === 'software-server') software.set(network.network_number, keyOf(tunnel, ''))
      else
        for (const { id, peer } of 'links' in tunnel ? tunnel.links : [tunnel.link]) links.set(id, keyOf(tunnel, peer))
    }
  return { links, software }
}

/** Links and networks whose process the plan restarts, or whose session it ends, by the same process as before. */
function planned(before: RouterDocument, after: RouterDocument) {
  const old = renderingOf(before)
  const now = renderingOf(after, old.slots)
  const steps = planOpenvpn(settledOpenvpn(wantedOpenvpn(old)), wantedOpenvpn(now))
  const restarted = new Set(steps.flatMap(({ action, reconnects }) => (action === 'stop' ? reconnects : [])))
  const ended = new Set(
    steps.flatMap((step) =>
      step.action === 'clients' && step.phase === 'stop' ? step.names.map((name) => `${step.device} ${name}`) : [],
    ),
  )
  const [was, is] = [tunnelsOf(old), tunnelsOf(now)]
  const moved = (ofOld: ReadonlyMap<string, string>, ofNow: ReadonlyMap<string, string>) =>
    [...ofOld]
      .filter(([id, key]) => ofNow.has(id) && (ofNow.get(id) !== key || ended.has(key) || isRestarted(key)))
      .map(([id]) => id)
      .toSorted()
  const isRestarted = (key: string) => restarted.has(key.replace(/ .*/, ''))
  return { links: moved(was.links, is.links), software: moved(was.software, is.software), was, is }
}

const KEYS = [{}, { ca: 'other' }, { revoked: 'more' }] as const

it('infra/docs/agent.md · links and software members reconnect by the rule exactly where the plan ends their tunnels', async () => {
  const pairs = Object.entries(CASES).flatMap(([one, before]) =>
    Object.entries(CASES).flatMap(([other, after]) =>
      before.router_name === after.router_name
        ? KEYS.map(
            (keys) => [`${one} → ${other} ${JSON.stringify(keys)}`, withKeys(before), withKeys(after, keys)] as const,
          )
        : [],
    ),
  )
  const seen = { links: 0, software: 0, quiet: 0 }
  const offenders = await findOffenders(pairs)((_, before, after) => {
    const { links, software } = reconnectsBetween(before, after)
    const { was, is, ...plan } = planned(before, after)
    const running = links.filter((id) => was.links.has(id) && is.links.has(id)) // the others wait for an address
    expect(running.toSorted()).toEqual(plan.links)
    expect(software.toSorted()).toEqual(plan.software)
    seen.links += links.length
    seen.software += software.length
    seen.quiet += links.length + software.length === 0 ? 1 : 0
  })
  expect(offenders).toEqual([])
  expect(Math.min(seen.links, seen.software, seen.quiet)).toBeGreaterThan(50)
})
