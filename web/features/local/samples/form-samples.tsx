import { type ReactNode, useEffect, useState } from 'react'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import * as z from 'zod'
import { captchaText, code, loginName, password } from '#contract/kernel/fields.ts'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { DAYS } from '#contract/kernel/time-range.ts'
import { IMAGE_RULE, SHEET_RULE } from '#contract/kernel/uploads.ts'
import { dateText, type DayRange, lastDays } from '#lib/format/format-time.ts'
import { DateField } from '#ui/form/dates/date-field.tsx'
import { DateRange } from '#ui/form/dates/date-range.tsx'
import { DAY_FORMAT, readDay, unreadableText } from '#ui/form/dates/typed-day.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { CheckboxField } from '#ui/form/inputs/checkbox-field.tsx'
import { MultiChoice } from '#ui/form/inputs/multi-choice.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { PasswordField, SecretField } from '#ui/form/inputs/password-field.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { RemoteSelectField } from '#ui/form/inputs/remote-select-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { SwitchField } from '#ui/form/inputs/switch-field.tsx'
import { TextAreaField } from '#ui/form/inputs/text-area-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { FileField } from '#ui/form/upload/file-field.tsx'
import { UploadField } from '#ui/form/upload/upload-field.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { SAMPLE_NOW, type Samples, wait } from './sample.tsx'

/* Kit samples of forms, uploads and choices. */

interface FormSampleProps<V extends FieldValues, T extends FieldValues> {
  readonly schema: z.ZodType<T, V>
  readonly values: DefaultValues<V>
  /** The form looks as after a refused submit, without the focus in it. */
  readonly isChecked?: boolean
  readonly children: (form: ContractForm<V, T>) => ReactNode
}

function FormSample<V extends FieldValues, T extends FieldValues>(props: FormSampleProps<V, T>) {
  const { schema, values, isChecked = false, children } = props
  const form = useContractForm(schema, values)
  const { trigger } = form
  useEffect(() => {
    if (isChecked) void trigger()
  }, [isChecked, trigger])
  return (
    <Form form={form} onSubmit={() => wait(900)}>
      {children(form)}
    </Form>
  )
}

const account = z.object({
  username: loginName,
  password,
  area_code: z.string(),
  phone: z.string().length(11, '示例号码须为11位'),
  code,
  captcha: captchaText,
  agreed: z.literal(true, '请先阅读并同意服务条款'),
})
const ACCOUNT: DefaultValues<z.input<typeof account>> = {
  username: 'demo01',
  password: '',
  area_code: '86',
  phone: '12',
  code: '',
  captcha: '',
}
/** A captcha whose image could not be loaded. */
const CAPTCHA = {
  image: undefined,
  failure: '图形验证码加载失败',
  redraw: () => wait(900),
  proof: 'idle',
  solve: () => wait(900),
  cancelProof: () => {},
  work: 'working',
} as const

const PORT_RANGE = '端口为1025~65535'
const settings = z.object({
  gateway: z.string().min(1, '请输入网段'),
  port: z.int('请输入端口').min(1025, PORT_RANGE).max(65_535, PORT_RANGE),
  ciphers: z.string(),
  mode: z.number(),
  notify: z.boolean(),
  note: z.string().max(24),
  day: z.string().refine((day) => readDay(day) !== null, unreadableText('到期日', DAY_FORMAT)),
})
const CIPHERS = [
  { value: 'default', label: '默认（AES-256-GCM）' },
  { value: 'sm', label: '国密（SM4）' },
]
const MODES = [
  { value: 1, label: '默认' },
  { value: 2, label: '优先中心点' },
]
const DAY = dateText(SAMPLE_NOW)

export function SettingsForm({ gateway = '10.100.0.0', help = '掩码取值 16 到 24', disabled = false }) {
  const [range, setRange] = useState<DayRange | null>(() => lastDays(7, SAMPLE_NOW))
  const values = { gateway, port: 11_940, ciphers: 'default', mode: 1, notify: true, note: '', day: DAY }
  return (
    <FormSample schema={settings} values={values}>
      {({ control: c, busy, reset }) => {
        const control = { control: c, disabled }
        return (
          <>
            <TextField {...control} name="gateway" label="网段" required suffix="/ 20" help={help} />
            <NumberField {...control} name="port" label="公网端口" suffix="1025~65535" />
            <SelectField {...control} name="ciphers" label="加密算法" options={CIPHERS} />
            <RadioField {...control} name="mode" label="拨号模式" options={MODES} />
            <SwitchField {...control} name="notify" label="设备离线时发送邮件" />
            <DateField {...control} name="day" label="到期日" min={DAY} max={DAYS.last} />
            {!disabled && <DateRange label="时间范围" value={range} onChange={setRange} />}
            <TextAreaField {...control} name="note" label="备注" rows={2} max={24} />
            {!disabled && <FormActions submitText="保存" busy={busy} onCancel={() => reset()} />}
          </>
        )
      }}
    </FormSample>
  )
}

const ROUTERS = [
  { value: 'NL80C001', label: '上海总部' },
  { value: 'NL80C002', label: '杭州分支' },
] as const
const useRouters = (search: string) => ROUTERS.filter(({ label }) => label.includes(search))
const connection = z.object({ password: z.string(), secret: z.string(), router_name: z.string() })
const files = z.object({ file: z.instanceof(File), file_ids: z.array(z.string()) })

const upload = ({ name }: File) => wait(1_000).then(() => name)

export const FORM_SAMPLES: Samples = {
  校验未通过: (
    <FormSample schema={account} values={ACCOUNT} isChecked>
      {({ control, busy }) => (
        <>
          <TextField control={control} name="username" label="用户名" required placeholder="例如 demo01" />
          <PasswordField control={control} name="password" label="密码" required autoComplete="new-password" />
          <PhoneField control={control} name="phone" label="手机号码" dialCodes={undefined} />
          <OtpField control={control} name="code" label="短信验证码" required send={() => wait(900)} />
          <CaptchaField control={control} name="captcha" label="图形验证码" required captcha={CAPTCHA} />
          <CheckboxField control={control} name="agreed">
            同意示例的 <a href="?pattern=settings">服务条款</a>
          </CheckboxField>
          <FormActions submitText="注册" busy={busy} block />
        </>
      )}
    </FormSample>
  ),
  不可用: <SettingsForm disabled />,
  密钥与远程搜索: (
    <FormSample schema={connection} values={{ password: '', secret: '', router_name: 'NL80C002' }}>
      {({ control }) => (
        <>
          <SecretField control={control} name="password" label="密码" required isStored={false} />
          <SecretField control={control} name="secret" label="AppSecret" isStored />
          <RemoteSelectField
            control={control}
            name="router_name"
            label="硬件设备"
            placeholder="按名称搜索"
            useOptions={useRouters}
            preset={ROUTERS[1]}
          />
        </>
      )}
    </FormSample>
  ),
  上传: (
    <FormSample schema={files} values={{ file_ids: [] }}>
      {({ control }) => (
        <>
          <FileField control={control} name="file" label="成员文件" required rule={SHEET_RULE} />
          <UploadField
            control={control}
            name="file_ids"
            label="附件"
            rule={IMAGE_RULE}
            maxFiles={UPLOAD.ticketFiles}
            upload={upload}
          />
        </>
      )}
    </FormSample>
  ),
}

const toOption = (label: string, id: number) => ({ value: String(id), label, second: String(id) })
const SHOPS = Array.from({ length: 300 }, (_, n) => toOption(`门店 ${n + 1}`, 3_000_000_000 + n * 7))

function Choice({ options, start }: { options: typeof SHOPS; start: readonly string[] }) {
  const [value, setValue] = useState(start)
  return (
    <MultiChoice
      label="多选"
      options={options}
      value={value}
      onChange={setValue}
      searchLabel="搜索示例组网"
      emptyText="还没有组网"
      missingText="已删除"
    />
  )
}

export const CHOICE_SAMPLES: Samples = {
  '三百项，已选的一项已删除': <Choice options={SHOPS} start={['3000000007', '1111111111']} />,
  没有可选: <Choice options={[]} start={[]} />,
}
