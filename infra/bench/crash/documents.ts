import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import { type NetworkRows, toNetworkRows } from '#domain/network/compile/rows.ts'
import { createLinkKeys } from '#security/link-key.ts'
import type { AccountRows } from './rows.ts'

/** Canonical document of every hardware router of an account, compiled from all of its rows: hubs read only a part of them. */
export function compileDocuments({ networks, routers }: AccountRows): Map<string, string> {
  const byName = new Map(routers.map((router) => [router.name, router]))
  const rows = networks.map((network): NetworkRows => {
    const shown = network.members.filter((m) => m.routerType === 1 || byName.get(m.name)?.status === 1)
    const members = shown.map((member) => {
      const { remoteHost = null, probePort = null, lans = null, staticRoutes = '[]' } = byName.get(member.name) ?? {}
      return { ...member, routerName: member.name, remoteHost, probePort, lans, staticRoutes }
    })
    return toNetworkRows(network, members)
  })
  return new Map(
    routers
      .filter(({ routerType }) => routerType === 1)
      .map(({ name }) => {
        const own = rows.filter(({ members }) => members.some((m) => m.routerName === name))
        return [name, canonicalJson(compileRouter(name, own, createLinkKeys()))]
      }),
  )
}
