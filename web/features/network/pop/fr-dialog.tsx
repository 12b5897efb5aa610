import type { Output } from '#contract/kernel/endpoint.ts'
import type { networkFrApi } from '#contract/network-fr/index.ts'
import { FR_POOL_OPEN_MS, POP_MODE_NAME } from '#contract/network/limits.ts'
import { frForm } from '#contract/network/pop.ts'
import { ApiError } from '#lib/call/transport.ts'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { useTimer } from '#ui/hooks/use-delays.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useChooseFr, useFrConfig } from '../api.ts'
import { PopExpired } from '../detail/network-notices.tsx'
import type { NetworkInfo } from '../live-network.ts'
import { type NetworkDialogProps, useOpenDialog } from '../settings/dialog-context.ts'
import { useInfoForm } from '../settings/setting-dialog.tsx'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'

/* Dialog that chooses the POP resource of a network. */

const TITLE = '选择POP资源'

export function FrDialog(props: NetworkDialogProps) {
  const query = useFrConfig(props.info.network_number)
  const config = query.data?.data
  if (config === undefined) return <LoadingDialog title={TITLE} query={query} onClose={props.onClose} />
  return <LoadedFr {...props} config={config} />
}

/** If the network has no segments for POP nodes, the choice is refused and the dialog of the IP pool opens. */
function LoadedFr({ info, config, ...handlers }: NetworkDialogProps & { config: Output<typeof networkFrApi.config> }) {
  const choose = useChooseFr()
  const open = useOpenDialog()
  const delay = useTimer()
  const isUsable = (id: number) => config.data.some(({ network_fr_id }) => network_fr_id === id)
  const toValues = ({ network_fr, mode }: NetworkInfo) => ({
    network_fr_id: network_fr && isUsable(network_fr.network_fr_id) ? network_fr.network_fr_id : undefined,
    mode,
  })
  const { start, form } = useInfoForm('fr', frForm, info, toValues)
  const { network_number, revision } = start
  const { control } = form
  return (
    <FormDialog
      title={TITLE}
      form={form}
      command={async (next) => {
        try {
          await choose.trigger({ network_number, ...next, revision })
        } catch (error) {
          if (error instanceof ApiError && error.reason === 'FR_POOL_MISSING')
            delay(() => open('ipPool'), FR_POOL_OPEN_MS)
          throw error
        }
      }}
      {...handlers}
    >
      <PopExpired info={info} />
      <SelectField
        control={control}
        name="network_fr_id"
        label="POP资源"
        required
        options={config.data.map(({ network_fr_id, shortname }) => ({ value: network_fr_id, label: shortname }))}
        emptyText="暂不可购买"
        help="更换资源后，成员需重新选择区域"
      />
      <RadioField
        control={control}
        name="mode"
        label="资源模式"
        options={Object.entries(POP_MODE_NAME).map(([value, label]) => ({ value: Number(value), label }))}
      />
    </FormDialog>
  )
}
