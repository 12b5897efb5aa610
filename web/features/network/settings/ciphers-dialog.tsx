import * as z from 'zod'
import { type Ciphers, ciphers, CIPHERS_NAME } from '#contract/network/networks.ts'
import { devicesText, settingsOfCiphers, unsupportedText } from '#domain/network/compile/device-settings.ts'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { useEditCiphers, useUnsupported } from '../api.ts'
import type { NetworkInfo } from '../live-network.ts'
import type { NetworkDialogProps } from './dialog-context.ts'
import { SettingDialog, useInfoForm } from './setting-dialog.tsx'

/* Dialog of the encryption ciphers of a network, with the consequences of a switch. */

const schema = z.object({ ncp_ciphers: ciphers })
const options = ciphers.options.map((value) => ({ value, label: CIPHERS_NAME[value] }))
const HELP = '保存后下发到该组网的全部硬件成员'

export function CiphersDialog({ info, ...handlers }: NetworkDialogProps) {
  const { start, form } = useInfoForm('ciphers', schema, info, ({ ncp_ciphers }) => ({ ncp_ciphers }))
  const { network_number, revision } = start
  const edit = useEditCiphers()
  const chosen = form.watch('ncp_ciphers')
  return (
    <SettingDialog
      title="设置加密算法"
      form={form}
      toRequest={(values) => ({ call: 'ciphers', input: { network_number, ...values } })}
      send={({ input }) => edit.trigger({ revision, ...input })}
      {...handlers}
    >
      <SelectField control={form.control} name="ncp_ciphers" label="加密算法" required options={options} help={HELP} />
      {chosen !== info.ncp_ciphers && <Consequences info={info} chosen={chosen} />}
    </SettingDialog>
  )
}

/** Consequences of a save: links that reconnect, and devices that would make the server refuse it. */
function Consequences({ info, chosen }: { readonly info: NetworkInfo; readonly chosen: Ciphers }) {
  const { network_number, link } = info
  const { data } = useUnsupported({ network_number, ncp_ciphers: chosen })
  const devices = (data?.data ?? []).map(({ router_name, note }) => ({ routerName: router_name, note }))
  const up = link.filter(({ state }) => state === 'up').length
  if (devices.length > 0)
    return (
      <Notice tone="bad" role="alert">
        {devices.length} 台{unsupportedText(settingsOfCiphers(chosen))}，保存将被拒绝：{devicesText(devices)}
        。请先升级或移出组网。
      </Notice>
    )
  return (
    <Notice tone="warn" role="status">
      {up > 0 ? `保存后 ${up} 条已连通的链路会断开重连，期间成员之间短暂不通` : '目前没有已连通的链路'}
      ；离线的设备上线后才会切换。
    </Notice>
  )
}
