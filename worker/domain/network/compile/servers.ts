import type { DocumentServer } from '#contract/device/document.ts'
import { defaultPort } from '../addresses/ports.ts'
import { hostAddress, sortSegments } from '../addresses/segments.ts'
import { type DocumentMember, type NetworkView, twinOf } from './rows.ts'
import { blockingRow } from '../routing/prefix-rows.ts'
import { declaredByAll, declaredLans, maskOf, toPool, serviceSegments } from './server-segments.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Compiles the services of a centre: one for routers, and one for software with accounts and routes. */

export const servicePort = (center: DocumentMember, service: 'router' | 'software'): number =>
  center.settings.fixed_port[`${service}_service`].static_port ?? defaultPort(center.segmentIndex ?? 0, service)

/** Empty for a point. */
export function compileServers(view: NetworkView): DocumentServer[] {
  const { self } = view
  if (self.memberType !== 'center') return []
  const { router, software } = serviceSegments(self)
  const base = { ip: '', rate_mbps: null }
  return [
    {
      ...base,
      service: 'router',
      port: servicePort(self, 'router'),
      ip: hostAddress(router, 1),
      mask: maskOf(router),
      pool: null,
      accounts: [],
      routes: [],
    },
    {
      ...base,
      service: 'software',
      port: servicePort(self, 'software'),
      ip: hostAddress(software, 1),
      mask: maskOf(software),
      pool: toPool(software, self.settings.pool.software),
      accounts: listAccounts(view, software),
      routes: routesBehind(view),
    },
  ]
}

/** Host numbers are fixed, so each centre gives a member the address of its own segment without any allocation. */
const listAccounts = ({ members }: NetworkView, software: string): DocumentServer['accounts'] =>
  members.filter(({ routerType }) => routerType === ROUTER_TYPE.software).map((member) => toAccount(member, software))

export const toAccount = (
  { routerId, routerName, host, credentialVersion }: DocumentMember,
  software: string,
): DocumentServer['accounts'][number] => ({
  id: routerId,
  name: routerName,
  ip: hostAddress(software, host),
  credential_version: credentialVersion ?? 0,
})

/** Segments behind a centre: its own LANs, and those of its points and its twin centre that the prefix rows permit. */
export function routesBehind(view: Pick<NetworkView, 'self' | 'members' | 'settings'>): string[] {
  const { self, members, settings } = view
  const twin = twinOf(view)
  const behind = declaredByAll(members.filter((m) => m === twin || m.memberType === 'point'))
  return sortSegments([
    ...declaredLans(self),
    ...behind.filter((segment) => blockingRow(settings.prefix, segment) === null),
  ])
}
