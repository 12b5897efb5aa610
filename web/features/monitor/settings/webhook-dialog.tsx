import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import * as z from 'zod'
import { codeText } from '#contract/kernel/typed-text.ts'
import { type WebhookConfig, webhookForm, webhookSecret } from '#contract/webhook/index.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { CheckboxField } from '#ui/form/inputs/checkbox-field.tsx'
import { SecretField } from '#ui/form/inputs/password-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Notice } from '#ui/state/notice.tsx'
import { useDeleteWebhook, useSetWebhook, useTestWebhook } from '../api.ts'
import { useMonitorRights } from '../rights.ts'

/* Dialog of the webhook to which alerts are posted; the key in its address stays masked. */

const TYPES = [
  { value: 'dingtalk', label: '钉钉' },
  { value: 'feishu', label: '飞书' },
  { value: 'wechat', label: '企业微信' },
  { value: 'other', label: '其他' },
]

const form = webhookForm.extend({ secret: webhookSecret, noSecret: z.boolean() })
type Values = z.output<typeof form>

/** An empty secret keeps the stored one; the check box removes it. */
const toSent = ({ type, url, secret, noSecret }: Values) => ({ type, url, secret: noSecret ? null : secret })

export function WebhookDialog({ config, onClose }: { readonly config: WebhookConfig; readonly onClose: () => void }) {
  const rights = useMonitorRights()
  const values = useContractForm(form, { type: config.type, url: config.url, secret: '', noSecret: false })
  const [answer, setAnswer] = useState<{ readonly isOk: boolean; readonly text: string } | null>(null)
  const [set, test, remove] = [useSetWebhook(), useTestWebhook(), useDeleteWebhook()]
  const { control } = values
  const type = values.watch('type')
  const isKept = config.has_secret === 1 && type === config.type
  const isStored = config.url !== ''
  const tryIt = values.handleSubmit(async (sent) => {
    setAnswer(null)
    try {
      await test.trigger(toSent(sent))
      setAnswer({ isOk: true, text: '对方已接收测试消息' })
    } catch (error) {
      setAnswer({ isOk: false, text: toErrorView(error).message })
    }
  })
  const confirmDelete = async () => {
    const isDeleted = await confirm({
      title: '删除Webhook？',
      body: '是否确定删除? 删除后告警不再发送到此地址。',
      verb: '删除',
      danger: true,
      run: () => remove.trigger({}),
    })
    if (isDeleted) onClose()
  }
  return (
    <FormDialog
      title="Webhook"
      form={values}
      command={(sent) => set.trigger(toSent(sent))}
      sendsUnchanged
      onClose={onClose}
      foot={
        <>
          <Button loading={test.isMutating} onClick={() => void tryIt()}>
            测试
          </Button>
          {isStored && rights.close && (
            <Button type="danger" onClick={() => void confirmDelete()}>
              删除
            </Button>
          )}
        </>
      }
    >
      {answer !== null && (
        <Notice role={answer.isOk ? 'status' : 'alert'} tone={answer.isOk ? 'accent' : 'bad'}>
          {answer.text}
        </Notice>
      )}
      <SelectField control={control} name="type" label="类型" required options={TYPES} />
      <TextField control={control} name="url" label="URL" required isCode clean={codeText} />
      {type !== 'wechat' && (
        <SecretField control={control} name="secret" label="密钥" isStored={isKept} help="机器人开启加签时填写" />
      )}
      {type !== 'wechat' && isKept && (
        <CheckboxField control={control} name="noSecret">
          删除已设置的密钥
        </CheckboxField>
      )}
    </FormDialog>
  )
}
