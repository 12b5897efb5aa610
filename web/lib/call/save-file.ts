import type { DownloadedFile } from './transport.ts'

/* Saves a downloaded file through a link of the browser. */

/** Some browsers read the file a while after the click. */
const RELEASE_MS = 60_000

export function saveFile({ name, content }: DownloadedFile): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS)
}
