import type { Output } from '#contract/kernel/endpoint.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { routingForm } from '#contract/network/fields.ts'
import type { networkApi } from '#contract/network/index.ts'
import { ROUTING_NAME } from '#domain/network/history/setting-words.ts'
import { canRoute, findCounterpart } from '#domain/network/routing/routing.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { useEditRouting, useRouting } from '#pages/network/api.ts'
import { toRole } from '#pages/network/network-text.ts'
import type { NetworkDialogProps } from '../dialog-context.ts'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'
import { type Loaded, SettingDialog, useSettingForm } from '../setting-dialog.tsx'

/* Dialog of the routing mode (路由方式) of a network. */

const TITLE = '设置路由方式'

export function RoutingDialog(props: NetworkDialogProps) {
  const query = useRouting(props.info.network_number)
  const current = query.data?.data
  if (current === undefined) return <LoadingDialog title={TITLE} query={query} onClose={props.onClose} />
  return <LoadedRouting {...props} current={current} read={async () => (await query.mutate())?.data} />
}

type Routing = Output<typeof networkApi.routing>

const toValues = ({ revision: _revision, ...values }: Routing) => values

/** Choosing one router selects the other as its counterpart (network 4). */
function LoadedRouting({ info, current, read, ...handlers }: NetworkDialogProps & Loaded<Routing>) {
  const { network_number } = info
  const { start, form } = useSettingForm(`routing ${network_number}`, routingForm, { current, read }, toValues)
  const { revision } = start
  const edit = useEditRouting()
  const { control, setValue } = form
  const [type, main = '', secondary = ''] = form.watch(['type', 'main_router', 'secondary_router'])
  const centers = info.member.filter(({ member_type }) => member_type === 'center')
  const isPossible = canRoute(centers.map(toRole))
  const names = centers.map(({ router_name }) => router_name)
  const options = centers.map((center) => ({ value: center.router_name, label: memberLabel(center) }))
  const pair = (chosen: string, present: string) => findCounterpart(chosen, present, names)
  return (
    <SettingDialog
      title={TITLE}
      form={form}
      toRequest={(next) => ({ call: 'edit_routing', input: { network_number, ...next, revision } })}
      send={({ input }) => edit.trigger(input)}
      {...handlers}
    >
      <RadioField
        control={control}
        name="type"
        label="路由方式"
        vertical
        options={[
          { value: 1, label: ROUTING_NAME[1] },
          { value: 2, label: ROUTING_NAME[2], disabled: !isPossible },
        ]}
        help={isPossible ? '主备路由：流量走主路由，主路由不可用时走备路由' : ERRORS.ROUTING_NEEDS_TWO.msg}
      />
      {type === 2 && (
        <>
          <SelectField
            control={control}
            name="main_router"
            label="主路由"
            required
            options={options}
            onChosen={(name) => setValue('secondary_router', pair(String(name), secondary), { shouldDirty: true })}
          />
          <SelectField
            control={control}
            name="secondary_router"
            label="备路由"
            required
            options={options}
            onChosen={(name) => setValue('main_router', pair(String(name), main), { shouldDirty: true })}
          />
        </>
      )}
    </SettingDialog>
  )
}
