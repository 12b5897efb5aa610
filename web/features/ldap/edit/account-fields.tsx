import { copiedText } from '#contract/kernel/input/typed-text.ts'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SecretField } from '#ui/form/inputs/password-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useNetworkOptions } from '../api.ts'
import { SYNC_MODES } from '../ldap-text.ts'
import type { EditForm } from './ldap-form.ts'
import styles from './ldap-form.module.css'

/* Fields of the LDAP form: bind account, network and status of new members, advanced settings. */

const NO_NETWORK = { value: '', label: '不关联' }

interface FieldsProps {
  readonly form: EditForm
  readonly isStored: boolean
}

export function AccountFields({ form: { control }, isStored }: FieldsProps) {
  return (
    <>
      <TextField
        control={control}
        name="username"
        label="用户名"
        required
        isCode
        clean={copiedText}
        help="只需读取用户的权限，例如 cn=reader,dc=example,dc=com 或 reader@example.com"
      />
      <SecretField control={control} name="password" label="密码" required={!isStored} isStored={isStored} />
    </>
  )
}

export function MembershipFields({ form: { control } }: Pick<FieldsProps, 'form'>) {
  const { data } = useNetworkOptions()
  const networks = (data?.data ?? []).map(({ network_number: value, network_name: label }) => ({ value, label }))
  return (
    <>
      <SelectField
        control={control}
        name="network_number"
        label="关联组网"
        searchable
        options={[NO_NETWORK, ...networks]}
        help="新导入的成员作为普通点加入，席位用完后的成员只导入不加入"
      />
      <RadioField control={control} name="sync_mode" label="同步方式" required options={SYNC_MODES} />
    </>
  )
}

const ADVANCED = [
  {
    name: 'user_filter',
    label: '用户过滤条件',
    clean: copiedText,
    help: 'LDAP过滤条件，例如 (memberOf=cn=vpn,ou=groups,dc=example,dc=com)；不要排除已禁用的用户',
  },
  {
    name: 'certificate_name',
    label: '证书名称',
    help: '用IP地址连接，或证书名称与地址不同时填写',
  },
  {
    name: 'username_attribute',
    label: '用户名属性',
    help: '留空按目录类型选取：AD为sAMAccountName，其他为uid',
  },
  { name: 'phone_attribute', label: '手机号属性', help: '留空为mobile' },
] as const

export function AdvancedFields({ form: { control, formState } }: Pick<FieldsProps, 'form'>) {
  const isWrong = ADVANCED.some(({ name }) => name in formState.errors)
  return (
    <details className={styles.advanced} {...(isWrong && { open: true })}>
      <summary>高级</summary>
      <div className="nl-form">
        {ADVANCED.map((field) => (
          <TextField key={field.name} control={control} isCode {...field} />
        ))}
      </div>
    </details>
  )
}
