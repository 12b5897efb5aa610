import { access, readFile } from 'node:fs/promises'
import { findId } from '../accounts.ts'
import { FRR_GROUP, FRR_USER } from '../frr/daemons.ts'
import { UNIT_CAPABILITIES, type UnitCapability } from '../unit-capabilities.ts'
import { type Problem, fatal } from './problem.ts'

/* Privileges of this process: account, capabilities and groups. */

/** Numbers of capabilities in the kernel (linux/capability.h). */
const NUMBERS: Readonly<Record<UnitCapability | 'CAP_DAC_OVERRIDE', bigint>> = {
  CAP_CHOWN: 0n,
  CAP_DAC_OVERRIDE: 1n,
  CAP_KILL: 5n,
  CAP_SETGID: 6n,
  CAP_SETUID: 7n,
  CAP_NET_BIND_SERVICE: 10n,
  CAP_NET_ADMIN: 12n,
  CAP_NET_RAW: 13n,
  CAP_SYS_ADMIN: 21n,
}

interface Account {
  readonly uid: number
  /** Effective capabilities, a bit each. */
  readonly capabilities: bigint
  readonly groups: readonly number[]
}

/** Account of a process in the form of /proc/pid/status. */
export function parseStatus(text: string): Account {
  const valueOf = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''
  return {
    uid: Number(valueOf('Uid').split(/\s+/)[1]), // effective
    capabilities: BigInt(`0x${valueOf('CapEff') || '0'}`),
    groups: valueOf('Groups').split(/\s+/).filter(Boolean).map(Number),
  }
}

/** @param group id of the group of FRR's sockets; null: the machine has none. */
export function privilegeProblems({ uid, capabilities, groups }: Account, group: number | null): Problem[] {
  if (uid !== 0) return [fatal('not root: start the agent as root, or by its unit (`unit` prints it)')]
  const has = (name: keyof typeof NUMBERS) => (capabilities & (1n << NUMBERS[name])) !== 0n
  const lacking = (Object.keys(UNIT_CAPABILITIES) as UnitCapability[]).filter((name) => !has(name))
  return [
    ...lacking.map((name) => fatal(`no ${name}: ${UNIT_CAPABILITIES[name]}`)),
    ...(group !== null && !groups.includes(group) && !has('CAP_DAC_OVERRIDE')
      ? [fatal(`not in the group ${FRR_GROUP}: the sockets of FRR are its (SupplementaryGroups=${FRR_GROUP})`)]
      : []),
  ]
}

export async function checkPrivileges(): Promise<Problem[]> {
  const [status, group, user, hasTun] = await Promise.all([
    readFile('/proc/self/status', 'utf8'),
    findId('/etc/group', FRR_GROUP),
    findId('/etc/passwd', FRR_USER),
    access('/dev/net/tun').then(
      () => true,
      () => false,
    ),
  ])
  return [
    ...privilegeProblems(parseStatus(status), group),
    ...(hasTun ? [] : [fatal('no /dev/net/tun: load the kernel module tun (modprobe tun)')]),
    ...(group === null ? [fatal(`no group ${FRR_GROUP}: install the package frr`)] : []),
    ...(user === null ? [fatal(`no account ${FRR_USER}: install the package frr`)] : []),
  ]
}
