import * as z from 'zod'
import { read, write, EXAMPLE } from '#contract/kernel/endpoint.ts'
import { displayText, lengthText, networkNumber, numeric, search, time, wireBoolean } from '#contract/kernel/fields.ts'
import { list } from '#contract/kernel/list.ts'
import { RAM_ROLE } from './limits.ts'

/* Endpoints of roles of sub-accounts (directory 3). */

const id = numeric(z.int().positive())

/** 1: the role has the right. A missing one is 0. */
const booleanField = numeric(wireBoolean).default(0)
const changes = { create: booleanField, edit: booleanField, delete: booleanField }

export const networkNumbers = z.array(networkNumber).max(RAM_ROLE.networksMax, `最多选择${RAM_ROLE.networksMax}个组网`)

/** Rights of a role. Every role sees members and networks. */
export const roleAuth = z.object({
  easylink: z.object({
    router: z.object(changes),
    network: z.object({
      ...changes,
      /** Networks of a limited role: null for all, an empty list for none. */
      number: networkNumbers.nullable(),
    }),
  }),
  monitor: z.object({ view: booleanField, ...changes }),
})
export type RoleAuth = z.infer<typeof roleAuth>

/** Rights on monitoring work on its page alone, so that they bring the right to view it. */
function withView(auth: RoleAuth): RoleAuth {
  const { create, edit, delete: remove } = auth.monitor
  return create || edit || remove ? { ...auth, monitor: { ...auth.monitor, view: 1 } } : auth
}

export const roleForm = z.object({
  name: displayText.min(1, '请输入角色名称').max(RAM_ROLE.nameMax, lengthText('角色名称', RAM_ROLE.nameMax)),
  note: displayText.max(RAM_ROLE.noteMax, lengthText('备注', RAM_ROLE.noteMax)).default(''),
  auth: roleAuth.overwrite(withView),
})

const role = z.object({
  id: z.int(),
  name: z.string(),
  note: z.string(),
  auth: roleAuth,
  ram_count: z.int(),
  create_time: time,
  update_time: time,
})
export type RoleRow = z.infer<typeof role>

const auth = {
  easylink: {
    router: { create: 0, edit: 1, delete: 0 },
    network: { create: 0, edit: 1, delete: 0, number: [EXAMPLE.network_number] },
  },
  monitor: { view: 1, create: 0, edit: 0, delete: 0 },
} as const satisfies z.input<typeof roleAuth>
const READS = ['ram_role/lists', 'ram_role/info', 'ram_role/select', 'ram/lists', 'ram/info'] as const

export const ramRoleApi = {
  lists: read('ram_role/lists', 'main', {
    summary: 'Roles of sub-accounts, newest first; searches name and note',
    ...list({ row: role, filters: { search } }),
  }),
  select: read('ram_role/select', 'main', {
    summary: 'Id and name of every role, for choosing one',
    output: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
  info: read('ram_role/info', 'main', {
    summary: 'One role with its rights',
    input: z.object({ id }),
    output: role,
    example: { id: 1 },
  }),
  create: write('ram_role/create', 'main', {
    summary: 'Add a role',
    input: roleForm,
    output: z.object({ id: z.int() }),
    done: 'added',
    refreshes: READS,
    example: { name: '运维', note: '', auth },
  }),
  edit: write('ram_role/edit', 'main', {
    summary: 'Edit a role. Other rights count from the next request on of everybody who has it, open pages included',
    input: roleForm.extend({ id }),
    done: 'changed',
    refreshes: READS,
    example: { id: 1, name: '运维', note: '', auth },
  }),
  delete: write('ram_role/delete', 'main', {
    summary: 'Delete a role that no sub-account has',
    input: z.object({ id }),
    done: 'deleted',
    refreshes: READS,
    example: { id: 1 },
  }),
} as const
