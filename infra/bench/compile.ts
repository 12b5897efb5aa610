import { createHash } from 'node:crypto'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import type { DocumentMember, NetworkRows } from '#domain/network/compile/rows.ts'
import { movedDocuments } from '#domain/network/history/impact.ts'
import { DEFAULT_MEMBER_SETTINGS, DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { createLinkKeys } from '#security/link-key.ts'
import { type Finding, median, print } from './report.ts'

const CENTERS = 2
const POINTS = 150
const SOFTWARE = 48
const PREFIX_ROWS = 50
const ROUNDS = 31
const BUDGET_MS = 50

/** Documents of a network of 200 members: as their hubs compile and hash them, and as a save finds out whose move. */
export function benchCompile(): readonly Finding[] {
  const rows = createRows()
  const hardware = rows.members.filter(({ routerType }) => routerType === 1)
  const centers = rows.members.filter(({ memberType }) => memberType === 'center')
  /** A point's hub reads the point and its centres alone. */
  const readBy = (self: DocumentMember): NetworkRows =>
    self.memberType === 'center' ? rows : { ...rows, members: [...centers, self] }
  const compile = (self: DocumentMember) => hash(compileRouter(self.routerName, [readBy(self)], createLinkKeys()))
  const center = timed(() => centers.slice(0, 1).map(compile))
  const all = timed(() => hardware.map(compile))
  const save = timed(() => [...movedDocuments(rows, { ...rows, ciphers: 'sm' })])
  const members = rows.members.length
  const findings: Finding[] = [
    { what: 'document of one centre', value: center, unit: 'ms' },
    { what: `all ${hardware.length} documents`, value: all, unit: 'ms', budget: BUDGET_MS, must: 'stay below' },
    {
      what: 'a save that moves all of them',
      value: save / all,
      unit: 'times that',
      note: `${save.toFixed(1)} ms: each is compiled before and after`,
    },
  ]
  print(`Compiling a network of ${members} members`, findings)
  return findings
}

/** Milliseconds of this thread: another process, the collector or V8's compiler may have the processor in between. */
function timed(run: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  return median(times)
}

const hash = (document: unknown) => createHash('sha256').update(canonicalJson(document)).digest('hex')

function createRows(): NetworkRows {
  const kinds = [
    ...Array<'center'>(CENTERS).fill('center'),
    ...Array<'point'>(POINTS).fill('point'),
    ...Array<'software'>(SOFTWARE).fill('software'),
  ]
  const prefix = Array.from({ length: PREFIX_ROWS }, (_, n) => ({
    ip: `10.${n}.0.0`,
    mask: 16,
    name: '',
    permission: 'permit' as const,
    ge: null,
    le: 32,
  }))
  return {
    networkNumber: 'N1',
    ciphers: 'default',
    secret: 'ab'.repeat(32),
    settings: { ...DEFAULT_NETWORK_SETTINGS, prefix },
    members: kinds.map((kind, n) => ({
      routerId: n + 1,
      routerName: kind === 'software' ? `user${n}@benchfiles` : `NL-${n}`,
      routerType: kind === 'software' ? 2 : 1,
      memberType: kind === 'center' ? 'center' : 'point',
      segmentIndex: kind === 'center' ? n : null,
      host: kind === 'software' ? 4_094 - n : n + 2,
      endpoint: { host: `203.0.113.${n + 1}`, port: 7_000 },
      lans: kind === 'software' ? [] : [`172.${16 + (n >> 4)}.${n}.0/24`],
      staticRoutes: [],
      settings: DEFAULT_MEMBER_SETTINGS,
    })),
  }
}
