import { useEffect, useState } from 'react'
import * as z from 'zod'
import { captchaText, code, loginName, mainlandPhone, password } from '#contract/kernel/fields.ts'
import { DAYS } from '#contract/kernel/time-range.ts'
import { DateField } from '#ui/form/dates/date-field.tsx'
import { DateRange } from '#ui/form/dates/date-range.tsx'
import { DAY_FORMAT, readDay, unreadableText } from '#ui/form/dates/typed-day.ts'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { CheckboxField } from '#ui/form/inputs/checkbox-field.tsx'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { SwitchField } from '#ui/form/inputs/switch-field.tsx'
import { TextAreaField } from '#ui/form/inputs/text-area-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { dateText, type DayRange, lastDays } from '#lib/format/format-time.ts'
import { SAMPLE_CAPTCHA, SAMPLE_NOW } from './sample-data.ts'
import styles from '../kit.module.css'

const account = z.object({
  username: loginName,
  password,
  area_code: z.string(),
  phone: z.string().regex(mainlandPhone, '示例号码须为11位'),
  code,
  captcha: captchaText,
  agreed: z.literal(true, '请先阅读并同意服务条款'),
})

const PORT_RANGE = '端口为1025~65535'
const settings = z.object({
  gateway: z.string().min(1, '请输入网段'),
  port: z.int('请输入端口').min(1025, PORT_RANGE).max(65_535, PORT_RANGE),
  ciphers: z.enum(['default', 'sm']),
  mode: z.number(),
  notify: z.boolean(),
  note: z.string().max(24),
  day: z.string().refine((day) => readDay(day) !== null, unreadableText('到期日', DAY_FORMAT)),
})

const DIAL_CODES = [
  { dialCode: '86', CNName: '中国' },
  { dialCode: '852', CNName: '中国香港' },
  { dialCode: '81', CNName: '日本' },
  { dialCode: '49', CNName: '德国' },
]

const wait = () => new Promise((resolve) => setTimeout(resolve, 900))

export function FormSamples() {
  return (
    <div className={styles.forms}>
      <Panel title="填写">
        <AccountForm />
      </Panel>
      <Panel title="校验未通过">
        <AccountForm wrong />
      </Panel>
      <Panel title="设置">
        <SettingsForm />
      </Panel>
      <Panel title="不可用">
        <SettingsForm disabled />
      </Panel>
    </div>
  )
}

function AccountForm({ wrong = false }: { readonly wrong?: boolean }) {
  const form = useContractForm(account, {
    username: wrong ? '' : 'demo01',
    password: '',
    area_code: '86',
    phone: wrong ? '12' : '',
    code: '',
    captcha: '',
  })
  useErrorsShown(form, wrong)
  const { control } = form
  return (
    <Form form={form} onSubmit={wait}>
      <TextField control={control} name="username" label="用户名" required placeholder="例如 demo01" />
      <PasswordField control={control} name="password" label="密码" required autoComplete="new-password" />
      <PhoneField
        control={control}
        name="phone"
        areaName="area_code"
        label="手机号码"
        required
        dialCodes={DIAL_CODES}
      />
      <OtpField control={control} name="code" label="短信验证码" required send={wait} />
      <CaptchaField
        control={control}
        name="captcha"
        label="图形验证码"
        required
        captcha={{
          image: SAMPLE_CAPTCHA,
          failure: null,
          redraw: wait,
          proof: 'idle',
          solve: async () => void (await wait()),
          cancelProof: () => {},
          work: 'working',
        }}
      />
      <CheckboxField control={control} name="agreed">
        同意示例的 <a href="#forms">服务条款</a> 与 <a href="#forms">隐私政策</a>
      </CheckboxField>
      <FormActions submitText="注册" busy={form.busy} block />
    </Form>
  )
}

function SettingsForm({ disabled = false }: { readonly disabled?: boolean }) {
  const form = useContractForm(settings, {
    gateway: '10.100.0.0',
    port: 11_940,
    ciphers: 'default',
    mode: 1,
    notify: true,
    note: '',
    day: dateText(SAMPLE_NOW),
  })
  const { control } = form
  const [range, setRange] = useState<DayRange | null>(() => lastDays(7, SAMPLE_NOW))
  return (
    <Form form={form} onSubmit={wait}>
      <TextField
        control={control}
        name="gateway"
        label="网段"
        required
        suffix="/ 20"
        help="掩码取值 16 到 24"
        disabled={disabled}
      />
      <NumberField control={control} name="port" label="公网端口" suffix="1025~65535" disabled={disabled} />
      <SelectField
        control={control}
        name="ciphers"
        label="加密算法"
        disabled={disabled}
        options={[
          { value: 'default', label: '默认（AES-256-GCM）' },
          { value: 'sm', label: '国密（SM4）' },
        ]}
      />
      <RadioField
        control={control}
        name="mode"
        label="拨号模式"
        disabled={disabled}
        options={[
          { value: 1, label: '默认' },
          { value: 2, label: '优先中心点' },
          { value: 3, label: '优先 POP' },
        ]}
      />
      <SwitchField control={control} name="notify" label="设备离线时发送邮件" disabled={disabled} />
      <DateField
        control={control}
        name="day"
        label="到期日"
        min={dateText(SAMPLE_NOW)}
        max={DAYS.last}
        disabled={disabled}
      />
      <DateRange label="时间范围" value={range} onChange={setRange} disabled={disabled} />
      <TextAreaField control={control} name="note" label="备注" rows={2} maxLength={24} disabled={disabled} />
      {!disabled && <FormActions submitText="保存" busy={form.busy} onCancel={() => form.reset()} />}
    </Form>
  )
}

/** Shows a form as it is after a refused submit, without moving the focus there. */
function useErrorsShown(form: ContractForm<z.input<typeof account>, z.output<typeof account>>, shown: boolean): void {
  const { trigger } = form
  useEffect(() => {
    if (shown) void trigger()
  }, [shown, trigger])
}
