import { useState } from 'react'
import type { z } from 'zod'
import { MEMBER_FILE } from '#contract/router/limits.ts'
import { batchForm } from '#contract/router/software.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { saveAddTemplate, useBatchAdd } from '#pages/router/api.ts'
import { NetworkField } from '../network-field.tsx'
import { BatchResultDialog, findQuotaRefusal, MemberFileField, toFileRows, toUploadFailure } from './member-file.tsx'

/* Dialog that adds software members from a file: template, upload, and result of every row. */

const RULES =
  '账号 3-18 位字母、数字、下划线和点；密码 6-18 位字母或数字；备注 20 字以内，不含特殊字符；手机号码须正确且不重复。模板第 2 行的填写要求可以保留。'

const WHEN_WRONG = [
  { value: 1, label: '全部不添加' },
  { value: 0, label: '只添加正确的行' },
]

export function BatchAddDialog({ addsIntoNetwork, onClose }: { addsIntoNetwork: boolean; onClose: () => void }) {
  const form = useContractForm(
    batchForm,
    { file: null as never, network_number: '', all: 1 },
    { lockMs: MEMBER_FILE.resetMs },
  )
  const add = useBatchAdd()
  const [done, setDone] = useState<Pick<Parameters<typeof BatchResultDialog>[0], 'rows' | 'quotaRefusal'> | null>(null)
  const { control } = form

  const upload = async (values: z.output<typeof batchForm>) => {
    try {
      const { data } = await add.trigger(values)
      setDone({ rows: toFileRows(data.result), quotaRefusal: findQuotaRefusal(data.result) })
      return false
    } catch (error) {
      throw toUploadFailure(error)
    } finally {
      form.setValue('file', null as never)
    }
  }
  if (done !== null)
    return <BatchResultDialog title="批量添加的结果" {...done} onUploadAgain={() => setDone(null)} onClose={onClose} />
  return (
    <FormDialog title="批量添加软件成员" submitText="添加" form={form} command={upload} onClose={onClose}>
      <MemberFileField control={control} rules={RULES} onTemplate={saveAddTemplate} />
      {addsIntoNetwork && <NetworkField control={control as never} />}
      <RadioField control={control} name="all" label="有行不正确时" options={WHEN_WRONG} />
    </FormDialog>
  )
}
