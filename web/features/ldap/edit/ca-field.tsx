import { type ReactNode, useState } from 'react'
import { CA_RULE } from '#contract/ldap/form.ts'
import { checkFile } from '#contract/kernel/uploads.ts'
import { dateText } from '#lib/format/format-time.ts'
import { toast } from '#lib/toast/toast.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { FileDrop } from '#ui/form/upload/file-drop.tsx'
import { FieldFrame, useField } from '#ui/form/field.tsx'
import { uploadCa } from '../api.ts'
import type { EditForm } from './ldap-form.ts'

type Uploaded = Awaited<ReturnType<typeof uploadCa>>['data']

interface CaFieldProps {
  readonly form: EditForm
  /** File of the stored configuration, '' for none. */
  readonly storedName: string
}

/** The CA of the directory's certificate, PEM or DER: sent as soon as it is chosen; holds its id. */
export function CaField({ form, storedName }: CaFieldProps) {
  const { id, frame, error, field } = useField({
    control: form.control,
    name: 'ca_id',
    label: 'CA证书',
    required: true,
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
