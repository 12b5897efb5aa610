import * as z from 'zod'
import {
  CODE_REQUIRED,
  PASSWORD_REQUIRED,
  PHONE_MISSING,
  lengthText,
  areaCode,
  code,
  codeString,
  displayText,
  numeric,
  routerName,
  wireBoolean,
} from '#contract/kernel/fields.ts'
import { charactersOf, sentenceOf } from '#contract/kernel/input/input-sentence.ts'
import { phoneProblem, withPhoneText } from '#contract/kernel/input/phone.ts'
import { groupedCode } from '#contract/kernel/input/typed-text.ts'
import { MEMBER_FILE, SOFTWARE } from './limits.ts'
import { PASSWORD } from '#contract/account/limits.ts'
import { BATCH_MAX } from '#contract/kernel/limits.ts'
import type { BatchCounts } from '#contract/kernel/result.ts'

/* Schemas of fields of members, for forms and for uploaded files. */

export const bulkNames = z
  .array(routerName)
  .min(1, '请至少选择1个成员')
  .max(BATCH_MAX, `一次最多选择${BATCH_MAX}个成员`)

/** Result of each member, in the order of the call. `msg` is the reason of a failure. */
export const bulkResult = z.object({
  done: z.int(),
  result: z.array(z.object({ router_name: routerName, ok: wireBoolean, msg: z.string() })),
})
export const bulkCounts = ({ done, result }: z.output<typeof bulkResult>): BatchCounts => ({
  done,
  left: result.length - done,
  noun: '成员',
})

/** Serial number, as printed on the device; `activationCode` is printed on its box. */
export const serialNumber = codeString({ error: sentenceOf('序列号') })
  .min(1, '请输入序列号')
  .max(64, '序列号过长')
export const ACTIVATION_REQUIRED = '请输入激活码'
export const activationCode = z
  .string({ error: sentenceOf('激活码') })
  .overwrite(groupedCode)
  .min(1, ACTIVATION_REQUIRED)
  .max(32, '激活码过长')

/** Refusal of a deletion without members. */
export const SOFTWARE_REQUIRED = '请至少选择1个软件成员'

/** Fields of software members (network 5), of forms and of files alike. */

export const softwareUsername = codeString({ error: sentenceOf('账号') })
  .min(1, '请输入账号')
  .max(SOFTWARE.usernameMax, lengthText('账号', SOFTWARE.usernameMax))
  .regex(/^[a-zA-Z0-9_.]+$/, '名称不能包含特殊字符和中文')
  .min(SOFTWARE.usernameMin, `账号不能少于${SOFTWARE.usernameMin}个字符`)

export const memberPassword = z
  .string()
  .min(1, PASSWORD_REQUIRED)
  .min(PASSWORD.min, '长度在 6 到 18 个字符')
  .max(PASSWORD.max, '长度在 6 到 18 个字符')

/** Password in the cell of a file (network 5). Rules of the account name are those of the form. */
const filePassword = z
  .string()
  .regex(new RegExp(`^[a-zA-Z0-9]{${PASSWORD.min},${PASSWORD.max}}$`), '密码为6-18位字母或数字')
const NOTE = String.raw`[\p{L}\p{N} _.\-（）()·•‧・]`
const fileNote = displayText
  .max(MEMBER_FILE.noteMax, lengthText('备注', MEMBER_FILE.noteMax))
  .regex(new RegExp(`^${NOTE}*$`, 'u'), charactersOf(new RegExp(NOTE, 'u'), '备注由文字、数字、空格和_.-()·组成'))
/** Row of a file of new members. The phone may be empty. */
export const fileMember = z
  .object({
    account: softwareUsername,
    password: filePassword,
    area_code: areaCode,
    phone: z.string(),
    note: fileNote,
  })
  .overwrite(withPhoneText)
  .superRefine(({ area_code, phone }, issues) => {
    const problem = phone === '' ? null : phoneProblem(area_code, phone)
    if (problem) issues.addIssue({ code: 'custom', path: ['phone'], message: problem })
  })
/** Name of an existing member, with or without suffix. Directories have longer names than the form allows. */
export const existingName = codeString()
  .min(1, '请输入账号')
  .regex(
    new RegExp(`^[a-zA-Z0-9_.-]{1,${MEMBER_FILE.nameMax}}(@[a-zA-Z0-9]+)?$`),
    charactersOf(/[a-zA-Z0-9_.@-]/, '账号格式不正确'),
  )

/** 1 gives the phone to the member; 2 confirms by code a phone that another member has. */
const bindType = numeric(z.union([z.literal(1), z.literal(2)])).prefault(1)

export const boundPhone = {
  area_code: areaCode,
  phone: z.string().default(''),
  type: bindType,
  code: code.or(z.literal('')).default(''),
}

/** Checks a phone of a member. `isRequired`: a phone is needed even without a confirming code. */
export const checkBoundPhone =
  (isRequired: boolean) =>
  (
    { area_code, phone, type, code: typed }: z.output<z.ZodObject<typeof boundPhone>>,
    issues: z.RefinementCtx,
  ): void => {
    const isMissing = phone === '' && (isRequired || type === 2)
    const message = isMissing ? PHONE_MISSING : phone === '' ? null : phoneProblem(area_code, phone)
    if (message !== null) issues.addIssue({ code: 'custom', path: ['phone'], message })
    if (type === 2 && typed === '') issues.addIssue({ code: 'custom', path: ['code'], message: CODE_REQUIRED })
  }

/** Network that the new member joins as a point; empty for none. A role limited to networks must name one. */
export const joinedNetwork = codeString().max(32).default('')
