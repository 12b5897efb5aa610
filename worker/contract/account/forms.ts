import * as z from 'zod'
import { parseDay } from '#contract/kernel/time.ts'
import {
  PASSWORD_REQUIRED,
  REPEAT_REQUIRED,
  RESET_DIFFERS,
  lengthText,
  areaCode,
  checkPhone,
  codeString,
  displayText,
  email,
  nickname,
  otpOf,
  requiredCode,
} from '#contract/kernel/fields.ts'
import { sentenceOf } from '#contract/kernel/input/input-sentence.ts'
import { withPhoneText } from '#contract/kernel/input/phone.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import { BIRTHDAY, OCCUPATION_MAX, PASSWORD } from './limits.ts'

/* Forms of the account: profile, password, phone, e-mail, with the industry codes. */

/** Industry codes in the order of account 3, which has no I23, with their names on the page. */
export const INDUSTRIES = {
  I1: '政府及非营利组织',
  I2: '信息与咨询',
  I3: '社会服务',
  I4: '工商团体与纳税企业',
  I5: '体育与娱乐',
  I6: '交通运输',
  I7: '广告与传媒',
  I8: '商业机构',
  I9: '教育培训',
  I10: '房地产与建筑',
  I11: '邮政',
  I12: '互联网',
  I13: '制造业',
  I14: '能源与环保',
  I15: '建筑业',
  I16: '农林渔业',
  I17: '采矿业',
  I19: '餐饮与食品',
  I20: '医药与医疗',
  I21: '电子与通信',
  I22: '服务业',
  I24: '金融',
  I18: '其他',
} as const
type Industry = keyof typeof INDUSTRIES

const INDUSTRY_CODES = Object.keys(INDUSTRIES) as [Industry, ...Industry[]]

/** Calendar day from BIRTHDAY.first on. The domain checks that it is long enough ago (domain/account). */
const birthday = codeString({ error: sentenceOf('生日') }).superRefine((text, issues) => {
  const message =
    text === ''
      ? '生日不能为空'
      : parseDay(text) === null
        ? '生日格式不正确，例如1990-01-31'
        : text < BIRTHDAY.first
          ? `生日不能早于${BIRTHDAY.first}`
          : null
  if (message) issues.addIssue({ code: 'custom', message })
})

/** Profile of the account holder (account 5). `account` is the user name, which is not editable. */
export const profile = z.object({
  account: requiredCode('账号'),
  nickname,
  birthday,
  industry: z.string().min(1, '行业不能为空').pipe(z.enum(INDUSTRY_CODES, '请选择有效的行业')),
  occupation: displayText.min(1, '职业不能为空').max(OCCUPATION_MAX, lengthText('职业', OCCUPATION_MAX)),
})

/** New password after the identity step (account 5). */
export const passwordEdit = z
  .object({
    new_password: z
      .string({ error: sentenceOf('密码') })
      .min(1, PASSWORD_REQUIRED)
      .min(PASSWORD.min, '必须6到18位')
      .max(PASSWORD.max, '必须6到18位'),
    reset_password: z.string({ error: sentenceOf('重复密码') }).min(1, REPEAT_REQUIRED),
  })
  .refine((form) => form.new_password === form.reset_password, RESET_DIFFERS)

/** Optional field that a form sends empty while the field is hidden. */
const emptyAsAbsent = <T extends z.ZodType<string, string>>(schema: T) =>
  z
    .string()
    .optional()
    .transform((sent) => sent || undefined)
    .pipe(schema.optional())

/** Proofs of the caller. A missing code is refused with CODE_REQUIRED, and the form then shows the field (account 8). */
const proofs = {
  code: emptyAsAbsent(otpOf(SENTENCE.codeMissing)),
  /** Password for the first contact of an account, in place of the identity step. */
  password: emptyAsAbsent(z.string().max(PASSWORD.max, '密码长度6-18位')),
}

export const phoneBinding = z
  .object({ area_code: areaCode, phone: z.string({ error: sentenceOf('手机号码') }), ...proofs })
  .overwrite(withPhoneText)
  .superRefine(checkPhone)

export const emailBinding = z.object({ email: codeString().min(1, '请输入邮箱').pipe(email), ...proofs })
