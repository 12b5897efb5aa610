import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import { checkFile, FILE_REQUIRED } from '#contract/kernel/uploads.ts'
import { copiedText } from '#contract/kernel/input/typed-text.ts'
import { CA_RULE, domain as domainField } from '#contract/ldap/form.ts'
import { dateText } from '#lib/format/format-time.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { toast } from '#lib/toast/toast.ts'
import { downloadDomainFile, useVerifyDomain } from '#ui/dialog/use-domain-proof.ts'
import { FieldFrame, useField } from '#ui/form/field.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { RemoteSelectField } from '#ui/form/inputs/remote-select-field.tsx'
import type { Option } from '#ui/form/inputs/select-field.tsx'
import { SwitchField } from '#ui/form/inputs/switch-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { FileDrop } from '#ui/form/upload/file-drop.tsx'
import { toErrorView } from '#ui/state/error-view.ts'
import { type Hardware, type LdapConfig, uploadCa, useHardware } from '../api.ts'
import { MODE_WORD, whyNoTunnel } from '../ldap-text.ts'
import type { EditForm } from './ldap-form.ts'

/* Fields of the LDAP form: address of the directory, device, encryption and CA. */

const MODES = (['public', 'private'] as const).map((value) => ({ value, label: MODE_WORD[value] }))

const useHardwareOptions = (search: string) => (useHardware(search).data?.data ?? []).map(toOption)

function toOption(device: Hardware): Option {
  const reason = whyNoTunnel(device)
  const label = memberLabel(device)
  return reason === null
    ? { value: device.router_name, label: `${label}（在线）` }
    : { value: device.router_name, label: `${label}（${reason}）`, disabled: true }
}

interface FieldsProps {
  readonly form: EditForm
  readonly config: LdapConfig | null
}

interface ConnectionProps extends FieldsProps {
  /** Domain that is known to be proved; null for none. */
  readonly proved: string | null
  readonly onProved: (domain: string) => void
}

export function ConnectionFields({ form, config, proved, onProved }: ConnectionProps) {
  const { control } = form
  const isPublic = form.watch('mode') === 'public'
  return (
    <>
      <RadioField
        control={control}
        name="mode"
        label="模式"
        required
        options={MODES}
        help={
          isPublic ? '从互联网直接连接目录服务器' : '通过组网中的硬件成员连接其局域网内的目录服务器，密码不经过设备'
        }
      />
      {!isPublic && <DeviceField form={form} config={config} />}
      <TextField
        control={control}
        name="domain"
        label="域名"
        required
        isCode
        help={
          isPublic ? (
            <DomainProof form={form} proved={proved} onProved={onProved} />
          ) : (
            '目录的域名，例如 corp.example.com'
          )
        }
      />
      <TextField
        control={control}
        name="host"
        label="地址"
        required
        isCode
        help={isPublic ? '域名本身或其子域名，例如 ldap.example.com' : '域名或局域网地址'}
      />
      <NumberField control={control} name="port" label="端口" required help="通常为389，启用SSL时为636" />
      <TextField
        control={control}
        name="base_dn"
        label="Base DN"
        required
        isCode
        clean={copiedText}
        disabled={config !== null}
        help={config === null ? '从这里向下查找用户，创建后不可修改' : '创建后不可修改'}
      />
      <EncryptionFields form={form} config={config} />
    </>
  )
}

/** Hint under the domain of public mode, with the steps that prove it. */
function DomainProof({ form, proved, onProved }: Omit<ConnectionProps, 'config'>) {
  const verify = useVerifyDomain()
  const parsed = domainField.safeParse(form.watch('domain'))
  if (!parsed.success) return '首次使用须验证域名归您所有'
  const domain = parsed.data
  if (domain === proved) return '域名已验证'
  const check = async () => {
    try {
      await verify.trigger({ domain })
      form.clearErrors('domain')
      onProved(domain)
    } catch (error) {
      form.setError('domain', { type: 'server', message: toErrorView(error).message })
    }
  }
  return (
    <span className="nl-flow">
      首次使用须验证域名归您所有
      <Button size="small" onClick={() => void downloadDomainFile(domain)}>
        下载验证文件
      </Button>
      <Button size="small" loading={verify.isMutating} onClick={() => void check()}>
        {verify.isMutating ? '正在验证' : '验证'}
      </Button>
    </span>
  )
}

function DeviceField({ form, config }: FieldsProps) {
  const stored =
    config === null || config.router_name === ''
      ? null
      : { value: config.router_name, label: memberLabel({ router_name: config.router_name, note: config.router_note }) }
  return (
    <RemoteSelectField
      control={form.control}
      name="router_name"
      label="硬件设备"
      required
      placeholder="按名称或备注搜索硬件成员"
      help="须在线，且设备版本支持目录连接"
      useOptions={useHardwareOptions}
      preset={stored}
    />
  )
}

function EncryptionFields({ form, config }: FieldsProps) {
  const [isSsl, isTls, isPublicCa] = form.watch(['use_ssl', 'use_tls', 'public_ca'])
  return (
    <>
      <Toggle form={form} name="use_ssl" other="use_tls" label="SSL（LDAPS）" />
      <Toggle form={form} name="use_tls" other="use_ssl" label="StartTLS" />
      {(isSsl || isTls) && (
        <>
          <SwitchField
            control={form.control}
            name="public_ca"
            label="公共CA"
            help="证书由公共CA签发时开启，无需上传CA证书"
          />
          {!isPublicCa && <CaField form={form} storedName={config?.file_name ?? ''} />}
        </>
      )}
    </>
  )
}

interface ToggleProps {
  readonly form: EditForm
  readonly name: 'use_ssl' | 'use_tls'
  readonly other: 'use_ssl' | 'use_tls'
  readonly label: string
}

/** One of two exclusive switches: turning it on turns the other off. */
function Toggle({ form, name, other, label }: ToggleProps) {
  return (
    <SwitchField
      control={form.control}
      name={name}
      label={label}
      onSwitched={(on) => on && form.setValue(other, false, { shouldDirty: true })}
    />
  )
}

type Uploaded = Awaited<ReturnType<typeof uploadCa>>['data']

/** CA of the directory's certificate, PEM or DER. The file uploads once it is chosen; the field holds its id. */
function CaField({ form, storedName }: { form: EditForm; storedName: string }) {
  const { id, frame, error, field } = useField({
    control: form.control,
    name: 'ca_id',
    label: 'CA证书',
    required: true,
    missing: FILE_REQUIRED,
  })
  const [uploaded, setUploaded] = useState<Uploaded | null>(null)
  const [isUploading, setUploading] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const take = async ([file]: readonly File[]) => {
    if (file === undefined) return
    const refusal = checkFile(file, CA_RULE)
    setRefused(refusal)
    if (refusal !== null) return
    setUploading(true)
    try {
      const { data, msg } = await uploadCa(file)
      toast.done(msg)
      setUploaded(data)
      field.onChange(data.ca_id)
      form.clearErrors('ca_id')
    } catch (cause) {
      setRefused(toErrorView(cause).message)
    } finally {
      setUploading(false)
    }
  }
  return (
    <FieldFrame
      {...frame}
      error={refused ?? error}
      help="自签名或企业CA签发的证书须上传CA证书，支持PEM和DER格式，可含多个证书"
    >
      <FileDrop id={id} rule={CA_RULE} multiple={false} disabled={isUploading} onFiles={(files) => void take(files)} />
      <p role="status">{isUploading ? '上传中…' : describe(uploaded, field.value === '' ? '' : storedName)}</p>
    </FieldFrame>
  )
}

const describe = (uploaded: Uploaded | null, storedName: string): ReactNode =>
  uploaded === null ? (
    storedName && `当前证书：${storedName}`
  ) : (
    <>
      <span translate="no">{`${uploaded.file_name}：${uploaded.subject}`}</span>
      {`，${dateText(uploaded.expire_time)} 到期`}
    </>
  )
