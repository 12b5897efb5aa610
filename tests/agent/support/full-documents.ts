import type { RouterDocument } from '#contract/device/document.ts'
import { withKeys } from '../linux/support/renderings.ts'
import {
  ROWS,
  SERVICES,
  access,
  centerNetwork,
  device,
  pair,
  pointNetwork,
  pop,
  popNetwork,
  routed,
  twin,
} from './tunnel-parts.ts'

/* Documents with a value in every field, and their leaves. */

/** Documents in which every field has a value, by role. */
export const FULL: Readonly<Record<string, RouterDocument>> = {
  center: withKeys(
    device(
      'NL-A',
      1,
      '10.12.0.0/24',
      [
        centerNetwork({
          ...routed({ rows: [{ ...ROWS[1]! }], paths: 2, default: { mode: 'advertise', metric: 30 } }),
          addresses: [{ center: 'NL-A', segment: '100.64.0.0/20', ip: '100.64.0.1' }],
          servers: SERVICES.map((server) => ({ ...server, rate_mbps: 40 })),
          links: [access('N1', 1, 'A').server, twin('server')],
          dns: ['10.12.0.53'],
        }),
      ],
      { lans: [{ segment: '10.60.0.0/16', via: '10.12.0.9' }], bandwidth_mbps: 50 },
    ),
  ),
  point: withKeys(
    device(
      'NL-P1',
      21,
      '10.13.1.0/24',
      [
        pointNetwork(
          { ...routed({ rows: [{ ...ROWS[1]! }], default: { mode: 'receive', metric: null } }), dns: ['10.12.0.53'] },
          [
            {
              ...access('N1', 1, 'A').client,
              endpoint: { host: '203.0.113.10', port: 40_000 },
              endpoints: [{ host: '203.0.113.10', port: 40_000 }],
            },
            pop(1, 50),
            pair('client'),
          ],
        ),
      ],
      { lans: [{ segment: '10.60.0.0/16', via: '10.13.1.9' }], bandwidth_mbps: 50 },
    ),
  ),
  pop: withKeys(device('POP-1', 901, '10.0.0.0/24', [popNetwork('N1', 21_000)])),
}

export type Keys = readonly (string | number)[]
export type Leaf = readonly [path: string, keys: Keys, value: unknown]

/** Leaves with a path in which links and services are named by their kind, and other items by none. */
export function leavesOf(value: unknown, path = '', keys: Keys = []): Leaf[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item: unknown, index) => leavesOf(item, `${path}[${nameOf(item)}]`, [...keys, index]))
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([key, item]) =>
      leavesOf(item, path === '' ? key : `${path}.${key}`, [...keys, key]),
    )
  return [[path, keys, value]]
}

function nameOf(item: unknown): string {
  const { kind, role, service } = (item ?? {}) as { kind?: string; role?: string; service?: string }
  return service ?? (kind === undefined ? '' : `${kind} ${role}`)
}

export function withValue(document: RouterDocument, keys: Keys, value: unknown): unknown {
  const copy = structuredClone(document)
  let at = copy as unknown as Record<string | number, unknown>
  for (const key of keys.slice(0, -1)) at = at[key] as typeof at
  at[keys.at(-1)!] = value
  return copy
}
