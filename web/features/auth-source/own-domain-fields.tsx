import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import { FILE_TYPE_WRONG, type FileRule, checkFile } from '#contract/kernel/uploads.ts'
import { FileDrop } from '#ui/form/upload/file-drop.tsx'
import { FieldFrame, useField } from '#ui/form/field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import type { SourceForm } from './source-form.ts'

const FILE_RULE: FileRule = {
  extensions: ['.txt'],
  maxBytes: 1024,
  wrongType: FILE_TYPE_WRONG,
  tooLarge: '文件大小不能超过 1KB!',
}

interface OwnDomainFieldsProps {
  readonly form: SourceForm
}

/** WeCom takes a callback domain only whose filing belongs to the company: one of its own, with the file that WeCom gives for it. */
export function OwnDomainFields({ form }: OwnDomainFieldsProps) {
  const hasDomain = form.watch('auth_domain') !== ''
  return (
    <>
      <TextField
        control={form.control}
        name="auth_domain"
        label="自有回调域名"
        isCode
        maxLength={AUTH_SOURCE.domainMax}
        placeholder="留空使用平台域名"
        help="企业微信要求回调域名的备案主体与企业一致。填写贵企业已备案的域名，并联系服务商将其接入"
      />
      {hasDomain && <VerifyFileField form={form} />}
    </>
  )
}

function VerifyFileField({ form }: OwnDomainFieldsProps) {
  const { id, frame, error } = useField({
    control: form.control,
    name: 'file_name',
    label: '校验文件',
    required: true,
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
