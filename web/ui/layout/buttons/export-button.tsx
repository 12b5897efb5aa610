import IconDownload from '@douyinfe/semi-icons/lib/es/icons/IconDownload'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { saveFile } from '#lib/call/save-file.ts'

/* Button that asks for a file which takes a while to make, and saves it. It locks until the answer. */

interface ExportButtonProps {
  /** Makes the file, in base64. A thrown error has been shown already. */
  readonly onExport: () => Promise<{ readonly file_name: string; readonly data: string }>
}

export function ExportButton({ onExport }: ExportButtonProps) {
  const [isBusy, setIsBusy] = useState(false)
  const run = async () => {
    setIsBusy(true)
    try {
      const { file_name: name, data } = await onExport()
      saveFile({ name, content: toBlob(data) })
    } catch {
      // a toast has shown the refusal
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button icon={<IconDownload />} loading={isBusy} disabled={isBusy} onClick={() => void run()}>
      导出
    </Button>
  )
}

function toBlob(base64: string): Blob {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return new Blob([bytes])
}
