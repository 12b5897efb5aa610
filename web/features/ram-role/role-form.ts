import * as z from 'zod'
import { networkNumbers, roleAuth, roleForm } from '#contract/ram-role/index.ts'
import type { RoleRow } from './api.ts'

const { easylink } = roleAuth.shape

/** The rights as the form holds them: which networks is asked for before their numbers. */
export const roleFields = roleForm.extend({
  scope: z.enum(['all', 'listed']),
  auth: roleAuth.extend({
    easylink: easylink.extend({
      network: easylink.shape.network.extend({
        number: networkNumbers,
      }),
    }),
  }),
})
export type RoleFields = z.input<typeof roleFields>
type ParsedFields = z.output<typeof roleFields>

const NONE = { create: 0, edit: 0, delete: 0 } as const
const NOTHING = {
  easylink: { router: NONE, network: { ...NONE, number: null } },
  monitor: { view: 0, ...NONE },
} as const

/** A role as the form starts with it; null for a new one. */
export function toFields(role: RoleRow | null) {
  const { name, note, auth } = role ?? { name: '', note: '', auth: NOTHING }
  const { number, ...network } = auth.easylink.network
  return {
    name,
    note,
    scope: number === null ? ('all' as const) : ('listed' as const),
    auth: { ...auth, easylink: { ...auth.easylink, network: { ...network, number: [...(number ?? [])] } } },
  }
}

/** Role as the calls take it; a role limited to networks creates none (directory 5). */
export function toSent({ scope, auth: { easylink, monitor }, ...role }: ParsedFields) {
  const network = scope === 'all' ? { ...easylink.network, number: null } : { ...easylink.network, create: 0 as const }
  return { ...role, auth: { easylink: { ...easylink, network }, monitor } }
}

type Change = 'view' | 'create' | 'edit' | 'delete'

interface RightsRow {
  readonly label: string
  readonly path: 'auth.easylink.router' | 'auth.easylink.network' | 'auth.monitor'
  /** Names of the rights, by what each allows. */
  readonly words: Readonly<Record<Change, string>>
  /** Viewing is always allowed and cannot be switched off. */
  readonly alwaysView: boolean
}

const CHANGES = { view: '查看', create: '创建', edit: '编辑', delete: '删除' } as const
/** Rows of the table of rights (directory 3, 6). */
export const RIGHTS: readonly RightsRow[] = [
  { label: '成员', path: 'auth.easylink.router', words: CHANGES, alwaysView: true },
  { label: '组网', path: 'auth.easylink.network', words: CHANGES, alwaysView: true },
  {
    label: '监控',
    path: 'auth.monitor',
    words: { view: '查看', create: '启动', edit: '设置', delete: '关闭' },
    alwaysView: false,
  },
]
export const CHANGE_NAMES = Object.keys(CHANGES) as readonly Change[]
