import { useState } from 'react'
import type * as z from 'zod'
import { authSourceForm, authSourceKeptForm, type AuthSourceType } from '#contract/auth-source/index.ts'
import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import { checkFile, FILE_TYPE_WRONG, type FileRule, FILE_REQUIRED } from '#contract/kernel/uploads.ts'
import { ApiError } from '#lib/call/call.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm, type ContractForm } from '#ui/form/use-contract-form.ts'
import { type SourceSetup, type SourceRow, useCreateSource, useEditSource } from './api.ts'
import { FieldFrame, useField } from '#ui/form/field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SecretField } from '#ui/form/inputs/password-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { FileDrop } from '#ui/form/upload/file-drop.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import styles from './auth-source.module.css'
import { TYPE_OPTIONS, VENDOR } from './vendor-text.ts'

/* Dialog that adds or edits an auth source. Saving asks the vendor; its refusal appears at the field. */

const DomainDialog = lazyDialog(() => import('#ui/dialog/domain-dialog.tsx').then((m) => m.DomainDialog))

interface SourceDialogProps {
  /** Source to edit; null adds one. */
  readonly source: SourceRow | null
  readonly config: SourceSetup['config'] | undefined
  readonly onClose: () => void
}

export function SourceDialog({ source, config, onClose }: SourceDialogProps) {
  const [create, edit] = [useCreateSource(), useEditSource()]
  const [proof, setProof] = useState<{ readonly domain: string; readonly fileName: string } | null>(null)
  const save = async (values: SourceSent) => {
    try {
      await (source === null ? create.trigger(values) : edit.trigger({ ...values, id: source.id }))
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'AUTH_DOMAIN_UNPROVED')
        setProof({ domain: values.auth_domain, fileName: String(error.extra?.['file_name'] ?? '') })
      throw error
    }
  }
  const form = useContractForm(source === null ? authSourceForm : authSourceKeptForm, toValues(source), {
    draft: { key: `auth source ${source?.id ?? ''}`, fields: KEPT_FIELDS },
    lockMs: AUTH_SOURCE.formLockMs,
  })
  return (
    <>
      <FormDialog
        title={source === null ? '添加认证源' : '编辑认证源'}
        form={form}
        submitText={source === null ? '添加' : '保存'}
        command={save}
        onClose={onClose}
      >
        <SourceFields form={form} isStored={source !== null} config={config} />
      </FormDialog>
      {proof !== null && (
        <DomainDialog
          {...proof}
          why="自有回调域名须属于您的企业。"
          onVerified={() => setProof(null)}
          onClose={() => setProof(null)}
        />
      )}
    </>
  )
}

interface SourceFieldsProps {
  readonly form: SourceForm
  readonly isStored: boolean
  readonly config: SourceSetup['config'] | undefined
}

function SourceFields({ form, isStored, config }: SourceFieldsProps) {
  const { control } = form
  const [type, ownDomain = ''] = form.watch(['type', 'auth_domain'])
  const { appId, appIdHelp } = VENDOR[type]
  return (
    <>
      <RadioField control={control} name="type" label="类型" required options={TYPE_OPTIONS} disabled={isStored} />
      <TextField control={control} name="name" label="认证源名称" required max={AUTH_SOURCE.nameMax} />
      {type === 'dingtalk' && (
        <TextField
          control={control}
          name="corp_id"
          label="企业ID（CorpId）"
          required
          isCode
          help="开发者后台首页右上角的CorpId，以ding开头"
        />
      )}
      <TextField control={control} name="app_id" label={appId} required isCode help={appIdHelp} />
      {type === 'wechat' && (
        <TextField control={control} name="agent_id" label="应用ID（AgentId）" required isCode inputMode="numeric" />
      )}
      <SecretField control={control} name="app_secret" label="AppSecret" required={!isStored} isStored={isStored} />
      {config !== undefined && <VendorPlace type={type} place={config.default[type]} ownDomain={ownDomain} />}
      {type === 'wechat' && <OwnDomainFields form={form} />}
    </>
  )
}

const FILE_RULE: FileRule = {
  extensions: ['.txt'],
  maxBytes: 1024,
  wrongType: FILE_TYPE_WRONG,
  tooLarge: '文件大小不能超过 1KB!',
}

/** WeCom accepts only a callback domain filed by the company itself, proved by a file that WeCom issues. */
function OwnDomainFields({ form }: Pick<SourceFieldsProps, 'form'>) {
  const hasDomain = form.watch('auth_domain') !== ''
  return (
    <>
      <TextField
        control={form.control}
        name="auth_domain"
        label="自有回调域名"
        isCode
        placeholder="留空使用平台域名"
        help="企业微信要求回调域名的备案主体与企业一致。填写贵企业已备案的域名，并联系服务商将其接入"
      />
      {hasDomain && <VerifyFileField form={form} />}
    </>
  )
}

function VerifyFileField({ form }: Pick<SourceFieldsProps, 'form'>) {
  const { id, frame, error } = useField({
    control: form.control,
    name: 'file_name',
    label: '校验文件',
    required: true,
    missing: FILE_REQUIRED,
  })
  const take = async ([file]: readonly File[]) => {
    if (file === undefined) return
    const message = checkFile(file, FILE_RULE)
    if (message !== null) return form.setError('file_name', { message })
    form.setValue('file_content', (await file.text()).trim(), { shouldDirty: true })
    form.setValue('file_name', file.name, { shouldDirty: true, shouldValidate: true })
  }
  return (
    <FieldFrame {...frame} error={error} help="企业微信管理后台为该域名提供的 WW_verify_….txt，请勿改名或修改内容">
      <FileDrop id={id} rule={FILE_RULE} multiple={false} disabled={false} onFiles={(files) => void take(files)} />
      <p role="status">{form.watch('file_name')}</p>
    </FieldFrame>
  )
}

interface VendorPlaceProps {
  readonly type: AuthSourceType
  readonly place: SourceSetup['config']['default'][AuthSourceType]
  /** The customer's own callback domain, in place of ours; '' for none. */
  readonly ownDomain: string
}

/** Values that the administrator enters in the vendor's console, and their places there. */
function VendorPlace({ type, place, ownDomain }: VendorPlaceProps) {
  const { name, whiteIp, authDomain, redirectUri } = VENDOR[type]
  const own = ownDomain.length <= AUTH_SOURCE.domainMax ? ownDomain.trim() : ''
  const host = own || place.auth_domain
  const uri = own === '' ? place.redirect_uri : `https://${own}${new URL(place.redirect_uri).pathname}`
  const values = [
    {
      label: '可信IP',
      value: place.white_ip === '' ? place.notice : <CopyText text={place.white_ip} />,
      where: whiteIp,
    },
    { label: '授权域名', value: <CopyText text={host} />, where: authDomain },
    { label: '重定向URL', value: <CopyText text={uri} />, where: redirectUri },
  ]
  return (
    <dl className={styles.place} aria-label={`在${name}管理后台填写`}>
      {values
        .filter(({ where }) => where !== '')
        .map(({ label, value, where }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value}
              <small>{where}</small>
            </dd>
          </div>
        ))}
    </dl>
  )
}

type SourceValues = z.input<typeof authSourceKeptForm>
type SourceSent = z.output<typeof authSourceKeptForm>
type SourceForm = ContractForm<SourceValues, SourceSent>

/** Fields kept when a session runs out: all but the secret. */
const KEPT_FIELDS = ['type', 'name', 'app_id', 'agent_id', 'corp_id', 'auth_domain'] as const

function toValues(source: SourceRow | null): SourceValues {
  const { type = 'wechat', name = '', app_id = '', agent_id = '', corp_id = '', file_name = '' } = source ?? {}
  return {
    type,
    name,
    app_id,
    agent_id,
    corp_id,
    app_secret: '',
    auth_domain: source?.own_domain === 1 ? source.auth_domain : '',
    file_name,
    file_content: codeIn(file_name),
  }
}

/** WeCom's file `WW_verify_<code>.txt` holds the code of its name. */
const codeIn = (fileName: string): string => /^WW_verify_(\w+)\.txt$/.exec(fileName)?.[1] ?? ''
