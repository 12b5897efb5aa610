import { type ErrorEntry, invalid, notFound, doFirst, forbidden } from '#contract/kernel/result.ts'

/** Refusals about auth sources and sign-ins through them: part of the catalogue in errors.ts. */
export const AUTH_SOURCE_ERRORS = {
  AUTH_SOURCE_OFF: forbidden('未开通第三方认证源，请联系服务商开通'),
  AUTH_SOURCE_NOT_FOUND: notFound('认证源不存在或已被删除'),
  AUTH_SOURCE_NAME_TAKEN: invalid('该认证源名称已存在，请更换', 'name'),
  AUTH_SOURCE_TYPE_FIXED: invalid('认证源类型创建后不可修改', 'type'),
  AUTH_SOURCE_SECRET_AGAIN: invalid('认证信息已修改，请重新输入AppSecret', 'app_secret'),
  AUTH_SOURCE_LIMIT_REACHED: invalid('认证源最多{limit}个，请删除不再使用的认证源'),
  AUTH_SOURCE_CHANGED: invalid('认证源已被其他人修改，请刷新后重试'),
  AUTH_VENDOR_REFUSED: invalid('{vendor}返回错误{code}：{message}'),
  AUTH_VENDOR_UNREACHABLE: invalid('暂时无法连接{vendor}，未作任何修改，请稍后重试'),
  AUTH_DOMAIN_UNPROVED: doFirst(
    '回调域名尚未验证，请下载验证文件并放到域名根目录，或添加DNS TXT记录后重试',
    'auth_domain',
  ),
  AUTH_DOMAIN_TAKEN: invalid('该域名已被其他认证源使用，请更换', 'auth_domain'),
  AUTH_DOMAIN_INVALID: invalid('请填写贵企业已备案的公网域名，不能使用本服务的域名', 'auth_domain'),
  AUTH_DOMAIN_FILE: invalid('请上传企业微信为该域名提供的校验文件，文件名和内容均不能修改', 'file_name'),
  // sign-in at the client application
  AUTH_CODE_UNKNOWN: notFound('认证源ID不存在，请核对后重试'),
  AUTH_SOURCE_UNAVAILABLE: forbidden('该认证源未启用，请联系管理员'),
  AUTH_SOURCE_CHOICE: invalid('该企业有多个同类型的认证源，请选择其中一个', 'id'),
  AUTH_REQUEST_BAD: invalid('登录请求不存在、已使用或已过期，请在客户端重新登录'),
  AUTH_LOGIN_DENIED: invalid('您没有同意授权，请在客户端重新登录'),
  AUTH_LOGIN_CANCELLED: invalid('登录已取消，请在客户端重新登录'),
  AUTH_LOGIN_CROSSED: invalid('授权的账号与扫码的账号不一致，请在客户端重新登录'),
  AUTH_PHONE_NEEDED: invalid('未获取到手机号码，请联系管理员为应用开通手机号权限'),
  AUTH_VENDOR_AWAY: invalid('暂时无法连接{vendor}，请在客户端重新登录'),
  AUTH_MEMBER_NONE: invalid('未找到匹配的成员，请联系管理员核对手机号码'),
  AUTH_MEMBER_MANY: invalid('匹配到多个成员，请联系管理员处理重复的手机号码'),
  AUTH_MEMBER_OUTSIDER: forbidden('非本企业成员，请使用企业内的账号登录'),
} as const satisfies Record<string, ErrorEntry>
