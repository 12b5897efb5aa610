import type { PrefixRow } from '#contract/network/fields.ts'
import { isAdvanced } from '#domain/network/routing/routing.ts'
import { useUser } from '#lib/session/session.ts'
import { toast } from '#lib/toast/toast.ts'
import { useFormStart } from '#ui/form/use-form-start.ts'
import { SimpleFormDialog } from '#ui/dialog/simple-form-dialog.tsx'
import { hasFeatures } from '../account-features.ts'
import { useEditPrefix, usePrefixRows } from '#pages/network/api.ts'
import { PrefixFields, prefixListSchema, type PrefixValues } from './prefix-fields.tsx'
import { FormImpact } from '../impact-list.tsx'
import type { NetworkDialogProps } from '../dialog-context.ts'
import { LoadedDialog } from '../loaded-dialog.tsx'

const TITLE = '设置网络号'

export function PrefixDialog(props: NetworkDialogProps) {
  const query = usePrefixRows(props.info.network_number)
  if (query.data === undefined) return <LoadedDialog title={TITLE} query={query} onClose={props.onClose} />
  return <LoadedPrefixes {...props} list={query.data} read={() => query.mutate()} />
}

interface PrefixList {
  readonly data: readonly PrefixRow[]
  readonly revision: number
}
interface LoadedPrefixesProps extends NetworkDialogProps {
  readonly list: PrefixList
  readonly read: () => Promise<PrefixList | undefined>
}
const toValues = ({ data }: PrefixList) => ({ prefix: [...data] })

function LoadedPrefixes({ info: { network_number }, list, read, ...handlers }: LoadedPrefixesProps) {
  const { start, ...started } = useFormStart(list, read, toValues)
  const { data: rows, revision } = start
  const { auth } = useUser()
  const hasAdvanced = hasFeatures(auth, ['quaggaAdvanced']) || rows.some(isAdvanced) // stored values stay visible without the flag
  const edit = useEditPrefix()
  const save = async ({ prefix }: PrefixValues) => {
    const { data: corrected } = await edit.trigger({ network_number, prefix, revision })
    if (corrected.length > 0) toast.done(`已更正 ${corrected.map((row) => `${row.old} → ${row.new}`).join('、')}`)
  }
  return (
    <SimpleFormDialog
      title={TITLE}
      widthPx={hasAdvanced ? 960 : 720}
      schema={prefixListSchema}
      {...started}
      draft={{ key: `prefix ${network_number}`, fields: ['prefix'] }}
      command={save}
      foot={(form) => (
        <FormImpact
          form={form}
          schema={prefixListSchema}
          toRequest={({ prefix }) => ({ call: 'edit_prefix', input: { network_number, prefix, revision } })}
        />
      )}
      fields={(form) => <PrefixFields form={form} isAdvanced={hasAdvanced} />}
      {...handlers}
    />
  )
}
