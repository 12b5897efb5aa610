import Checkbox from '@douyinfe/semi-ui/lib/es/checkbox/checkbox'
import type { Path } from 'react-hook-form'
import * as z from 'zod'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { networkNumbers, roleAuth, roleForm } from '#contract/ram-role/index.ts'
import { RAM_ROLE } from '#contract/ram-role/limits.ts'
import { MultiChoiceField } from '#ui/form/inputs/multi-choice.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { type RoleRow, useCreateRole, useEditRole, useNetworkOptions } from './api.ts'
import styles from './role-dialog.module.css'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { FailedPart } from '#ui/state/failure-strip.tsx'
import { useErrorPlace } from '#ui/form/error-places.ts'

/* Dialog that adds or edits a role of sub-accounts. */

/** Without a role it adds one. */
export function RoleDialog({ role, onClose }: { role: RoleRow | null; onClose: () => void }) {
  const create = useCreateRole()
  const edit = useEditRole()
  const form = useContractForm(roleFields, toFields(role), {
    draft: { key: `ram role ${role?.id ?? ''}`, fields: ['name', 'note', 'scope', 'auth'] },
  })
  return (
    <FormDialog
      title={role === null ? '添加角色' : '编辑角色'}
      form={form}
      submitText={role === null ? '添加' : '保存'}
      widthPx={600}
      command={(values) =>
        role === null ? create.trigger(toSent(values)) : edit.trigger({ id: role.id, ...toSent(values) })
      }
      {...(role !== null && role.ram_count > 0 && { foot: `保存后对使用该角色的 ${role.ram_count} 个子账号立即生效` })}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" label="角色名称" required max={RAM_ROLE.nameMax} />
      <TextField control={form.control} name="note" label="备注" max={RAM_ROLE.noteMax} />
      <RadioField control={form.control} name="scope" label="组网范围" required options={SCOPES} />
      {form.watch('scope') === 'listed' && <Networks form={form} />}
      <RightsField form={form} />
    </FormDialog>
  )
}

const SCOPES = [
  { value: 'all', label: '全部组网' },
  { value: 'listed', label: '指定组网' },
] as const

function Networks({ form: { control } }: { readonly form: RoleForm }) {
  const { data, error, mutate } = useNetworkOptions()
  if (data === undefined && error !== undefined) return <FailedPart error={error} onRetry={mutate} />
  const networks = data?.data ?? []
  return (
    <MultiChoiceField
      control={control}
      name="auth.easylink.network.number"
      label="指定组网"
      options={networks.map(({ network_number: value, network_name: label }) => ({ value, label, second: value }))}
      searchLabel="搜索组网名称或编号"
      emptyText={data === undefined ? '正在加载' : '还没有组网'}
      missingText={data === undefined ? '' : '已删除'}
      help="只能查看和管理所选的组网及其成员；一个也不选，则看不到任何组网和成员"
    />
  )
}

type RoleForm = ContractForm<RoleFields, z.output<typeof roleFields>>

/** Reason why a limited role has no such right (directory 5). */
const LIMITED = '仅限指定组网的角色不能创建组网'

/** Rights of a role: a row for each object, a check box for each right. The rights of monitoring need its view right. */
function RightsField({ form }: { readonly form: RoleForm }) {
  const isLimited = form.watch('scope') === 'listed'
  useErrorPlace(form.control, 'auth.easylink.network.create')
  const failure = form.formState.errors.auth?.easylink?.network?.create?.message
  const set = (path: Path<RoleFields>, isOn: boolean) =>
    form.setValue(path, toWireBoolean(isOn) as never, { shouldDirty: true, shouldTouch: true })
  const change = (path: (typeof RIGHTS)[number]['path'], name: string, isOn: boolean) => {
    set(`${path}.${name}` as Path<RoleFields>, isOn)
    if (path !== 'auth.monitor') return
    if (name !== 'view' && isOn) set('auth.monitor.view', true)
    if (name === 'view' && !isOn)
      for (const other of ['create', 'edit', 'delete'] as const) set(`auth.monitor.${other}`, false)
  }
  return (
    <fieldset className={styles.rights}>
      <legend className="nl-label">权限</legend>
      {RIGHTS.map(({ label, path, words, alwaysView }) => (
        <div key={path} className={styles.row} role="group" aria-label={`${label}权限`}>
          <strong>{label}</strong>
          {CHANGE_NAMES.map((name) => {
            const isAlways = alwaysView && name === 'view'
            const isBlocked = isLimited && path === 'auth.easylink.network' && name === 'create'
            const isOn = isAlways || (!isBlocked && form.watch(`${path}.${name}` as Path<RoleFields>) === 1)
            return (
              <Checkbox
                key={name}
                checked={isOn}
                disabled={isAlways || isBlocked}
                onChange={(event) => change(path, name, event.target.checked === true)}
              >
                {words[name]}
              </Checkbox>
            )
          })}
        </div>
      ))}
      {failure !== undefined && (
        <span role="alert" className="nl-error">
          {failure}
        </span>
      )}
      <span className="nl-help">{isLimited ? `成员和组网始终可以查看；${LIMITED}` : '成员和组网始终可以查看'}</span>
    </fieldset>
  )
}

const { easylink } = roleAuth.shape

/** Rights as form values: `scope` is chosen before the network numbers. */
const roleFields = roleForm.extend({
  scope: z.enum(['all', 'listed']),
  auth: roleAuth.extend({
    easylink: easylink.extend({
      network: easylink.shape.network.extend({
        number: networkNumbers,
      }),
    }),
  }),
})
type RoleFields = z.input<typeof roleFields>
type ParsedFields = z.output<typeof roleFields>

const NONE = { create: 0, edit: 0, delete: 0 } as const
const NOTHING = {
  easylink: { router: NONE, network: { ...NONE, number: null } },
  monitor: { view: 0, ...NONE },
} as const

function toFields(role: RoleRow | null) {
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
function toSent({ scope, auth: { easylink, monitor }, ...role }: ParsedFields) {
  const network = scope === 'all' ? { ...easylink.network, number: null } : { ...easylink.network, create: 0 as const }
  return { ...role, auth: { easylink: { ...easylink, network }, monitor } }
}

const CHANGES = { view: '查看', create: '创建', edit: '编辑', delete: '删除' } as const
/** Rows of the table of rights (directory 3, 6); `alwaysView`: viewing cannot be switched off. */
const RIGHTS = [
  { label: '成员', path: 'auth.easylink.router', words: CHANGES, alwaysView: true },
  { label: '组网', path: 'auth.easylink.network', words: CHANGES, alwaysView: true },
  {
    label: '监控',
    path: 'auth.monitor',
    words: { view: '查看', create: '启动', edit: '设置', delete: '关闭' },
    alwaysView: false,
  },
] as const
const CHANGE_NAMES = Object.keys(CHANGES) as readonly (keyof typeof CHANGES)[]
