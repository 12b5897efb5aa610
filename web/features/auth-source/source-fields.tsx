import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SecretField } from '#ui/form/inputs/secret-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import type { SourceSetup } from './api.ts'
import type { SourceForm } from './source-form.ts'
import { TYPE_OPTIONS, VENDOR } from './vendor-text.ts'
import { OwnDomainFields } from './own-domain-fields.tsx'
import { VendorPlace } from './vendor-place.tsx'

interface SourceFieldsProps {
  readonly form: SourceForm
  /** The type of a stored one cannot change. */
  readonly isStored: boolean
  readonly config: SourceSetup['config'] | undefined
}

/** Fields of one vendor's application (directory 2). */
export function SourceFields({ form, isStored, config }: SourceFieldsProps) {
  const { control } = form
  const [type, ownDomain = ''] = form.watch(['type', 'auth_domain'])
  const { appId, appIdHelp } = VENDOR[type]
  return (
    <>
      <RadioField control={control} name="type" label="类型" required options={TYPE_OPTIONS} disabled={isStored} />
      <TextField control={control} name="name" label="认证源名称" required maxLength={AUTH_SOURCE.nameMax} />
      {type === 'dingtalk' && (
        <TextField
          control={control}
          name="corp_id"
          label="企业ID（CorpId）"
          required
          isCode
          maxLength={AUTH_SOURCE.idMax}
          help="开发者后台首页右上角的CorpId，以ding开头"
        />
      )}
      <TextField
        control={control}
        name="app_id"
        label={appId}
        required
        isCode
        maxLength={AUTH_SOURCE.idMax}
        help={appIdHelp}
      />
      {type === 'wechat' && (
        <TextField
          control={control}
          name="agent_id"
          label="应用ID（AgentId）"
          required
          isCode
          inputMode="numeric"
          maxLength={AUTH_SOURCE.agentIdMax}
        />
      )}
      <SecretField
        control={control}
        name="app_secret"
        label="AppSecret"
        required={!isStored}
        isStored={isStored}
        maxLength={AUTH_SOURCE.secretMax}
      />
      {config !== undefined && <VendorPlace type={type} place={config.default[type]} ownDomain={ownDomain} />}
      {type === 'wechat' && <OwnDomainFields form={form} />}
    </>
  )
}
