import { UPLOAD } from '../../worker/contract/limits.ts'

/** Which files an upload takes, and what is said to the others. The server looks again, at the bytes. */
export interface FileRule {
  /** Lower case, with the dot. */
  readonly extensions: readonly string[]
  readonly maxBytes: number
  readonly wrongType: string
  readonly tooLarge: string
}

/** Member lists (network 5). */
export const SHEET_RULE: FileRule = {
  extensions: ['.xlsx'],
  maxBytes: UPLOAD.maxBytes,
  wrongType: '文件格式不正确',
  tooLarge: '文件过大，请上传小于2MB的文件〜',
}

/** Pictures in support tickets (account 5). */
export const IMAGE_RULE: FileRule = {
  extensions: ['.png', '.gif', '.jpg', '.jpeg'],
  maxBytes: UPLOAD.maxBytes,
  wrongType: '选择的图片中包含不支持的格式',
  tooLarge: '图片大小不能超过 2MB!',
}

/** The sentence against a file, or null where it may go. */
export function checkFile(file: { readonly name: string; readonly size: number }, rule: FileRule): string | null {
  const name = file.name.toLowerCase()
  if (!rule.extensions.some((extension) => name.endsWith(extension))) return rule.wrongType
  if (file.size > rule.maxBytes) return rule.tooLarge
  return null
}
