import { toast } from './toast/toast.ts'

/* Copies text to the clipboard. */

export const COPIED = '复制成功'
export const COPY_FAILED = '复制失败，请手动选择'

/** False without permission or without https, on which the clipboard depends. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export async function copyWithToast(text: string): Promise<void> {
  if (await copyText(text)) toast.done(COPIED)
  else toast.error(COPY_FAILED)
}
