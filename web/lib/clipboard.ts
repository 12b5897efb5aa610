import { toast } from './toast/toast.ts'

export const COPIED = '复制成功'
export const COPY_FAILED = '复制失败，请手动选择'

/** False without permission, and where the page is not served over https, which has no clipboard at all. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies, and says in a toast whether it did. */
export async function copyWithToast(text: string): Promise<void> {
  if (await copyText(text)) toast.done(COPIED)
  else toast.error(COPY_FAILED)
}
