import IconDownload from '@douyinfe/semi-icons/lib/es/icons/IconDownload'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { saveFile } from '#lib/call/save-file.ts'

/** As `logs/export` answers: a name, and the file in base64. */
interface ExportedFile {
  readonly file_name: string
  readonly data: string
}

interface ExportButtonProps {
  /** Makes the file; what it throws has been shown. */
  readonly onExport: () => Promise<ExportedFile>
  readonly label?: string
}

/** Asks for a file that takes a while to be made, and saves it. It locks until the answer. */
export function ExportButton({ onExport, label = '导出' }: ExportButtonProps) {
  const [isBusy, setIsBusy] = useState(false)
  const run = async () => {
    setIsBusy(true)
    try {
      const { file_name: name, data } = await onExport()
      saveFile({ name, content: toBlob(data) })
    } catch {
      // the refusal is a toast already
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button icon={<IconDownload />} loading={isBusy} disabled={isBusy} onClick={() => void run()}>
      {label}
    </Button>
  )
}

function toBlob(base64: string): Blob {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return new Blob([bytes])
}
