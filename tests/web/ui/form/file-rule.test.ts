import { expect, it } from 'vitest'
import { checkFile, IMAGE_RULE, SHEET_RULE } from '#contract/kernel/uploads.ts'

const LIMIT = 2_097_152

it.each([
  ['members.xlsx', LIMIT, SHEET_RULE, null],
  ['MEMBERS.XLSX', 1, SHEET_RULE, null],
  ['members.xls', 1, SHEET_RULE, '文件格式不正确'],
  ['members.xlsx.exe', 1, SHEET_RULE, '文件格式不正确'],
  ['members.xlsx', LIMIT + 1, SHEET_RULE, '文件过大，请上传小于2MB的文件〜'],
  ['a.jpeg', LIMIT, IMAGE_RULE, null],
  ['a.svg', 1, IMAGE_RULE, '选择的图片中包含不支持的格式'],
  ['a.png', LIMIT + 1, IMAGE_RULE, '图片大小不能超过 2MB!'],
])('%s of %i bytes', (name, size, rule, refusal) => expect(checkFile({ name, size }, rule)).toBe(refusal))
