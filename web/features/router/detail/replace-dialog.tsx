import type * as z from 'zod'
import { useNavigate } from 'react-router'
import { replaceForm } from '#contract/router/hardware.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useReplaceRouter } from '../api.ts'
import { DeviceFields, wholeCode } from '../list/device-fields.tsx'
import type { RouterInfo } from '../router-text.ts'

/* Dialog that replaces a device with a new one, and then opens the page of the new one. */

const schema = replaceForm.extend({ code: wholeCode })

export function ReplaceDialog({ info, onClose }: { info: RouterInfo; onClose: () => void }) {
  const { router_name, network } = info
  const replace = useReplaceRouter()
  const navigate = useNavigate()
  const send = async (values: z.output<typeof schema>) => {
    const { data } = await replace.trigger({ router_name, ...values })
    void navigate(paths.router(data.router_name), { replace: true })
  }
  const form = useContractForm(
    schema,
    { username: '', code: '' },
    { draft: { key: `replace ${router_name}`, fields: ['username'] } },
  )
  return (
    <FormDialog
      title={`更换设备 · ${memberLabel(info)}`}
      form={form}
      submitText="更换"
      command={send}
      onClose={onClose}
    >
      <p className="nl-help">
        新设备将接替备注、{network.length === 0 ? '' : `${network.length} 个组网中的`}
        地址与配置、静态路由和点对点互联。原设备 {router_name} 的配置会被清空并解除绑定，历史流量不保留。
      </p>
      <DeviceFields control={form.control} of="新设备" />
    </FormDialog>
  )
}
