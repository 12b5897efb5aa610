import { createHmac } from 'node:crypto'
import { ROUTER_TYPE } from '../../worker/contract/limits.ts'
import { driverOf, openDb } from '../../worker/db/client.ts'
import { canonicalJson, compileRouter, type MemberRow, type NetworkRows } from '../../worker/domain/network/compile.ts'
import { saveRouterState, takeRouter } from '../../worker/features/device/queries.ts'
import type { RouterDocument } from '../../worker/contract/protocol.ts'
import { configView } from './config-push.ts'
import type { RouterEvent, RouterState } from './machine.ts'
import { presenceView } from './presence.ts'

type Refreshed = Extract<RouterEvent, { type: 'refreshed' }>

/** Reads a router's rows and compiles its document; null when the router is gone. `hasKey`: its device may connect. */
export async function readRouter(
  env: Env,
  routerId: number,
): Promise<{ event: Refreshed; document: RouterDocument; hasKey: boolean } | null> {
  const { router, members } = await takeRouter(openDb(driverOf(env)), routerId)
  if (!router) return null
  const networks = new Map<number, Member[]>()
  for (const member of members) networks.set(member.networkId, [...(networks.get(member.networkId) ?? []), member])
  // A software member signs in when its user likes; its client reads the document then, and no hub pushes it.
  const rows = router.routerType === ROUTER_TYPE.hardware ? [...networks.values()].map(networkOf) : []
  const document = compileRouter(router.name, rows, linkKey)
  const event: Refreshed = {
    type: 'refreshed',
    router: {
      routerId,
      accountId: router.accountId,
      routerName: router.name,
      networks: [...networks]
        .map(([id, [first]]) => ({ id, number: first?.number ?? '' }))
        .toSorted((a, b) => a.id - b.id),
    },
    enabled: router.status === 1,
    hash: await sha256(canonicalJson(document)),
    isEmpty: document.networks.length === 0,
    floor: router.configVersion ?? 0,
    linkIds: new Set(document.networks.flatMap((network) => network.links.map((link) => link.id))),
  }
  return { event, document, hasKey: router.publicKey !== null }
}

type Member = Awaited<ReturnType<typeof takeRouter>>['members'][number]

function networkOf(members: readonly Member[]): NetworkRows {
  const [first] = members
  if (!first) throw new Error('a network without members')
  return { networkNumber: first.number, ciphers: first.ciphers, secret: first.secret, members: members.map(memberOf) }
}

function memberOf({ remoteHost, probePort, routerType, ...member }: Member): MemberRow {
  const isKnown = remoteHost !== null && remoteHost !== '' && probePort !== null && probePort > 0
  return {
    ...member,
    routerType: routerType === ROUTER_TYPE.software ? ROUTER_TYPE.software : ROUTER_TYPE.hardware,
    endpoint: isKnown ? { host: remoteHost, port: probePort } : null,
  }
}

const linkKey = (secret: string, linkId: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(linkId).digest('hex')

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('hex')
}

/** Stores the present state and the log lines owed; answers the points whose documents an endpoint moved. */
export function saveRouter(env: Env, { router, device, presence, config, outbox }: RouterState): Promise<number[]> {
  if (!router) return Promise.resolve([])
  const shown = presenceView(presence)
  const pushed = configView(config)
  return saveRouterState(
    openDb(driverOf(env)),
    router,
    {
      presence: shown.state,
      presenceSince: shown.since,
      presenceReason: shown.reason,
      lastSeenAt: shown.last_seen,
      remoteHost: device?.remoteHost ?? null,
      probePort: device?.probePort ?? null,
      version: device?.version ?? '',
      mac: device?.mac ?? '',
      interfaces: JSON.stringify(device?.interfaces ?? []),
      configState: pushed.state,
      configVersion: pushed.version,
      configAppliedVersion: pushed.applied_version,
      configReason: pushed.reason,
      configAt: pushed.at,
    },
    outbox.logs,
    outbox.endpointMoved,
  )
}
