import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import * as z from 'zod'
import { dnsEntries } from '#contract/network/fields.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useEditDns } from '#pages/network/api.ts'
import { QuotaDialog } from '#pages/network/plan/quota-dialog.tsx'
import type { NetworkInfo } from '#pages/network/live-network.ts'
import type { NetworkDialogProps } from '../dialog-context.ts'
import { SettingDialog, useInfoForm } from '../setting-dialog.tsx'

/* Dialog of the DNS servers of a network. */

const schema = z.object({ dns: dnsEntries })

/** Shows one field for each entry that the account may have, and for entries beyond it that were set before. */
export function DnsDialog({ info, ...handlers }: NetworkDialogProps) {
  const { start, form } = useInfoForm('dns', schema, info, toValues)
  const { network_number, revisions } = start
  const [isFull, setFull] = useState(false)
  const edit = useEditDns()
  const { dns_quantity: limit } = start.network_config
  return (
    <>
      <SettingDialog
        title="设置DNS"
        form={form}
        toRequest={({ dns }) => ({ call: 'dns', input: { network_number, dns, revision: revisions['dns'] ?? 0 } })}
        send={({ input }) => edit.trigger(input)}
        {...handlers}
      >
        {toValues(start).dns.map((_, i) => (
          <TextField
            key={i}
            control={form.control}
            name={`dns.${i}`}
            label={`DNS地址${i + 1}`}
            placeholder="如 10.0.0.53"
            isCode
          />
        ))}
        <span className="nl-help">下发到该组网的全部成员；留空的不下发。最多 {limit} 个。</span>
        <Button theme="borderless" onClick={() => setFull(true)}>
          添加更多
        </Button>
      </SettingDialog>
      {isFull && (
        <QuotaDialog title="DNS数量已达上限" refusal="DNS_LIMIT_REACHED" limit={limit} onClose={() => setFull(false)} />
      )}
    </>
  )
}

const toValues = ({ network_dns, network_config: { dns_quantity } }: NetworkInfo) => ({
  dns: Array.from({ length: Math.max(dns_quantity, network_dns.length) }, (_, i) => network_dns[i] ?? ''),
})
