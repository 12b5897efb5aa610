import { useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import type * as z from 'zod'
import { defaultRouteForm } from '#contract/network/fields.ts'
import { NETWORK_STATUS } from '#contract/network/limits.ts'
import { DEFAULT_ROUTE_NAME } from '#domain/network/history/setting-words.ts'
import { DEFAULT_ROUTE_FEATURES } from '#domain/network/routing/routing.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useUser } from '#lib/session/session.ts'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { hasFeatures } from '#pages/network/rights.ts'
import { useEditDefaultRoute } from '#pages/network/api.ts'
import type { MemberDialogProps } from '../dialog-context.ts'
import { SettingDialog, useMemberForm } from '../setting-dialog.tsx'
import { PRIORITIES } from '../setting-text.ts'

/* Dialog of a member's default route: off, advertised to the other members with a priority, or received from them. */

type DefaultRouteForm = ContractForm<z.input<typeof defaultRouteForm>, z.output<typeof defaultRouteForm>>

export function DefaultRouteDialog({ info, member, ...handlers }: MemberDialogProps) {
  const { start, form } = useMemberForm('default-route', defaultRouteForm, { info, member }, toValues)
  const { router_name, revisions } = start
  const { auth } = useUser()
  const edit = useEditDefaultRoute()
  const target = { network_number: info.network_number, router_name, revision: revisions['default_route'] ?? 0 }
  const isPossible = hasFeatures(auth, DEFAULT_ROUTE_FEATURES) && info.network_status === NETWORK_STATUS.normal
  return (
    <SettingDialog
      title={`默认路由 · ${memberLabel(start)}`}
      form={form}
      toRequest={(next) => ({ call: 'default_route', input: { ...target, ...next } })}
      send={({ input }) => edit.trigger(input)}
      {...handlers}
    >
      <DefaultRouteFields form={form} isPossible={isPossible} />
    </SettingDialog>
  )
}

const toValues = ({ default_route, metric }: MemberDialogProps['member']) => ({ model: default_route, metric })

interface DefaultRouteFieldsProps {
  readonly form: DefaultRouteForm
  /** A default route can be chosen; otherwise it can only be turned off. */
  readonly isPossible: boolean
}

/** Fields of the default route; only an advertised one has a priority (network 2). */
function DefaultRouteFields({ form: { control, setValue }, isPossible }: DefaultRouteFieldsProps) {
  const model = useWatch({ control, name: 'model' })
  const isAdvertised = model === 1
  useEffect(() => {
    if (!isAdvertised) setValue('metric', null)
  }, [isAdvertised, setValue])
  return (
    <>
      <RadioField
        control={control}
        name="model"
        label="默认路由"
        vertical
        options={DEFAULT_ROUTE_NAME.map((label, value) => ({ value, label, disabled: value > 0 && !isPossible }))}
        help={isPossible ? '通告：其他成员可经该成员访问外部；接收：该成员使用收到的默认路由' : '当前只能关闭'}
      />
      {isAdvertised && (
        <SelectField
          control={control}
          name="metric"
          label="优先级"
          required
          options={PRIORITIES}
          placeholder="请选择，1 最优先"
        />
      )}
    </>
  )
}
