import * as z from 'zod'
import { DOMAIN_BAD, DOMAIN_NAME } from './domain-name.ts'
import { EXAMPLE } from '#contract/kernel/endpoint.ts'
import { codeString, dottedString, lengthText, numeric, wireBoolean } from '#contract/kernel/fields.ts'
import { charactersOf, sentenceOf } from '#contract/kernel/input/input-sentence.ts'
import { LDAP_FORM, LDAP_MODES, type LDAP_MISSING, LDAP_SYNC } from './limits.ts'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { copiedText } from '#contract/kernel/input/typed-text.ts'
import { FILE_TYPE_WRONG, type FileRule } from '#contract/kernel/uploads.ts'

/* Form of the LDAP directory. */

/** Upload rule of CA certificates (directory 5). */
export const CA_RULE: FileRule = {
  extensions: ['.cert', '.crt', '.cer', '.pem'],
  maxBytes: UPLOAD.maxBytes,
  wrongType: FILE_TYPE_WRONG,
  tooLarge: '文件大小不能超过 2MB!',
}

const optional = (name: string, max: number) => codeString().max(max, lengthText(name, max)).default('')
/** DN or filter, in which another width of a letter is another letter. */
const copied = (name: string, max: number) =>
  z
    .string({ error: sentenceOf(name) })
    .overwrite(copiedText)
    .max(max, lengthText(name, max))
const filled = (name: string, max: number) => copied(name, max).min(1, `${name}不能为空`)
const booleanField = numeric(wireBoolean).default(0)

export const domain = dottedString({ error: sentenceOf('域名') })
  .toLowerCase()
  .min(1, { error: '域名不能为空', abort: true })
  .max(LDAP_FORM.domain, DOMAIN_BAD)
  .regex(DOMAIN_NAME, DOMAIN_BAD)

const port = z
  .union([z.int(), z.string()], '请输入端口')
  .transform(String)
  .pipe(
    codeString()
      .min(1, '请输入端口')
      .max(LDAP_FORM.port, '端口不正确')
      .regex(/^\d+$/, charactersOf(/\d/, '端口只能输入数字')),
  )
  .transform(Number)
  .pipe(z.int().min(1, '端口不正确').max(65_535, '端口不正确'))

/** Password hashes in OpenLDAP, Active Directory and Samba: no member may have one as its name or phone. */
const PASSWORD_ATTRIBUTES: readonly string[] = [
  'userpassword',
  'unicodepwd',
  'ntpwdhistory',
  'lmpwdhistory',
  'sambantpassword',
  'sambalmpassword',
]

/** Name of an attribute (RFC 4512), without options. */
const attribute = (name: string) =>
  optional(name, LDAP_FORM.attribute)
    .refine((text) => text === '' || /^[A-Za-z][A-Za-z0-9-]*$/.test(text), `${name}不正确`)
    .refine((text) => !PASSWORD_ATTRIBUTES.includes(text.toLowerCase()), `${name}不能是存放密码的属性`)

export const syncMode = numeric(
  z.union([z.literal(LDAP_SYNC.manual), z.literal(LDAP_SYNC.automatic)], '请选择同步方式'),
)

/** Schema for form and server. Rules between fields are below and in domain/ldap/form.ts. */
export const ldapForm = z.object({
  mode: z.enum(LDAP_MODES, '请选择模式'),
  router_name: optional('硬件设备', LDAP_FORM.host),
  domain,
  host: dottedString('请输入地址').min(1, '请输入地址').max(LDAP_FORM.host, lengthText('地址', LDAP_FORM.host)),
  port,
  base_dn: filled('Base DN', LDAP_FORM.baseDn),
  use_ssl: booleanField,
  use_tls: booleanField,
  ca_id: codeString().max(32).default(''),
  public_ca: booleanField,
  certificate_name: dottedString()
    .max(LDAP_FORM.certificateName, lengthText('证书名称', LDAP_FORM.certificateName))
    .default(''),
  username: filled('用户名', LDAP_FORM.username),
  password: z.string().max(LDAP_FORM.password, lengthText('密码', LDAP_FORM.password)).default(''),
  type: numeric(z.literal(1)).default(1),
  user_filter: copied('用户过滤条件', LDAP_FORM.filter).default(''),
  username_attribute: attribute('用户名属性'),
  phone_attribute: attribute('手机号属性'),
  network_number: codeString().max(32).default(''),
  sync_mode: syncMode,
})
export type LdapForm = z.output<typeof ldapForm>

/** Choices of the form that make other fields necessary; switches are 0 and 1, or booleans in the console. */
interface Choices {
  readonly mode: string
  readonly router_name: string
  readonly use_ssl: number | boolean
  readonly use_tls: number | boolean
  readonly public_ca: number | boolean
  readonly ca_id: string
}

type Missing = keyof typeof LDAP_MISSING

/** Necessary fields that are empty. */
export const missingFields = ({
  mode,
  router_name,
  use_ssl,
  use_tls,
  public_ca,
  ca_id,
}: Choices): readonly Missing[] => [
  ...(mode === 'private' && router_name === '' ? (['router_name'] as const) : []),
  ...((use_ssl || use_tls) && !public_ca && ca_id === '' ? (['ca_id'] as const) : []),
]

export const EXAMPLE_FORM = {
  mode: 'public',
  domain: 'acme.example',
  host: 'ldap.acme.example',
  port: 636,
  base_dn: 'dc=acme,dc=example',
  use_ssl: 1,
  public_ca: 1,
  username: 'cn=reader,dc=acme,dc=example',
  password: 'Secret2026',
  network_number: EXAMPLE.network_number,
  sync_mode: 1,
} as const
