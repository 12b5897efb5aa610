import Button from '@douyinfe/semi-ui/lib/es/button'
import { useFieldArray } from 'react-hook-form'
import type * as z from 'zod'
import { ENDPOINTS } from '#contract/device/limits.ts'
import { endpointsForm } from '#contract/router/endpoints.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useErrorPlace } from '#ui/form/error-places.ts'
import { FieldRows } from '#ui/form/field-rows.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { useFormStart } from '#ui/form/use-form-start.ts'
import { useEditEndpoints, useFreshRouterInfo } from '../api.ts'
import type { RouterInfo } from '../router-text.ts'
import styles from './endpoints-dialog.module.css'

/* Dialog of the addresses at which other members dial a router (接入地址), in their order. */

const TITLE = '接入地址'

interface EndpointsDialogProps {
  readonly info: RouterInfo
  readonly onClose: () => void
}

export function EndpointsDialog({ info: { router_name }, onClose }: EndpointsDialogProps) {
  const { data, error, mutate } = useFreshRouterInfo(router_name)
  const read = async () => (await mutate())?.data
  if (data === undefined) return <LoadingDialog title={TITLE} query={{ error, mutate }} onClose={onClose} />
  return <LoadedEndpoints info={data.data} read={read} onClose={onClose} />
}

interface LoadedEndpointsProps extends EndpointsDialogProps {
  readonly read: () => Promise<RouterInfo | undefined>
}

const toValues = ({ endpoints }: RouterInfo) => ({ endpoints: [...endpoints] })

function LoadedEndpoints({ info: current, read, onClose }: LoadedEndpointsProps) {
  const { start: info, values, reload } = useFormStart(current, read, toValues)
  const { router_name } = info
  const edit = useEditEndpoints()
  const save = ({ endpoints }: z.output<typeof endpointsForm>) =>
    edit.trigger({ router_name, endpoints, revision: info.endpoints_revision })
  const form = useContractForm(endpointsForm, values, {
    reload,
    draft: { key: `endpoints ${router_name}`, fields: ['endpoints'] },
  })
  return (
    <FormDialog title={`${TITLE} · ${memberLabel(info)}`} form={form} command={save} onClose={onClose}>
      <Rows form={form} />
    </FormDialog>
  )
}

type Form = ContractForm<z.input<typeof endpointsForm>, z.output<typeof endpointsForm>>

function Rows({ form: { control, formState } }: { readonly form: Form }) {
  const { fields, append, remove, move } = useFieldArray({ control, name: 'endpoints' })
  const problems = formState.errors.endpoints
  useErrorPlace(control, 'endpoints')
  return (
    <>
      <span className="nl-help">
        其他成员按顺序尝试这些IP地址或域名，然后是设备上报的公网地址和观测到的地址。端口取自组网的“固定端口”。保存后，拨入此成员的隧道会重新连接。
      </span>
      <FieldRows
        name="endpoints"
        rows={fields}
        rowClass={styles.row ?? ''}
        labelOf={(i) => `第 ${i + 1} 个接入地址`}
        empty="未设置地址"
        addLabel="添加地址"
        isFull={fields.length >= ENDPOINTS.chosenMax}
        error={problems?.root?.message ?? problems?.message}
        onAdd={() => append({ host: '' })}
        onRemove={remove}
      >
        {(i) => (
          <>
            <TextField control={control} name={`endpoints.${i}.host`} label="地址" required isCode />
            <Button
              theme="borderless"
              aria-label={`上移第 ${i + 1} 个接入地址`}
              disabled={i === 0}
              onClick={() => move(i, i - 1)}
            >
              上移
            </Button>
          </>
        )}
      </FieldRows>
    </>
  )
}
