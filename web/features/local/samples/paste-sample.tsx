import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod'
import { recoveryCode, totpCode } from '#contract/account/totp-fields.ts'
import {
  areaCode,
  captchaText,
  checkPhone,
  code,
  displayText,
  dottedString,
  email,
  nickname,
  note,
  password,
} from '#contract/kernel/fields.ts'
import { withPhoneText } from '#contract/kernel/input/phone.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import { DAYS } from '#contract/kernel/time-range.ts'
import { copiedText } from '#contract/kernel/input/typed-text.ts'
import { port } from '#contract/network/fields.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { serialNumber } from '#contract/router/fields.ts'
import { webhookSecret } from '#contract/webhook/index.ts'
import type { DayRange } from '#lib/format/format-time.ts'
import { DateField } from '#ui/form/dates/date-field.tsx'
import { DateRange } from '#ui/form/dates/date-range.tsx'
import { TimeWindowField, lastWindow } from '#ui/form/dates/time-window.tsx'
import { Form } from '#ui/form/form.tsx'
import { ActivationField, isWholeActivationCode } from '#ui/form/inputs/activation-field.tsx'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { EmailField } from '#ui/form/inputs/email-field.tsx'
import { FactorField, TotpField } from '#ui/form/inputs/factor-field.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { PasswordField, SecretField } from '#ui/form/inputs/password-field.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { TextAreaField } from '#ui/form/inputs/text-area-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

/* Kit sample of every field into which text is pasted, with the value that the rules of the contract read from it. */

const fields = {
  area_code: areaCode,
  phone: z.string(),
  otp: code,
  totp: totpCode,
  recovery_code: recoveryCode,
  captcha: captchaText,
  activation: z.string().refine(isWholeActivationCode, '激活码不完整'),
  serial: serialNumber,
  email,
  address: dottedString(),
  dn: z.string().overwrite(copiedText),
  nickname,
  note,
  remark: displayText,
  port,
  password,
  secret: webhookSecret,
  day: z.string(),
}
const schema = z.object(fields)
const phone = z.object({ area_code: areaCode, phone: z.string() }).overwrite(withPhoneText).superRefine(checkPhone)
type Values = z.input<typeof schema>

const EMPTY = {
  ...Object.fromEntries(Object.keys(fields).map((name) => [name, ''])),
  area_code: '86',
  port: null,
} as unknown as Values
const CAPTCHA = {
  image: undefined,
  failure: null,
  redraw: async () => {},
  proof: 'idle',
  solve: async () => {},
  cancelProof: () => {},
  work: 'none',
} as const
const DIAL_CODES = [
  { dialCode: '86', CNName: '中国' },
  { dialCode: '852', CNName: '中国香港' },
  { dialCode: '44', CNName: '英国' },
]

/** Ranges are no fields of a form: each end shows what was read once it is left. */
function RangeSamples() {
  const [days, setDays] = useState<DayRange | null>(null)
  const [times, setTimes] = useState(() => lastWindow(DAY_MS, Date.now()))
  const limit = { spanMs: 36_500 * DAY_MS, sentence: '时间过早' }
  return (
    <>
      <DateRange label="粘贴日期范围" value={days} onChange={setDays} />
      <TimeWindowField label="粘贴时间范围" value={times} onChange={setTimes} limit={limit} />
    </>
  )
}

/** Value of a field, or the sentence that refuses it. */
function toReading(name: string, rule: z.ZodType, values: Values): unknown {
  const isPhone = name === 'phone'
  const read = isPhone ? phone.safeParse(values) : rule.safeParse(Reflect.get(values, name))
  if (!read.success) return { refused: read.error.issues[0]?.message }
  return isPhone ? Object.values(read.data as object).join(' ') : read.data
}

export function PasteSample() {
  const form = useContractForm(schema, EMPTY)
  const { control } = form
  const values = useWatch({ control }) as Values
  const readings = Object.entries(fields).map(([name, rule]) => [name, toReading(name, rule, values)])
  return (
    <>
      <Form form={form} onSubmit={() => {}}>
        <PhoneField control={control} name="phone" label="粘贴手机" dialCodes={DIAL_CODES} />
        <OtpField control={control} name="otp" label="粘贴短信验证码" send={async () => {}} />
        <TotpField control={control} name="totp" />
        <FactorField control={control} isRecovery />
        <CaptchaField control={control} name="captcha" label="粘贴图形验证码" captcha={CAPTCHA} />
        <ActivationField control={control} name="activation" label="粘贴激活码" />
        <TextField control={control} name="serial" label="粘贴序列号" isCode />
        <EmailField control={control} name="email" label="粘贴邮箱" />
        <TextField control={control} name="address" label="粘贴地址" isCode />
        <TextField control={control} name="dn" label="粘贴DN" isCode clean={copiedText} />
        <TextField control={control} name="nickname" label="粘贴昵称" isCode />
        <TextField control={control} name="note" label="粘贴备注" max={NETWORK.noteMax} />
        <TextAreaField control={control} name="remark" label="粘贴说明" max={NETWORK.noteMax} />
        <NumberField control={control} name="port" label="粘贴端口" />
        <PasswordField control={control} name="password" label="粘贴密码" autoComplete="new-password" />
        <SecretField control={control} name="secret" label="粘贴密钥" isStored={false} />
        <DateField control={control} name="day" label="粘贴日期" min={DAYS.first} max={DAYS.last} />
        <output aria-label="读出的值">{JSON.stringify(Object.fromEntries(readings))}</output>
      </Form>
      <RangeSamples />
    </>
  )
}
