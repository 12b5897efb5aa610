import { type ErrorEntry, invalid, notFound } from '#contract/kernel/result.ts'

/** Refusals about the handbook and its import: part of the catalogue in errors.ts. */
export const HANDBOOK_ERRORS = {
  DOCUMENT_NOT_FOUND: notFound('文章不存在或已被移除，请从目录中选择'),
  HANDBOOK_ID_TWICE: invalid('编号“{id}”重复，请修改文件名', 'chapters'),
  HANDBOOK_HTML: invalid('{file}：不支持HTML（{found}），请改用Markdown', 'chapters'),
  HANDBOOK_LINK: invalid('{file}：链接“{target}”指向的文章或标题不存在，其他网站的链接请以https://开头', 'chapters'),
  HANDBOOK_IMAGE: invalid('{file}：图片“{target}”不在手册的文件夹中', 'images'),
  HANDBOOK_IMAGE_LOST: invalid('图片“{path}”尚未上传，请重新导入', 'images'),
} as const satisfies Record<string, ErrorEntry>
