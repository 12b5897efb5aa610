import type { DocumentRouting } from '#contract/device/document.ts'
import { type NetworkView, hasPointLinks, twinOf } from './rows.ts'
import { sortSegments } from '../addresses/segments.ts'
import { serviceSegments, nodeSegments, nodesOf } from './server-segments.ts'

/* Compiles the routing part of a router's document. */

const DEFAULT_MODE = ['off', 'advertise', 'receive'] as const

/** Prefix rows apply at centres and at both ends of a point link. */
export function compileRouting(view: NetworkView): DocumentRouting {
  const { self, centers, settings } = view
  const isCenter = self.memberType === 'center'
  const twin = twinOf(view)
  const { mode, metric } = self.settings.default_route
  return {
    paths: countPaths(view),
    announce: self.settings.quagga.enable === 1 ? 'connected' : 'declared',
    rows: isCenter || hasPointLinks(view) ? settings.prefix.map(toRow) : [],
    system: sortSegments([
      ...(isCenter ? [self, ...(twin ? [twin] : [])] : centers).map((center) => serviceSegments(center).software),
      ...(isCenter ? (view.popNodes ?? []) : nodesOf(view, self)).map((node) => nodeSegments(view, node).software),
    ]),
    default: { mode: DEFAULT_MODE[mode], metric },
  }
}

export const toRow = ({ ip, mask, permission, ge, le }: NetworkView['settings']['prefix'][number]) => ({
  permit: permission === 'permit',
  prefix: `${ip}/${mask}`,
  ge,
  le,
})

/** Number of equal-cost paths: one per centre at a point, unless one centre is the main router. */
export const countPaths = ({ self, centers, settings }: Pick<NetworkView, 'self' | 'centers' | 'settings'>): number =>
  self.memberType === 'center' || settings.routing.type === 2 ? 1 : Math.max(1, centers.length)
