import { ovForm } from '#contract/network/fields.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { useAreas, useEditMemberAreas } from '../api.ts'
import { PopExpired } from '../detail/network-notices.tsx'
import type { MemberDialogProps } from '../settings/dialog-context.ts'
import { SettingDialog, useMemberForm } from '../settings/setting-dialog.tsx'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'
import { isPopExpired } from '../settings/setting-text.ts'
import { type Areas, hasBackup, NO_AREA, NO_BACKUP, PRIORITIES } from './area-plan.ts'

/* Dialog of the POP areas of one member. */

export function AreaDialog(props: MemberDialogProps) {
  const query = useAreas(props.info.network_number)
  const areas = query.data?.data
  const title = `POP区域 · ${memberLabel(props.member)}`
  if (areas === undefined) return <LoadingDialog title={title} query={query} onClose={props.onClose} />
  return <LoadedAreas {...props} title={title} areas={areas} />
}

interface LoadedAreasProps extends MemberDialogProps {
  readonly title: string
  readonly areas: Areas
}

/** The form offers a backup area if there are more than two areas and a main one is chosen (network 2). */
function LoadedAreas({ info, member, areas, ...handlers }: LoadedAreasProps) {
  const { start, form } = useMemberForm('areas', ovForm, { info, member }, toValues)
  const { router_name, ov_id, revisions } = start
  const edit = useEditMemberAreas()
  const { control, setValue } = form
  const [chosen, other, priority] = form.watch(['ov_id_main', 'ov_id_backup', 'priority'])
  const choice = { main: Number(chosen), backup: Number(other), priority: Number(priority) }
  // Once the resource has expired, areas can only be turned off: the list offers only the current main area.
  const offered = isPopExpired(info) ? areas.filter(({ id }) => id === ov_id.main) : areas
  const options = offered.map(({ id, name }) => ({ value: id, label: name }))
  const others = options.filter(({ value }) => value !== choice.main)
  const target = { network_number: info.network_number, router_name, revision: revisions['ov'] ?? 0 }
  return (
    <SettingDialog
      form={form}
      toRequest={(next) => ({ call: 'member_ov', input: { ...target, ...next } })}
      send={({ input }) => edit.trigger(input)}
      {...handlers}
    >
      <PopExpired info={info} />
      <SelectField
        control={control}
        name="ov_id_main"
        label="主区域"
        options={options.length === 0 ? [] : [NO_AREA, ...options]}
        emptyText="暂不可购买"
        onChosen={(main) => {
          if (main === 0 || main === choice.backup) setValue('ov_id_backup', 0)
        }}
      />
      {hasBackup(offered.length, choice) && (
        <SelectField control={control} name="ov_id_backup" label="备区域" options={[NO_BACKUP, ...others]} />
      )}
      {choice.main !== 0 && (
        <SelectField control={control} name="priority" label="优先级" options={PRIORITIES} help="1 最优先" />
      )}
    </SettingDialog>
  )
}

const toValues = ({ ov_id: { main, backup, priority } }: MemberDialogProps['member']) => ({
  ov_id_main: main ?? 0,
  ov_id_backup: backup ?? 0,
  priority,
})
