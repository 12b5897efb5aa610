import { FailedPart } from '#ui/state/failed-part.tsx'
import { MultiChoiceField } from '#ui/form/inputs/multi-choice-field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { SimpleFormDialog } from '#ui/dialog/simple-form-dialog.tsx'
import { type RoleRow, useCreateRole, useEditRole, useNetworkOptions } from './api.ts'
import { RightsField, type RoleForm } from './rights-field.tsx'
import { roleFields, toFields, toSent } from './role-form.ts'
import { RAM_ROLE } from '#contract/ram-role/limits.ts'

interface RoleDialogProps {
  /** Role to edit; null adds one. */
  readonly role: RoleRow | null
  readonly onClose: () => void
}

export function RoleDialog({ role, onClose }: RoleDialogProps) {
  const create = useCreateRole()
  const edit = useEditRole()
  return (
    <SimpleFormDialog
      title={role === null ? '添加角色' : '编辑角色'}
      submitText={role === null ? '添加' : '保存'}
      widthPx={600}
      schema={roleFields}
      values={toFields(role)}
      draft={{ key: `ram role ${role?.id ?? ''}`, fields: ['name', 'note', 'scope', 'auth'] }}
      command={(values) =>
        role === null ? create.trigger(toSent(values)) : edit.trigger({ id: role.id, ...toSent(values) })
      }
      fields={(form) => (
        <>
          <TextField control={form.control} name="name" label="角色名称" required maxLength={RAM_ROLE.nameMax} />
          <TextField control={form.control} name="note" label="备注" maxLength={RAM_ROLE.noteMax} />
          <RadioField control={form.control} name="scope" label="组网范围" required options={SCOPES} />
          {form.watch('scope') === 'listed' && <Networks form={form} />}
          <RightsField form={form} />
        </>
      )}
      {...(role !== null &&
        role.ram_count > 0 && { foot: () => `保存后对使用该角色的 ${role.ram_count} 个子账号立即生效` })}
      onClose={onClose}
    />
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
