import { hashOfText } from '../processes/process-table.ts'
import type { Step } from '../tool.ts'
import { type OpenvpnWanted, type WantedProcess, takesClients, wantedKeys } from './wanted.ts'

/* Pure plan of OpenVPN: steps from what runs and lies on the disk to what a document wants. */

export interface OpenvpnObserved {
  /** Hashes of the texts of running processes, by interface name. */
  readonly processes: Readonly<Record<string, string>>
  /** Networks of running processes, by interface name. */
  readonly networks: Readonly<Record<string, string>>
  /** Client files on the disk, by interface and name. */
  readonly clients: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Certificates and keys on the disk, by network number. */
  readonly keys: Readonly<
    Record<string, { readonly ca: string; readonly certificate: string; readonly control: string }>
  >
  readonly revoked: Readonly<Record<string, string>>
  /** Hashes of the texts of processes that ended and are not started now: a timer starts them, or they ended too often. */
  readonly paused: Readonly<Record<string, string>>
  /** Process that restarts for the renewed certificate on the disk; one at a time. */
  readonly expiring: string | null
}

export type OpenvpnStep = Step &
  (
    | { readonly action: 'stop'; readonly devices: readonly string[] }
    | { readonly action: 'keys'; readonly number: string }
    | { readonly action: 'revoked'; readonly number: string }
    /** Files of clients that come. */
    | { readonly action: 'addClients'; readonly device: string; readonly names: readonly string[] }
    /** Files of clients that leave or change: their sessions end. */
    | { readonly action: 'moveClients'; readonly device: string; readonly names: readonly string[] }
    | { readonly action: 'start'; readonly device: string }
  )

export function settledOpenvpn({ processes, keys }: OpenvpnWanted): OpenvpnObserved {
  return {
    processes: mapValues(processes, ({ text }) => hashOfText(text)),
    networks: mapValues(processes, ({ network }) => network),
    clients: mapValues(
      Object.fromEntries(Object.entries(processes).filter(([, each]) => takesClients(each))),
      ({ clients }) => clients,
    ),
    keys: mapValues(keys, ({ ca, certificate, control }) => ({ ca, certificate, control })),
    revoked: mapValues(keys, ({ revoked }) => revoked),
    paused: {},
    expiring: null,
  }
}

export function planOpenvpn(observed: OpenvpnObserved, wanted: OpenvpnWanted): readonly OpenvpnStep[] {
  const names = sorted(Object.keys(wanted.processes))
  const isRight = (device: string) => {
    const want = wanted.processes[device]
    return want !== undefined && observed.processes[device] === hashOfText(want.text) && observed.expiring !== device
  }
  const leaving = sorted([...Object.keys(observed.processes), ...Object.keys(observed.clients)]).filter(
    (device) => !isRight(device) && (device in observed.processes || !(device in wanted.processes)),
  )
  const starting = names.filter((device) => !isRight(device) && !isPaused(observed, device, wanted.processes[device]))
  return [
    ...stopSteps(leaving, observed, wanted),
    ...keySteps(observed, wanted),
    ...names.flatMap((device) => clientSteps(device, observed, wanted, isRight(device))),
    ...starting.map((device) => startStep(device, wanted)),
  ]
}

function stopSteps(leaving: readonly string[], observed: OpenvpnObserved, wanted: OpenvpnWanted): OpenvpnStep[] {
  if (leaving.length === 0) return []
  const networks = sorted(
    leaving.flatMap((device) =>
      [observed.networks[device], wanted.processes[device]?.network].filter((each) => each !== undefined),
    ),
  )
  const reconnects = leaving.filter((device) => device in wanted.processes)
  return [{ phase: 'stop', action: 'stop', devices: leaving, networks, reconnects }]
}

const isPaused = ({ paused }: OpenvpnObserved, device: string, want: WantedProcess | undefined): boolean =>
  want !== undefined && paused[device] === hashOfText(want.text)

/** Certificates and keys are written after processes left, and lists whenever they differ. */
function keySteps(observed: OpenvpnObserved, wanted: OpenvpnWanted): OpenvpnStep[] {
  const base = { phase: 'stop', reconnects: [] } as const
  const numbers = sorted([...Object.keys(wanted.keys), ...Object.keys(observed.keys), ...Object.keys(observed.revoked)])
  return numbers.flatMap((number): OpenvpnStep[] => {
    const [want, found, list] = [wantedKeys(wanted, number), own(observed.keys, number), own(observed.revoked, number)]
    const differs =
      want?.ca !== found?.ca || want?.certificate !== found?.certificate || want?.control !== found?.control
    return [
      ...(differs ? [{ ...base, action: 'keys', number, networks: [number] } as const] : []),
      ...(want?.revoked === list ? [] : [{ ...base, action: 'revoked', number, networks: [number] } as const]),
    ]
  })
}

/** Names whose file differs. Members that leave or change are disconnected before others come. */
function clientSteps(
  device: string,
  observed: OpenvpnObserved,
  wanted: OpenvpnWanted,
  isRunning: boolean,
): OpenvpnStep[] {
  const want = wanted.processes[device]
  if (want === undefined || !takesClients(want)) return []
  const found = observed.clients[device]
  const base = { device, networks: [want.network], reconnects: [] } as const
  const [before, after] = [found ?? {}, want.clients]
  const moved = sorted(Object.keys(before)).filter((name) => before[name] !== own(after, name))
  const added = sorted(Object.keys(after)).filter((name) => !Object.hasOwn(before, name))
  const isFolderMissing = found === undefined && !isRunning
  return [
    ...(moved.length > 0 ? [{ ...base, action: 'moveClients', phase: 'stop', names: moved } as const] : []),
    ...(added.length > 0 || isFolderMissing
      ? [{ ...base, action: 'addClients', phase: 'servers', names: added } as const]
      : []),
  ]
}

function startStep(device: string, { processes }: OpenvpnWanted): OpenvpnStep {
  const want = processes[device]
  return {
    phase: want !== undefined && takesClients(want) ? 'servers' : 'clients',
    action: 'start',
    device,
    networks: want === undefined ? [] : [want.network],
    reconnects: [device],
  }
}

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

const sorted = (names: readonly string[]): string[] => [...new Set(names)].toSorted()

const mapValues = <A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
