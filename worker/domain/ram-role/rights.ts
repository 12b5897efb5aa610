import type { RoleAuth } from '#contract/ram-role/index.ts'
import { PERMISSIONS, type Permission } from '#contract/kernel/permissions.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { RAM_ROLE } from '#contract/ram-role/limits.ts'

/* Rights of a role: stored and wire form, and their checks. */

export interface Rights {
  readonly flags: readonly Permission[]
  /** Numbers of the networks that it is limited to; null for all, an empty list for none. */
  readonly networks: readonly string[] | null
}

interface StoredRights {
  /** JSON lists. */
  readonly flags: string
  readonly networks: string | null
}

export const readRights = ({ flags, networks }: StoredRights): Rights => ({
  flags: JSON.parse(flags) as Permission[],
  networks: networks === null ? null : (JSON.parse(networks) as string[]),
})

export const toColumns = ({ flags, networks }: Rights): StoredRights => ({
  flags: JSON.stringify(flags),
  networks: networks && JSON.stringify(networks),
})

/** Flags and numbers are sorted, so that equal rights have equal texts. */
export function toRights({ easylink, monitor }: RoleAuth): Rights {
  const { number, ...network } = easylink.network
  const sent = { router: easylink.router, network, monitor } as const
  const isOn = (flag: Permission): boolean => {
    const [object, change] = flag.split(':') as [keyof typeof sent, string]
    return (sent[object] as Readonly<Record<string, 0 | 1>>)[change] === 1
  }
  return { flags: PERMISSIONS.filter(isOn), networks: number && [...new Set(number)].toSorted() }
}

export function toAuth({ flags, networks }: Rights): RoleAuth {
  const is = (flag: Permission) => toWireBoolean(flags.includes(flag))
  const changes = (object: 'router' | 'network' | 'monitor') => ({
    create: is(`${object}:create`),
    edit: is(`${object}:edit`),
    delete: is(`${object}:delete`),
  })
  return {
    easylink: {
      router: changes('router'),
      network: { ...changes('network'), number: networks && [...networks] },
    },
    monitor: { view: is('monitor:view'), ...changes('monitor') },
  }
}

/** A role restricted to specified networks cannot have network creation enabled (directory 5). */
export const checkRights = ({ flags, networks }: Rights): Violation | null =>
  networks !== null && flags.includes('network:create') ? violation('RAM_ROLE_LIMITED') : null

export const checkNetworks = ({ networks }: Rights, existing: ReadonlySet<string>): Violation | null =>
  networks?.every((number) => existing.has(number)) === false ? violation('RAM_ROLE_NETWORK') : null

/** Refuses to delete a role that sub-accounts have, and names them. */
export function checkUnused(users: readonly string[]): Violation | null {
  if (users.length === 0) return null
  const shown = users.slice(0, RAM_ROLE.namesShown).map((name) => `“${name}”`)
  const rest = users.length - shown.length
  return violation('RAM_ROLE_IN_USE', { names: shown.join('、') + (rest > 0 ? `等${users.length}个` : '') })
}
