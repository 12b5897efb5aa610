import * as z from 'zod'
import { UPLOAD } from './limits.ts'

/* Rules of uploaded files in forms: extensions, sizes, refusal texts. */

export const FILE_REQUIRED = '请上传文件'
export const FILE_TYPE_WRONG = '选择的文件中包含不支持的格式'

/** Rule of an upload. The user of a file checks its content. */
export interface FileRule {
  /** Extensions in lower case, with the dot. */
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

/** Refusal text for a file, or null if it is accepted. */
export function checkFile(file: { readonly name: string; readonly size: number }, rule: FileRule): string | null {
  const name = file.name.toLowerCase()
  if (!rule.extensions.some((extension) => name.endsWith(extension))) return rule.wrongType
  if (file.size > rule.maxBytes) return rule.tooLarge
  return null
}

/** Common part of the `File` of browsers and Workers, which the kernel does not know. */
export interface UploadedFile {
  readonly name: string
  readonly size: number
  readonly type: string
  arrayBuffer(): Promise<ArrayBuffer>
}

function isFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && 'arrayBuffer' in value && 'name' in value && 'size' in value
}

export const uploadedFile = (rule: FileRule) =>
  z
    .custom<UploadedFile>(isFile, FILE_REQUIRED)
    .superRefine((file, issues) => {
      const message = checkFile(file, rule)
      if (message) issues.addIssue({ code: 'custom', message })
    })
    .meta({ type: 'string', format: 'binary' })

/** Placeholder of a file in an example. OpenAPI shows its name. */
const exampleFile = (name: string): UploadedFile & { toJSON(): string } => ({
  name,
  size: 1,
  type: '',
  arrayBuffer: () => Promise.resolve(new ArrayBuffer(1)),
  toJSON: () => name,
})
export const EXAMPLE_FILE = exampleFile('members.xlsx')
export const EXAMPLE_IMAGE = exampleFile('map.png')
export const EXAMPLE_CERTIFICATE = exampleFile('ca.crt')
