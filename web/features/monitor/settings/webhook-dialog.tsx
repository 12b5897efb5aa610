import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import * as z from 'zod'
import { DONE } from '#contract/kernel/result.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'
import { codeText } from '#contract/kernel/input/typed-text.ts'
import { type WebhookConfig, webhookForm, webhookSecret } from '#contract/webhook/index.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { CheckboxField } from '#ui/form/inputs/checkbox-field.tsx'
import { SecretField } from '#ui/form/inputs/password-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { FixedField } from '#ui/form/inputs/fixed-field.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { Notice } from '#ui/state/notice.tsx'
import { useDeleteWebhook, useSetWebhook, useTestWebhook } from '../api.ts'
import { useMonitorRights } from '../rights.ts'
import styles from './setting-panels.module.css'

/* Dialog of the webhook to which alerts are posted; the key in its address stays masked. */

const TYPES = [
  { value: 'dingtalk', label: '钉钉' },
  { value: 'feishu', label: '飞书' },
  { value: 'wechat', label: '企业微信' },
  { value: 'other', label: '其他' },
] as const

const form = webhookForm.extend({ secret: webhookSecret, noSecret: z.boolean(), keyword: z.string() })
type Values = z.output<typeof form>
type Input = z.input<typeof form>

const SECRET_HELP: Readonly<Record<Values['type'], string>> = {
  dingtalk: '安全设置选“加签”时填写，以SEC开头',
  feishu: '安全设置选“签名校验”时填写',
  wechat: '',
  other: '用于签名，任意文本或whsec_开头的密钥；留空则不签名',
}
const KEYWORD_HELP = `安全设置选“自定义关键词”时请填写“${WEBHOOK.keyword}”`

/** An empty secret keeps the stored one; the check box removes it. */
const toSent = ({ type, url, secret, noSecret }: Values) => ({ type, url, secret: noSecret ? null : secret })

export function WebhookDialog({ config, onClose }: { readonly config: WebhookConfig; readonly onClose: () => void }) {
  const rights = useMonitorRights()
  const start = { type: config.type, url: config.url, secret: '', noSecret: false, keyword: WEBHOOK.keyword }
  const values = useContractForm(form, start)
  const [isTaken, setTaken] = useState(false)
  const [set, test, remove] = [useSetWebhook(), useTestWebhook(), useDeleteWebhook()]
  const { control } = values
  const type = values.watch('type')
  const isKept = config.has_secret === 1 && type === config.type
  const isStored = config.url !== ''
  const tryIt = values.tryOut(async (sent) => {
    setTaken(false)
    await test.trigger(toSent(sent))
    setTaken(true)
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
      {isTaken && <Notice role="status">{DONE.sent}</Notice>}
      <SelectField control={control} name="type" label="类型" required options={TYPES} />
      <TextField control={control} name="url" label="URL" required isCode clean={codeText} />
      <SecurityFields values={values} isKept={isKept} />
      {type === 'other' && <WebhookFormat />}
    </FormDialog>
  )
}

interface SecurityFieldsProps {
  readonly values: ContractForm<Input, Values>
  readonly isKept: boolean
}

/** Secret and keyword, as far as the kind of webhook knows them. */
function SecurityFields({ values, isKept }: SecurityFieldsProps) {
  const { control } = values
  const type = TYPES.find(({ value }) => value === values.watch('type'))?.value ?? 'other'
  return (
    <>
      {type !== 'wechat' && (
        <SecretField control={control} name="secret" label="密钥" isStored={isKept} help={SECRET_HELP[type]} />
      )}
      {type !== 'wechat' && isKept && (
        <CheckboxField control={control} name="noSecret">
          删除已设置的密钥
        </CheckboxField>
      )}
      {(type === 'dingtalk' || type === 'feishu') && (
        <FixedField control={control} name="keyword" label="关键词" help={KEYWORD_HELP} />
      )}
    </>
  )
}

const EXAMPLE = `{
  "type": "router.offline",
  "timestamp": "2026-01-01T08:00:00.000Z",
  "event_id": "…",
  "data": { "title": "…", "lines": ["…"], "alert_id": "…", "router_name": "…", "account": "…" }
}`

/** Requests that the customer's own server gets. */
function WebhookFormat() {
  return (
    <details>
      <summary>消息格式与签名（Standard Webhooks规范）</summary>
      <p className="nl-muted">
        以POST发送JSON，返回2xx表示已接收。恢复通知的type以.recovered结尾，同一告警按先后顺序发送；超出频率时合并为alert.digest，各事件在data.events中。
      </p>
      <pre className={styles.example}>{EXAMPLE}</pre>
      <p className="nl-muted">
        请求头webhook-id在重试时不变，请据此去重。设置密钥后，webhook-signature为v1,加上以密钥对“webhook-id.webhook-timestamp.请求正文”计算的HMAC-SHA256（Base64）。
      </p>
    </details>
  )
}
