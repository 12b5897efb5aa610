import Button from '@douyinfe/semi-ui/lib/es/button'
import type { Control, FieldValues } from 'react-hook-form'
import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useRoleOptions } from './api.ts'
import { NICKNAME } from '#contract/account/limits.ts'

/** Nickname and role, of a form that has both. */
export function PersonFields<V extends FieldValues, T>({ control }: { readonly control: Control<V, unknown, T> }) {
  const { data, error, mutate } = useRoleOptions()
  const roles = data?.data
  return (
    <>
      <TextField control={control} name={'nickname' as never} label="昵称" required maxLength={NICKNAME.max} />
      <SelectField
        control={control}
        name={'role_id' as never}
        label="角色"
        required
        options={(roles ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        placeholder={roles === undefined && error === undefined ? '正在加载' : '请选择'}
        emptyText="还没有角色"
        {...(roles?.length === 0 && { help: NO_ROLES })}
        {...(error !== undefined && {
          help: (
            <>
              角色未能加载
              <Button size="small" theme="borderless" onClick={() => void mutate()}>
                重试
              </Button>
            </>
          ),
        })}
      />
    </>
  )
}

const NO_ROLES = (
  <>
    还没有角色，请先<Link to={paths.roles}>创建角色</Link>
  </>
)
