import * as z from 'zod'
import { NETWORK_STATUS } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useUser } from '#lib/session/session.ts'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { hasFeatures } from '#pages/network/rights.ts'
import { useDisableQuagga, useEditQuagga, useEnableQuagga } from '#pages/network/api.ts'
import type { MemberDialogProps, NetworkDialogProps } from '../dialog-context.ts'
import { SettingDialog, useMemberForm } from '../setting-dialog.tsx'
import { quaggaText } from '../setting-text.ts'

/* Dialogs that turn dynamic routing (Quagga) on or off, for one member or for all. */

const schema = z.object({ enable: z.union([z.literal(0), z.literal(1)], '请选择开启或关闭') })
const HELP = '开启后通告设备直连的全部网段，并接收其他成员通告的网段；关闭后只通告其 LAN 网段'

/** Turning it on needs the feature flag and a network in use; turning it off is always possible. */
const useOptions = (info: NetworkDialogProps['info'], words: readonly [on: string, off: string]) => {
  const isPossible = hasFeatures(useUser().auth, ['quagga']) && info.network_status === NETWORK_STATUS.normal
  return [
    { value: 1, label: words[0], disabled: !isPossible },
    { value: 0, label: words[1] },
  ]
}

export function QuaggaDialog({ info, member, ...handlers }: MemberDialogProps) {
  const { start, form } = useMemberForm('quagga', schema, { info, member }, ({ quagga }) => ({ enable: quagga }))
  const { router_name, revisions } = start
  const target = { network_number: info.network_number, router_name, revision: revisions['quagga'] ?? 0 }
  const options = useOptions(info, ['开启', '关闭'])
  const edit = useEditQuagga()
  return (
    <SettingDialog
      title={`动态路由 · ${memberLabel(start)}`}
      form={form}
      toRequest={({ enable }) => ({ call: 'quagga', input: { ...target, enable } })}
      send={({ input }) => edit.trigger(input)}
      {...handlers}
    >
      <RadioField control={form.control} name="enable" label="动态路由" options={options} help={HELP} />
    </SettingDialog>
  )
}

export function QuaggaOfAllDialog({ info, ...handlers }: NetworkDialogProps) {
  const { network_number } = info
  const options = useOptions(info, ['全部开启', '全部关闭'])
  const [enable, disable] = [useEnableQuagga(), useDisableQuagga()]
  const form = useContractForm(schema, {}, { draft: { key: `quagga ${network_number}`, fields: ['enable'] } })
  return (
    <SettingDialog
      title="动态路由"
      form={form}
      toRequest={(next) => ({
        call: next.enable === 1 ? 'quagga_enable' : 'quagga_disable',
        input: { network_number },
      })}
      send={({ call, input }) => (call === 'quagga_enable' ? enable : disable).trigger(input)}
      {...handlers}
    >
      <RadioField control={form.control} name="enable" label="全部硬件成员" options={options} help={HELP} />
      <span className="nl-help">目前 {quaggaText(info.member)}；单个成员在其详情中设置。</span>
    </SettingDialog>
  )
}
