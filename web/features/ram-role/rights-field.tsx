import Checkbox from '@douyinfe/semi-ui/lib/es/checkbox/checkbox'
import type { Path } from 'react-hook-form'
import type { z } from 'zod'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { CHANGE_NAMES, RIGHTS, type RoleFields, type roleFields } from './role-form.ts'
import styles from './rights-field.module.css'

export type RoleForm = ContractForm<RoleFields, z.output<typeof roleFields>>

/** Reason why a limited role has no such right (directory 5). */
const LIMITED = '仅限指定组网的角色不能创建组网'

/** Rights of a role: a row for each object, a check box for each right. Those of monitoring need its view. */
export function RightsField({ form }: { readonly form: RoleForm }) {
  const isLimited = form.watch('scope') === 'listed'
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
