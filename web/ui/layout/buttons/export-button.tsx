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
      saveFile({ name, content: new Blob([Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0))]) })
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
