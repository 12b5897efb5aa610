import type { DownloadedFile } from './transport.ts'

/** Hands a file to the browser's download list. */
export function saveFile({ name, content }: DownloadedFile): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url)) // the click has read it by then
}
