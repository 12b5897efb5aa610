import { type ErrorEntry, RESULT } from '#contract/kernel/result.ts'

/** Refusals about the handbook and its import: part of the catalogue in errors.ts. */
export const HANDBOOK_ERRORS = {
  DOCUMENT_NOT_FOUND: { code: RESULT.notFound, msg: '文章不存在或已被移除，请从目录中选择' },
  HANDBOOK_ID_TWICE: { code: RESULT.invalid, msg: '编号“{id}”重复，请修改文件名', field: 'chapters' },
  HANDBOOK_HTML: { code: RESULT.invalid, msg: '{file}：不支持HTML（{found}），请改用Markdown', field: 'chapters' },
  HANDBOOK_LINK: {
    code: RESULT.invalid,
    msg: '{file}：链接“{target}”指向的文章或标题不存在，其他网站的链接请以https://开头',
    field: 'chapters',
  },
  HANDBOOK_IMAGE: { code: RESULT.invalid, msg: '{file}：图片“{target}”不在手册的文件夹中', field: 'images' },
  HANDBOOK_IMAGE_LOST: { code: RESULT.invalid, msg: '图片“{path}”尚未上传，请重新导入', field: 'images' },
} as const satisfies Record<string, ErrorEntry>
