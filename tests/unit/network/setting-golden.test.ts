import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  MEMBER_SETTINGS,
  type MemberSetting,
  type MemberSettings,
  NETWORK_SETTINGS,
  type NetworkSetting,
  type NetworkSettings,
} from '#contract/network/settings.ts'
import { NO_PORTS } from '#contract/network/fields.ts'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import type { DocumentMember, NetworkRows, PopNode } from '#domain/network/compile/rows.ts'
import { DEFAULT_MEMBER_SETTINGS, DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { type SettingValues, applySettings } from '#domain/network/history/setting-change.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** Changes that each setting makes to each document. `GOLDEN=write` records the current ones. */
const FOLDER = 'tests/unit/network/golden'

const member = (routerId: number, name: string, over: Partial<DocumentMember> = {}): DocumentMember => ({
  routerId,
  routerName: `${name}${routerId}`,
  routerType: 1,
  memberType: 'point',
  segmentIndex: null,
  host: routerId + 1,
  endpoint: null,
  lans: [`10.${routerId}.0.0/24`],
  staticRoutes: [],
  settings: DEFAULT_MEMBER_SETTINGS,
  ...over,
})
const center = (routerId: number): DocumentMember =>
  member(routerId, 'C', {
    memberType: 'center',
    segmentIndex: routerId + 2,
    endpoint: { host: `203.0.113.${routerId}`, port: 7000 },
  })
const node = (area: number): PopNode => ({
  routerId: 90 + area,
  routerName: `N${90 + area}`,
  areaId: area,
  segmentIndex: 100 + area,
  portIndex: area,
  bandwidth: 50,
  endpoint: { host: `198.51.100.${area}`, port: 7000 },
})
const inArea = (main: number) => ({ ...DEFAULT_MEMBER_SETTINGS, ov: { main, backup: null, priority: 3 } })
const pointLink = (serverId: number, clientId: number, third: number) => ({
  serverId,
  clientId,
  gateway: `172.29.${third}.0`,
  mask: 30,
  port: 24_000 + third,
})

/** Two centres, two points with a link, another one, a software member, and two nodes, of which the first is dialled. */
const ROWS: NetworkRows = {
  networkNumber: 'N1',
  ciphers: 'default',
  secret: 'ab'.repeat(32),
  settings: DEFAULT_NETWORK_SETTINGS,
  members: [
    center(1),
    center(2),
    member(3, 'P', { settings: inArea(1) }),
    member(4, 'P'),
    member(5, 'P'),
    member(6, 'app', { routerType: 2, host: 4094, lans: [], settings: inArea(1) }),
  ],
  pointLinks: [pointLink(3, 4, 1)],
  popNodes: [node(1), node(2)],
  mode: 1,
}
const [CENTERS, POINTS, NODES] = ['C1 C2', 'P3 P4 P5', 'N91 N92']
const NAMES = `${CENTERS} ${POINTS} ${NODES}`.split(' ')

interface Case<T> {
  readonly value: T
  /** Names of the devices whose documents get another hash; empty for none. */
  readonly moves: string
}
type Columns = Omit<SettingValues, 'network' | 'members'>

const OF_NETWORK: { readonly [K in NetworkSetting]: Case<NetworkSettings[K]> } = {
  center_link: {
    value: { enable: 1, server: 1, gateway: '172.30.0.0', mask: 30, ports: { ...NO_PORTS, static_port: 4500 } },
    moves: CENTERS,
  },
  routing: { value: { type: 2, main: 1, secondary: 2 }, moves: `${CENTERS} ${POINTS}` },
  prefix: {
    value: [{ ip: '10.8.0.0', mask: 13, name: '', permission: 'deny', ge: 24, le: 26 }],
    moves: `${CENTERS} P3 P4 ${NODES}`,
  },
  dns: { value: ['10.0.0.53'], moves: NAMES.join(' ') },
  // Its own range is where free segments are proposed from; only those of POP are in documents.
  ip_pool: {
    value: {
      gateway: '10.48.0.0',
      mask: 16,
      pop: { gateway: '10.60.0.0', mask: 16 },
      pop_software: { gateway: '10.61.0.0', mask: 16 },
    },
    moves: `${CENTERS} P3 ${NODES}`,
  },
  point_link: { value: {}, moves: '' }, // a revision: the links are rows of their own
}

const OF_MEMBER: { readonly [K in MemberSetting]: Case<MemberSettings[K]> & { readonly of: number } } = {
  gateway: {
    of: 1,
    value: { router: { gateway: '10.99.0.0', mask: 24 }, software: { gateway: '10.98.0.0', mask: 20 } },
    moves: `C1 ${POINTS} ${NODES}`,
  },
  pool: {
    of: 1,
    value: {
      router: { start: '100.64.96.2', end: '100.64.96.99' },
      software: { start: '100.64.112.2', end: '100.64.112.99' },
    },
    moves: 'C1',
  },
  fixed_port: {
    of: 1,
    value: {
      router_service: { public_ip: '198.51.100.7', public_port: 30_000, static_port: 4000 },
      software_service: { public_ip: null, public_port: 30_001, static_port: 4001 },
    },
    moves: `C1 ${POINTS}`,
  },
  default_route: { of: 5, value: { mode: 1, metric: 60 }, moves: 'P5' },
  quagga: { of: 5, value: { enable: 1 }, moves: `${CENTERS} P5` },
  ov: { of: 5, value: { main: 2, backup: 1, priority: 1 }, moves: `P5 ${NODES}` },
  software_mode: { of: 6, value: { mode: 3 }, moves: '' }, // the client application reads it
}

const OF_COLUMNS: { readonly [K in keyof Columns]-?: Case<NonNullable<Columns[K]>> } = {
  ciphers: { value: 'sm', moves: NAMES.join(' ') },
  pointLinks: { value: [pointLink(3, 4, 1), pointLink(4, 5, 2)], moves: 'P4 P5' },
  popNodes: { value: [node(1)], moves: `${CENTERS} ${NODES}` },
  mode: { value: 2, moves: 'P3 N91' },
  hosts: { value: [{ routerId: 5, host: 77 }], moves: `${CENTERS} P5` },
}

const STATIC_ROUTES: Case<DocumentMember['staticRoutes']> = {
  value: [{ prefix: '10.70.0.0/16', via: '10.5.0.9' }],
  moves: `${CENTERS} P5`,
}

interface Row {
  readonly after: NetworkRows
  readonly moves: string
  /** Mbit/s in force of a SaaS device, by its name. */
  readonly bandwidth?: Readonly<Record<string, number>>
}
const CASES: Readonly<Record<string, Row>> = {
  ...mapCases(OF_NETWORK, (setting, { value }) => ({ network: { [setting]: value } })),
  ...mapCases(OF_MEMBER, (setting, { of, value }) => ({ members: { [setting]: [{ routerId: of, value }] } })),
  ...mapCases(OF_COLUMNS, (column, { value }) => ({ [column]: value })),
  static_routes: {
    after: {
      ...ROWS,
      members: ROWS.members.map((m) => (m.routerId === 5 ? { ...m, staticRoutes: STATIC_ROUTES.value } : m)),
    },
    moves: STATIC_ROUTES.moves,
  },
  bandwidth: { after: ROWS, bandwidth: { P5: 50 }, moves: 'P5' },
  vpn: { after: withMembers([1, 3, 4], { vpn: true }), moves: 'C1 P3 P4' },
  disabled: { after: withMembers([2], { vpn: true, isLeftOut: true }), moves: `${POINTS} ${NODES}` },
}

function withMembers(ids: readonly number[], over: Partial<DocumentMember>): NetworkRows {
  return { ...ROWS, members: ROWS.members.map((m) => (ids.includes(m.routerId) ? { ...m, ...over } : m)) }
}

function mapCases<T extends Case<unknown>>(
  table: Readonly<Record<string, T>>,
  toValues: (key: string, row: T) => object,
): Record<string, Row> {
  return Object.fromEntries(
    Object.entries(table).map(([key, row]) => [
      key,
      { after: applySettings(ROWS, toValues(key, row) as SettingValues), moves: row.moves },
    ]),
  )
}

const compile = (rows: NetworkRows, name: string, bandwidth: Row['bandwidth'] = {}) => {
  const isNamed = [...rows.members, ...(rows.popNodes ?? [])].some(({ routerName }) => routerName === name)
  return compileRouter(name, isNamed ? [rows] : [], () => 'ab'.repeat(16), bandwidth[name])
}

/** Each path that differs, old → new; an entry of a list stands under what names it. */
function difference(before: unknown, after: unknown, path = ''): string[] {
  if (canonicalJson(before) === canonicalJson(after)) return []
  const [old, now] = [toParts(before), toParts(after)]
  if (!old || !now) return [`  ${path}: ${toText(before)} → ${toText(after)}`]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .toSorted()
    .flatMap((key) => difference(old[key], now[key], `${path}/${key}`))
}

const toText = (value: unknown) => (value === undefined ? '-' : canonicalJson(value))
const IDS = ['id', 'service', 'center', 'router_name', 'network_number', 'segment']

/** Entries of an object or of a list of objects; null for a plain value or a list of such. */
function toParts(value: unknown): Readonly<Record<string, unknown>> | null {
  if (value === null || typeof value !== 'object') return null
  if (!Array.isArray(value)) return value as Record<string, unknown>
  if (!value.every((item) => item !== null && typeof item === 'object')) return null
  return Object.fromEntries(
    value.map((item: Record<string, unknown>, index) => [
      `[${String(item[IDS.find((key) => key in item) ?? ''] ?? index)}]`,
      item,
    ]),
  )
}

const movedNames = ({ after, bandwidth }: Row) =>
  NAMES.filter((name) => canonicalJson(compile(ROWS, name)) !== canonicalJson(compile(after, name, bandwidth)))
const toGolden = (row: Row) =>
  movedNames(row)
    .map((name) => [name, ...difference(compile(ROWS, name), compile(row.after, name, row.bandwidth)), ''].join('\n'))
    .join('\n')

if (process.env['GOLDEN'] === 'write') {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER)
  for (const [key, row] of Object.entries(CASES)) writeFileSync(`${FOLDER}/${key}.txt`, toGolden(row))
}

describe('design 8 · routers whose document a setting moves, and its changes', () => {
  it('each setting moves the documents of its row, as in its golden file', async () => {
    const offenders = await findOffenders(Object.entries(CASES))((key, row) => {
      expect(movedNames(row).join(' ')).toBe(row.moves)
      expect(toGolden(row)).toBe(readFileSync(`${FOLDER}/${key}.txt`, 'utf8'))
    })
    expect(offenders).toEqual([])
  })

  it('stands there for every setting, and for nothing else', () => {
    const settings = [...Object.keys(NETWORK_SETTINGS), ...Object.keys(MEMBER_SETTINGS)]
    expect(Object.keys(CASES)).toEqual(expect.arrayContaining(settings))
    expect(readdirSync(FOLDER).toSorted()).toEqual(
      Object.keys(CASES)
        .map((key) => `${key}.txt`)
        .toSorted(),
    )
  })
})
