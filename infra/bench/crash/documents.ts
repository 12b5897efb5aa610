import { createHmac } from 'node:crypto'
import { canonicalJson, compileRouter, type NetworkRows } from '../../../worker/domain/network/compile.ts'
import type { AccountRows, MemberRow } from './rows.ts'

/** Canonical document of every hardware router of an account, compiled from all of its rows: hubs read only a part of them. */
export function compileDocuments({ networks, routers }: AccountRows): Map<string, string> {
  const byName = new Map(routers.map((router) => [router.name, router]))
  const toMember = (member: MemberRow) => {
    const { remoteHost = null, probePort = null } = byName.get(member.name) ?? {}
    const isKnown = remoteHost !== null && remoteHost !== '' && probePort !== null && probePort > 0
    return { ...member, routerName: member.name, endpoint: isKnown ? { host: remoteHost, port: probePort } : null }
  }
  const rows = networks.map(({ members, number, ciphers, secret }): NetworkRows => {
    const shown = members.filter((m) => m.routerType === 1 || byName.get(m.name)?.status === 1)
    return { networkNumber: number, ciphers, secret, members: shown.map(toMember) }
  })
  return new Map(
    routers
      .filter(({ routerType }) => routerType === 1)
      .map(({ name }) => {
        const own = rows.filter(({ members }) => members.some((m) => m.routerName === name))
        return [name, canonicalJson(compileRouter(name, own, linkKey))]
      }),
  )
}

const linkKey = (secret: string, linkId: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(linkId).digest('hex')
