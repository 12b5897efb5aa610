import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import * as z from 'zod'
import { REQUEST_TIMEOUT_MS } from '#contract/kernel/limits.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { ACTIVATION_REQUIRED, joinedNetwork } from '#contract/router/fields.ts'
import { ApiError, NETWORK_ERROR } from '#lib/call/transport.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { TextAreaField } from '#ui/form/inputs/text-area-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { BatchResult, type BatchRow } from '#ui/state/batch-result.tsx'
import { toErrorView } from '#ui/state/error-view.ts'
import { claimDevice, useRefreshClaimed } from '#pages/router/api.ts'
import { NetworkField } from '../network-field.tsx'
import { CLAIM_LINES_MAX, type ClaimLine, readClaimLines, toLine } from './claim-lines.ts'

/* Dialog that claims many devices, one a line, with the result of each. */

const schema = z.object({
  lines: z
    .string()
    .refine((text) => text.trim() !== '', '请输入序列号与激活码，每行一台')
    .refine((text) => readClaimLines(text).length <= CLAIM_LINES_MAX, `一次最多添加 ${CLAIM_LINES_MAX} 台`),
  network_number: joinedNetwork,
})

interface ClaimedRow extends BatchRow {
  readonly claim: ClaimLine
}

/** Refusals after which no further line is sent: pause after wrong codes, end of the session, no network. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError &&
  ([RESULT.tooOften, NETWORK_ERROR] as number[])
    .concat(error.code >= RESULT.expired ? error.code : [])
    .includes(error.code)

/** Claims line by line; `onRow` reports each. */
async function claimAll(
  claims: readonly ClaimLine[],
  network_number: string,
  onRow: (count: number) => void,
): Promise<readonly ClaimedRow[]> {
  const rows: ClaimedRow[] = []
  let stop = false
  for (const claim of claims) {
    const row = { name: claim.serial, claim }
    if (stop) rows.push({ ...row, done: false, isLeftOut: true, note: '未处理，请稍后再添加' })
    else if (claim.code === '') rows.push({ ...row, done: false, note: ACTIVATION_REQUIRED })
    else {
      const refused = await claimDevice({ ...claim, network_number }).then(
        () => null,
        (error: unknown) => error,
      )
      stop = refused !== null && isFinal(refused)
      rows.push({ ...row, done: refused === null, ...(refused !== null && { note: toErrorView(refused).message }) })
    }
    onRow(rows.length)
  }
  return rows
}

export function ClaimManyDialog({ addsIntoNetwork, onClose }: { addsIntoNetwork: boolean; onClose: () => void }) {
  const form = useContractForm(
    schema,
    { lines: '', network_number: '' },
    { lockMs: CLAIM_LINES_MAX * REQUEST_TIMEOUT_MS },
  )
  const [count, setCount] = useState(0)
  const [rows, setRows] = useState<readonly ClaimedRow[] | null>(null)
  const refresh = useRefreshClaimed()
  const { control } = form

  const claim = async ({ lines, network_number }: z.output<typeof schema>) => {
    const done = await claimAll(readClaimLines(lines), network_number, setCount)
    refresh()
    const refused = done.filter((row) => !row.done).map((row) => toLine(row.claim))
    form.reset({ lines: refused.join('\n'), network_number })
    setRows(done)
    return false
  }
  if (rows !== null) {
    return (
      <Dialog
        title="批量添加的结果"
        onClose={onClose}
        footer={
          <>
            {rows.some(({ done }) => !done) && <Button onClick={() => setRows(null)}>修改未成功的行</Button>}
            <PrimaryButton onClick={onClose}>完成</PrimaryButton>
          </>
        }
      >
        <BatchResult label="每台设备的结果" rows={rows} />
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="批量添加硬件成员"
      form={form}
      submitText="添加"
      command={claim}
      sendsUnchanged
      onClose={onClose}
      foot={form.busy && <span role="status">已处理 {count} 台</span>}
    >
      <TextAreaField
        control={control}
        name="lines"
        label="序列号与激活码"
        required
        rows={8}
        placeholder={'NL22S033 ABCD-EFGH-JKLM 上海徐汇店\nNL22S034 NPQR-STUV-WXYZ'}
        help={`每行一台，依次为序列号、激活码、备注（可不填），用空格、逗号或制表符分隔，最多 ${CLAIM_LINES_MAX} 台；也可粘贴包装盒二维码的链接`}
      />
      {addsIntoNetwork && <NetworkField control={control as never} />}
    </FormDialog>
  )
}
