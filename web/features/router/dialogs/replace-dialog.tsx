import * as z from 'zod'
import { useNavigate } from 'react-router'
import { replaceForm } from '../../../../worker/contract/router-hardware.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { paths } from '../../../lib/paths.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { SimpleFormDialog } from '../../../ui/simple-form-dialog.tsx'
import { isWholeActivationCode } from '../activation-code.ts'
import { useReplaceRouter } from '../api.ts'
import { ActivationField } from '../parts/activation-field.tsx'
import type { RouterInfo } from '../router-text.ts'

const schema = replaceForm.extend({
  code: z.string().min(1, '请输入激活码').refine(isWholeActivationCode, '激活码为 12 位字母和数字，请核对'),
})

interface ReplaceDialogProps {
  readonly info: RouterInfo
  readonly onClose: () => void
}

/** A new device takes the place of this one; its page opens then. */
export function ReplaceDialog({ info, onClose }: ReplaceDialogProps) {
  const { router_name, network } = info
  const replace = useReplaceRouter()
  const navigate = useNavigate()
  const send = async (values: z.output<typeof schema>) => {
    const { data } = await replace.trigger({ router_name, ...values })
    void navigate(paths.router(data.router_name), { replace: true })
  }
  return (
    <SimpleFormDialog
      title={`更换设备：${memberLabel(info)}`}
      submitText="更换"
      schema={schema}
      values={{ username: '', code: '' }}
      draft={{ key: `replace ${router_name}`, fields: ['username'] }}
      command={send}
      onClose={onClose}
      fields={({ control }) => (
        <>
          <p className="nl-help">
            新设备将接替备注、{network.length === 0 ? '' : `${network.length} 个组网中的`}
            地址与配置、静态路由和点对点互联。原设备 {router_name} 的配置会被清空并解除绑定，历史流量不保留。
          </p>
          <TextField
            control={control}
            name="username"
            label="新设备序列号"
            required
            isCode
            maxLength={64}
            help="机身标签上 S/N 之后的字符，如 NL22S033"
          />
          <ActivationField
            control={control}
            name="code"
            label="新设备激活码"
            required
            help="印在包装盒上的 12 位字母和数字，可直接粘贴"
          />
        </>
      )}
    />
  )
}
