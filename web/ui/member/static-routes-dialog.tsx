import type { ReactNode } from 'react'
import { useFieldArray, useWatch } from 'react-hook-form'
import type * as z from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import { alignAddress, isAligned } from '#contract/kernel/ipv4.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { staticRoutesForm } from '#contract/router/hardware.ts'
import { routerApi } from '#contract/router/index.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { toast } from '#lib/toast/toast.ts'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'
import { FieldRows } from '#ui/form/field-rows.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { useFormStart } from '#ui/form/use-form-start.ts'
import { Notice } from '#ui/state/notice.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useErrorPlace } from '#ui/form/error-places.ts'
import './static-routes.css'

/* Dialog of the static routes (静态路由) of one device: segments behind next hops on its LANs. */

const TITLE = '静态路由'
type RouterInfo = Output<typeof routerApi.info>
type Values = z.input<typeof staticRoutesForm>
type Form = ContractForm<Values, z.output<typeof staticRoutesForm>>

type Routes = z.output<typeof staticRoutesForm>['routes']

interface StaticRoutesDialogProps {
  readonly routerName: string
  /** Effect of saving these routes, shown beside the buttons. */
  readonly toFoot?: (routes: Routes) => ReactNode
  /** Asked before these routes are saved; false keeps the dialog open. */
  readonly confirmSave?: (routes: Routes) => Promise<boolean>
  readonly onSaved?: () => void
  readonly onClose: () => void
}

export function StaticRoutesDialog({ routerName, ...handlers }: StaticRoutesDialogProps) {
  const { data, error, mutate } = useQuery(routerApi.info, { router_name: routerName }, { isFresh: true })
  const read = async () => (await mutate())?.data
  if (data === undefined) return <LoadingDialog title={TITLE} query={{ error, mutate }} onClose={handlers.onClose} />
  return <LoadedRoutes info={data.data} read={read} {...handlers} />
}

interface LoadedRoutesProps extends Omit<StaticRoutesDialogProps, 'routerName'> {
  readonly info: RouterInfo
  readonly read: () => Promise<RouterInfo | undefined>
}

const toValues = ({ static_routes }: RouterInfo) => ({ routes: [...static_routes] })

function LoadedRoutes({ info: current, read, toFoot, confirmSave, ...handlers }: LoadedRoutesProps) {
  const { start: info, values, reload } = useFormStart(current, read, toValues)
  const { router_name } = info
  const edit = useCommand(routerApi.staticRoutes, [], { quiet: true })
  const save = async ({ routes }: z.output<typeof staticRoutesForm>) => {
    if (confirmSave && !(await confirmSave(routes))) return false
    const { data } = await edit.trigger({ router_name, routes, revision: info.static_routes_revision })
    if (data.length > 0) toast.done(`已更正 ${data.map((row) => `${row.old} → ${row.new}`).join('、')}`)
    return true
  }
  const lans = info.interfaces.filter(({ role, ip }) => role === 'lan' && ip !== '')
  const form = useContractForm(staticRoutesForm, values, {
    reload,
    draft: { key: `static_routes ${router_name}`, fields: ['routes'] },
  })
  return (
    <FormDialog
      title={`${TITLE} · ${memberLabel(info)}`}
      form={form}
      widthPx={720}
      command={save}
      foot={toFoot && <Foot form={form} toFoot={toFoot} />}
      {...handlers}
    >
      <Rows form={form} lans={lans.map(({ ip, mask }) => `${ip}/${mask}`)} />
    </FormDialog>
  )
}

/** Shows nothing while the routes are invalid or unchanged. */
function Foot({ form, toFoot }: { readonly form: Form; readonly toFoot: (routes: Routes) => ReactNode }) {
  const parsed = staticRoutesForm.safeParse(useWatch({ control: form.control }))
  return form.formState.isDirty && parsed.success ? toFoot(parsed.data.routes) : null
}

const NEW_ROW = { prefix: '', mask: null, via: '' } as const

function Rows({ form: { control, formState }, lans }: { readonly form: Form; readonly lans: readonly string[] }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'routes' })
  const problems = formState.errors.routes
  useErrorPlace(control, 'routes')
  return (
    <>
      <span className="nl-help">
        设备LAN侧三层设备后面的网段，会像设备自己的LAN网段一样通告到所属组网。
        {lans.length === 0 ? '设备尚未上报LAN网段。' : `下一跳须在其LAN网段内：${lans.join('、')}`}
      </span>
      <FieldRows
        name="routes"
        rows={fields}
        rowClass="nl-static-route"
        labelOf={(i) => `第 ${i + 1} 条静态路由`}
        empty="暂无静态路由"
        addLabel="添加静态路由"
        isFull={fields.length >= NETWORK.staticRoutesMax}
        error={problems?.root?.message ?? problems?.message}
        onAdd={() => append(NEW_ROW as never)}
        onRemove={remove}
      >
        {(i) => (
          <>
            <TextField control={control} name={`routes.${i}.prefix`} label="网段" required isCode />
            <NumberField control={control} name={`routes.${i}.mask`} label="掩码" required />
            <TextField control={control} name={`routes.${i}.via`} label="下一跳" required isCode />
          </>
        )}
      </FieldRows>
      <Corrections control={control} />
    </>
  )
}

function Corrections({ control }: Pick<Form, 'control'>) {
  const rows = staticRoutesForm.shape.routes.safeParse(useWatch({ control, name: 'routes' })).data ?? []
  const corrected = rows.filter(({ prefix, mask }) => !isAligned(prefix, mask))
  if (corrected.length === 0) return null
  const text = corrected.map(({ prefix, mask }) => `${prefix}/${mask} → ${alignAddress(prefix, mask)}/${mask}`)
  return (
    <Notice tone="warn" role="status">
      保存时将更正网段：{text.join('、')}
    </Notice>
  )
}
