import { toast } from '#lib/toast/toast.ts'

/** Loads a chunk ahead of what needs it. Whether it arrived; where not, a toast says so. */
export async function loadChunk(load: () => Promise<unknown>): Promise<boolean> {
  try {
    await load()
    return true
  } catch {
    toast.error('页面加载失败，请刷新后重试')
    return false
  }
}
