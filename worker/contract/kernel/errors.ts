import { AUTH_SOURCE_ERRORS } from '#contract/auth-source/errors.ts'
import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import { HANDBOOK_ERRORS } from '#contract/document/errors.ts'
import { LDAP_ERRORS } from '#contract/ldap/errors.ts'
import { NETWORK_ERRORS } from '#contract/network/errors.ts'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import {
  RESULT,
  SENTENCE,
  type Violation,
  violation,
  type ErrorEntry,
  invalid,
  notFound,
  doFirst,
  forbidden,
  tooOften,
  stepNeeded,
  badToken,
} from './result.ts'
import { UNREADABLE_REASON } from './states.ts'
import { waitText } from './time.ts'

/* Catalogue of refusals with their sentences, and the error that carries a refusal. */

const away = (msg: string) => ({ code: RESULT.away, msg }) as const

/** Refusals of the service. Larger nouns have their own files; sentences of fields are in the schemas. */
export const ERRORS = {
  // transport
  FAULT: { code: 500, msg: SENTENCE.fault },
  DATABASE_AWAY: away('数据暂时无法读写，请稍后重试'),
  OVERLOADED: away('当前访问量过大，请{wait}后重试'),
  // hubs that do not answer (worker/http/hub-answers.ts)
  ROUTER_UNREADABLE: away(`${UNREADABLE_REASON}，请稍后重试`),
  NETWORK_UNREADABLE: away('控制台暂时读不到该组网的状态，请稍后重试'),
  DIRECTORY_UNREADABLE: away('目录接入暂时没有应答，请稍后重试'),
  ALERTS_UNAVAILABLE: away('告警数据暂时无法读取，请稍候重试'),
  ADDRESS_MALFORMED: { code: 400, msg: '请求地址不正确，请核对后重试' },
  HOST_NOT_LOCAL: {
    code: 400,
    msg: '本地运行只接受localhost、127.0.0.1和启动时显示的地址，如需从其他地址访问，请设置HOST后重新启动',
  },
  PATH_UNKNOWN: { code: 404, msg: '请求的接口不存在' },
  BODY_TOO_LARGE: { code: 413, msg: '提交的内容过大，请精简后重试' },
  BODY_MALFORMED: invalid('提交的内容格式不正确'),
  INPUT_INVALID: invalid('{reason}'),
  TOO_OFTEN: tooOften('操作过于频繁，请{wait}后重试'),
  ADDRESS_BUSY: tooOften('当前网络的请求过多，请{wait}后重试'),
  // session
  TOKEN_EXPIRED: { code: RESULT.expired, msg: SENTENCE.tokenExpired },
  SESSION_REVOKED: { code: RESULT.revoked, msg: '登录状态已失效，请重新登录' },
  TOKEN_BAD: badToken('请先登录'),
  PERMISSION_DENIED: forbidden(SENTENCE.permissionDenied),
  OPERATOR_SCOPE: forbidden('该运营令牌的权限不足，请使用权限为{scope}的令牌'),
  ORIGIN_FOREIGN: forbidden('请求来自其他网站，已被拒绝，请从控制台页面操作；经代理访问时，请让代理保留 Host 请求头'),
  TICKET_BAD: badToken('连接凭证已失效，请刷新页面'),
  // identity
  CAPTCHA_WRONG: invalid('图形验证码错误或已失效，请重新输入', 'code'),
  IMG_CODE_WRONG: invalid('图形验证码错误或已失效，请重新输入', 'img_code'),
  CAPTCHA_BY_WORK: stepNeeded('图形验证码暂停使用，请完成无障碍验证', 'code'),
  PROOF_WRONG: invalid('无障碍验证未通过，请重试'),
  CHALLENGE_WRONG: invalid('安全验证未通过或已失效，请重试', 'challenge'),
  LOGIN_FAILED: invalid('用户名或密码错误', 'password'),
  HASHING_BUSY: tooOften('当前请求较多，请{wait}后重试'),
  LOGIN_PAUSED: tooOften('登录失败次数过多，请{minutes}分钟后重试', 'password'),
  WORK_REQUIRED: stepNeeded('失败次数较多，请完成安全验证后重试', 'code'),
  DIRECTORY_UNAVAILABLE: invalid('目录服务不可用，请联系管理员', 'password'),
  ACCOUNT_DISABLED: forbidden('账号已停用，请联系服务商'),
  LINK_BAD: badToken('授权链接无效或已过期，请重新获取'),
  CODE_WRONG: invalid('验证码错误或已失效，请重新获取', 'code'),
  CODE_SPENT: invalid('验证码错误次数过多，请重新获取', 'code'),
  CODE_TOO_SOON: tooOften('验证码已发送，请{wait}后重试'),
  CODE_ADDRESS: tooOften('当前网络获取验证码过于频繁，请{minutes}分钟后重试'),
  CODE_DAILY: tooOften('今日验证码发送次数已达上限，请明天再试'),
  SEND_FAILED: { code: RESULT.fault, msg: '验证码发送失败，请稍候尝试' },
  SMS_COUNTRY_CLOSED: invalid('暂不支持向该国家或地区发送短信，请改用邮箱，或联系服务商开通'),
  SMS_COUNTRY_FULL: tooOften('今日发往该国家或地区的短信已达上限，请明天再试，或改用邮箱'),
  USERNAME_TAKEN: invalid('该用户名已被使用，请更换', 'username'),
  PHONE_TAKEN: invalid('该手机号码已被使用，请更换', 'phone'),
  EMAIL_TAKEN: invalid('该邮箱已被使用，请更换', 'email'),
  PASSWORD_COMMON: invalid('该密码过于常见，容易被猜到，请更换', 'password'),
  PASSWORD_PERSONAL: invalid('密码不能与用户名、昵称、邮箱或手机号码相同，请更换', 'password'),
  PASSWORD_UNCHANGED: invalid('新密码不能与原密码相同，请更换', 'password'),
  OLD_PASSWORD_WRONG: invalid('原密码错误', 'old_password'),
  PASSWORD_PAUSED: tooOften('原密码错误次数过多，请{minutes}分钟后重试', 'old_password'),
  IDENTITY_REQUIRED: stepNeeded('请先完成身份验证'),
  CODE_REQUIRED: stepNeeded(SENTENCE.codeMissing, 'code'),
  PHONE_UNSET: doFirst('尚未绑定手机，请先绑定'),
  EMAIL_UNSET: doFirst('尚未绑定邮箱，请先绑定'),
  PHONE_UNCHANGED: invalid('新手机号码与当前绑定的相同，请更换', 'phone'),
  EMAIL_UNCHANGED: invalid('新邮箱与当前绑定的相同，请更换', 'email'),
  LOGIN_PASSWORD_REQUIRED: invalid('请输入登录密码', 'password'),
  LOGIN_PASSWORD_WRONG: invalid('登录密码错误', 'password'),
  LOGIN_PASSWORD_PAUSED: tooOften('登录密码错误次数过多，请{minutes}分钟后重试', 'password'),
  USERNAME_FIXED: invalid('账号不能修改', 'account'),
  BIRTHDAY_LATE: invalid('生日不能晚于{latest}', 'birthday'),
  SIGN_IN_NOT_FOUND: notFound('该登录设备不存在或已退出'),
  SIGN_IN_CURRENT: invalid('当前设备请使用“退出登录”'),
  RECOVERY_STEP: invalid('身份验证已失效，请从第一步重新开始'),
  SIGN_TAKEN: invalid('该后缀已被使用，请更换', 'sign'),
  RIGHTS_CHANGED: invalid('权限刚刚变更，请重新登录'),
  RAM_NAME_TAKEN: invalid('该子账号名称已存在，请更换', 'username'),
  RAM_ROLE_NOT_FOUND: notFound('角色不存在'),
  RAM_ROLE_TAKEN: invalid('该角色名称已存在，请更换', 'role'),
  RAM_ROLE_UNKNOWN: invalid('该角色不存在或已被删除，请重新选择', 'role_id'),
  RAM_ROLE_IN_USE: invalid('该角色正在使用，请先更换子账号{names}的角色', 'id'),
  RAM_ROLE_LIMITED: invalid('仅限指定组网的角色不能创建组网，请取消该权限', 'auth.easylink.network.create'),
  RAM_ROLE_NETWORK: invalid('所选组网不存在或已被删除，请重新选择', 'auth.easylink.network.number'),
  RAM_LIMIT_REACHED: invalid('子账号数量已达上限{limit}个'),
  TOTP_REQUIRED: stepNeeded('请输入动态验证码'),
  TOTP_ENROL_REQUIRED: stepNeeded('主账号要求使用两步验证，请先完成设置'),
  TOTP_CODE_WRONG: invalid('动态验证码错误或已使用，请输入最新的验证码', 'code'),
  TOTP_PAUSED: tooOften('动态验证码错误次数过多，请{minutes}分钟后重试，或使用恢复码', 'code'),
  RECOVERY_CODE_WRONG: invalid('恢复码错误或已使用，请更换一个', 'recovery_code'),
  LOGIN_TICKET_BAD: invalid(SENTENCE.loginTicketGone),
  LOGIN_TICKET_SPENT: invalid('验证码错误次数过多，请重新登录'),
  TOTP_SETUP_BAD: invalid('二维码已失效，请重新扫描'),
  TOTP_ON: invalid('两步验证已开启，请刷新页面'),
  TOTP_OFF: invalid('尚未开启两步验证，请刷新后重试'),
  TOTP_MANDATORY: forbidden(SENTENCE.totpMandatory),
  SAVED_VIEW_NOT_FOUND: notFound('视图不存在或已被删除'),
  SAVED_VIEWS_FULL: invalid('最多保存{limit}个视图，请先删除不再使用的视图'),
  RAM_NOT_FOUND: notFound('子账号不存在或已被删除'),
  UPGRADE_REQUIRED: invalid('该地址仅支持 WebSocket 连接'),
  ...NETWORK_ERRORS,
  // logs and their export
  LOG_ROWS_MAX: invalid('仅显示前{limit}条记录，请缩小时间范围后查看', 'page'),
  EXPORT_EMPTY: invalid('数据为空，请重新筛选数据！'),
  EXPORT_SEARCH_MAX: invalid('时间范围内的记录超过{limit}条，无法全部搜索，请缩小时间范围'),
  EXPORT_ROWS_MAX: invalid('数据超过{limit}条，请缩小时间范围'),
  EXPORT_TOO_LARGE: invalid('导出的文件超过{limit}MB，请缩小时间范围'),
  EXPORT_RUNNING: tooOften('当前账号正在导出数据，请{wait}后重试'),
  ...ROUTER_ERRORS,
  ...CLIENT_ERRORS,
  // contacts
  CONTACT_NOT_FOUND: notFound('联系人不存在或已被删除'),
  CONTACT_CHANGED: invalid('联系人已被其他人修改，请刷新后重试'),
  CONTACT_LIMIT_REACHED: invalid('联系人最多{limit}个，请删除不再使用的联系人'),
  CONTACT_EMAIL_TAKEN: invalid('该邮箱已被其他联系人使用，请更换', 'email'),
  CONTACT_VERIFIED: invalid('该邮箱已验证，无需重新发送'),
  CONTACT_UNVERIFIED: doFirst('该邮箱尚未验证，请先完成邮箱验证'),
  CONTACT_MAILS_DAILY: tooOften('该联系人今日的验证邮件已达上限{limit}封，请明天再试'),
  CONTACT_MAILS_ACCOUNT: tooOften('今日的验证邮件已达上限{limit}封，请明天再试'),
  CONTACT_MAILS_ADDRESS: tooOften('该邮箱今日收到的验证邮件过多，请明天再试', 'email'),
  CONTACT_MAIL_REFUSED: invalid('该邮箱的使用者已选择不再接收验证邮件，请更换邮箱或联系对方恢复接收', 'email'),
  MAIL_REFUSAL_LINK_BAD: { code: 404, status: 200, msg: '链接无效，请使用验证邮件中的完整链接' },
  CONTACT_LINK_BAD: { code: 404, status: 200, msg: '链接无效或已过期，请在联系人中重新发送' },
  UNSUBSCRIBE_LINK_BAD: { code: 404, status: 200, msg: '退订链接无效或已失效，请使用最近一封邮件中的退订链接' },
  // monitoring
  MONITOR_ROUTERS_REQUIRED: invalid('请选择成员', 'router'),
  MONITOR_EMAIL_REQUIRED: invalid(SENTENCE.emailRequired, 'email_confirm'),
  MONITOR_WEBHOOK_REQUIRED: invalid(SENTENCE.webhookRequired, 'webhook_confirm'),
  MONITOR_LIMITED: forbidden('此设置影响整个账号，请联系主账号修改'),
  ALERT_NOT_FOUND: notFound(SENTENCE.alertNotFound),
  ATTENTION_OVER: invalid('该事项已恢复，无需处理'),
  ATTENTION_HANDLED: invalid('该事项已有人处理，请刷新后查看'),
  ALERT_OVER: invalid('该告警已恢复，无需确认'),
  DELIVERY_NOT_FOUND: notFound(SENTENCE.deliveryNotFound),
  DELIVERY_OUTDATED: invalid('该告警之后的通知已送达，无需重发'),
  DELIVERY_UNDER_WAY: invalid('该通知已送达或正在投递，无需重发'),
  MUTE_NOT_FOUND: notFound('静默不存在或已结束'),
  // workbooks and files
  WORKBOOK_INVALID: invalid('文件格式不正确，请下载模板填写后另存为xlsx格式再上传', 'file'),
  WORKBOOK_ENCRYPTED: invalid('文件已加密，请取消打开密码后再上传', 'file'),
  WORKBOOK_MACROS: invalid('文件含有宏、控件或嵌入的文件，请将数据复制到新的模板中再上传', 'file'),
  WORKBOOK_SHEETS: invalid('工作表不能超过{limit}个，请只保留成员所在的工作表后重试', 'file'),
  WORKBOOK_HEADER: invalid('前{rows}行中的表头缺少{columns}列{hint}，请按模板修改表头后再上传', 'file'),
  WORKBOOK_COLUMN_UNKNOWN: invalid('{column}列的表头“{title}”不是模板中的列，请改名或删除该列后再上传', 'file'),
  WORKBOOK_COLUMN_TWICE: invalid('{columns}是同一列，请只保留一列后再上传', 'file'),
  WORKBOOK_COLUMNS_SWAPPED: invalid('“{first}”列和“{second}”列的内容可能填反了，请核对后再上传', 'file'),
  WORKBOOK_EMPTY: invalid('文件中没有成员，请按模板填写后再上传', 'file'),
  WORKBOOK_TOO_LARGE: invalid('文件过大，请上传小于{limit}MB的文件〜', 'file'),
  WORKBOOK_TOO_COMPLEX: invalid('文件解压后过大，请将数据复制到新的模板中再上传', 'file'),
  WORKBOOK_ROWS: invalid('表格不能超过{limit}行，请拆分后分次上传', 'file'),
  WORKBOOK_COLUMNS: invalid('表格不能超过{limit}列，请删除多余的列后重试', 'file'),
  FILE_EMPTY: invalid('{noun}没有内容，请重新选择', 'file'),
  FILE_TOO_LARGE: invalid('{noun}大小不能超过 {limit}MB!', 'file'),
  FILE_TYPE: invalid('选择的{noun}中包含不支持的格式', 'file'),
  FILE_NAME: invalid('{noun}的文件名不正确，请修改文件名后重试', 'file'),
  FILE_UNKNOWN: invalid('附件已失效或已被使用，请重新上传', 'file_ids'),
  IMAGE_DAMAGED: invalid('图片已损坏或不完整，请重新选择', 'file'),
  IMAGE_TOO_WIDE: invalid('图片的宽和高不能超过 {limit} 像素，请缩小后重试', 'file'),
  IMAGE_TOO_COMPLEX: invalid('图片的帧数过多，请精简后重试', 'file'),
  FILE_NOT_FOUND: notFound('文件不存在或链接已过期，请刷新页面后重试'),
  RELEASE_NOT_FOUND: notFound('安装包不存在或已撤回，请核对编号'),
  RELEASE_TAKEN: invalid('该平台的版本{version}已发布，请更换版本号或先撤回', 'version'),
  RELEASE_TARGET: invalid('Linux安装包需选择命令行或图形面板，其他平台不需要', 'panel'),
  RELEASE_FILE: invalid('该平台的安装包应为{extensions}文件，请重新选择', 'name'),
  RELEASE_DIGEST: invalid('收到的文件与SHA-256不一致，请重新上传', 'sha256'),
  DOWNLOAD_GONE: { code: 404, msg: '该安装包不存在或已下架，请返回下载页面获取最新版本' },
  // calls to the outside
  OUTBOUND_URL_INVALID: invalid('请填写完整有效的网址，以 https:// 开头', 'url'),
  OUTBOUND_HTTPS_REQUIRED: invalid('仅支持 https:// 开头的网址，请更换', 'url'),
  OUTBOUND_CREDENTIALS: invalid('网址中不能包含用户名和密码，请删除后重试', 'url'),
  OUTBOUND_PORT: invalid('网址仅支持443和8443端口，请更换', 'url'),
  OUTBOUND_ADDRESS: invalid('该网址指向内网或保留地址，请填写可从公网访问的域名', 'url'),
  OUTBOUND_HOST_UNKNOWN: invalid('域名“{host}”无法解析，请核对后重试', 'url'),
  OUTBOUND_UNREACHABLE: invalid('无法连接“{host}”，请检查对方服务后重试'),
  OUTBOUND_TIMEOUT: invalid('“{host}”在{seconds}秒内没有应答，请稍后重试'),
  OUTBOUND_REDIRECT: invalid('“{host}”要求跳转到其他地址，请填写跳转后的最终网址', 'url'),
  OUTBOUND_REPLY_INVALID: invalid('“{host}”返回的内容无法识别，请核对配置后重试'),
  WEBHOOK_REFUSED: invalid('{reply}', 'url'),
  WEBHOOK_SIGNATURE: invalid('签名校验未通过，请核对密钥是否完整，并确认机器人开启了加签（{reply}）', 'secret'),
  WEBHOOK_KEYWORD: invalid('机器人设置了其他关键词，请改为“{keyword}”，或改用加签（{reply}）', 'keyword'),
  WEBHOOK_SOURCE: invalid('机器人限制了来源IP地址，请取消该限制，改用加签或关键词（{reply}）'),
  WEBHOOK_ROBOT: invalid('机器人不存在、已停用或已被移除，请重新添加后填写新的地址（{reply}）', 'url'),
  WEBHOOK_BUSY: invalid('对方限制了发送频率或暂时无法处理，请稍后重试（{reply}）'),
  WEBHOOK_URL: invalid('请填写{platform}机器人的完整地址，例如 {example}', 'url'),
  // tickets
  TICKET_NOT_FOUND: notFound(SENTENCE.ticketNotFound),
  TICKET_CLOSED: invalid('工单已关闭，不能再回复。如问题仍未解决，请重新打开或提交新的工单'),
  TICKET_FULL: invalid('该工单的回复已达上限{limit}条，请提交新的工单'),
  TICKET_APPRAISED: invalid('工单已评价，不能再次评价'),
  TICKET_NOT_CLOSED: invalid('工单尚未关闭，无需重新打开'),
  TICKET_REOPEN_APPRAISED: invalid('工单已评价，不能重新打开，请提交新的工单'),
  TICKET_REOPEN_LATE: invalid('工单关闭已超过{days}天，不能重新打开，请提交新的工单'),
  TICKET_NOT_DELETABLE: invalid('工单{status}，只能删除待受理或已关闭的工单'),
  TICKET_STEP: invalid('工单{status}，不能改为{next}', 'status'),
  TICKET_CHANGED: invalid('工单状态已变更，请刷新后重试'),
  // others
  MESSAGE_NOT_FOUND: notFound('消息不存在或已被删除'),
  ANNOUNCEMENT_NOT_FOUND: notFound('公告不存在或已被删除'),
  ...HANDBOOK_ERRORS,
  // SaaS devices and bandwidth pools
  SAAS_NOT_FOUND: notFound('SaaS设备不存在或已被移除'),
  SAAS_EXPIRED: invalid('设备服务已到期，无法修改带宽，请续费后重试', 'bandwidth'),
  SAAS_NOT_SHARED: invalid('仅共享版设备可以修改带宽，如需调整请联系服务商', 'bandwidth'),
  BANDWIDTH_TOO_LOW: invalid('带宽不能小于等于0 Mbs', 'bandwidth'),
  BANDWIDTH_TOO_HIGH: invalid('带宽不能大于最大值：{max} Mbs', 'bandwidth'),
  BANDWIDTH_OUT_OF_RANGE: invalid('带宽数据不能小于等于 0 Mbs，且不能大于最大值 {max} Mbs', 'bandwidth'),
  BANDWIDTH_CHANGED: invalid('设备的带宽规则刚刚发生变化，请刷新后重试'),
  POOL_NOT_FOUND: notFound('带宽池不存在或已被删除'),
  POOL_UNKNOWN: invalid('该账号没有这个带宽池，请先创建', 'pool'),
  BANDWIDTH_POOL_TOO_SMALL: invalid('带宽池的最大值不能小于其中设备的带宽{bandwidth} Mbs', 'max'),
  SAAS_NO_DEVICE: invalid('设备不存在或尚未被账号绑定，请核对序列号', 'serial'),
  HISTORY_TOO_OLD: invalid('最多查询最近180天', 'start_date'),
  ...LDAP_ERRORS,
  ...AUTH_SOURCE_ERRORS,
  // operator and devices
  ACCOUNT_NOT_FOUND: notFound('账号不存在'),
  ACCOUNT_IN_USE: doFirst('账号仍在使用，{online}台设备在线。清除后无法恢复，确认清除请加上--confirm'),
  ACCOUNT_HAS_NODES: doFirst('该账号的设备是POP节点，不能清除'),
  ERASURE_NOT_FOUND: notFound('没有该账号的清除记录'),
  DEVICE_NOT_FOUND: notFound('设备不存在，请核对序列号'),
  REHOME_SAME_PLACE: invalid('该设备的实时服务已在{place}，请选择其他区域', 'place'),
  REHOME_LOSES: doFirst(
    '设备原来的实时服务没有应答，迁移后将丢失最近180天的流量、应用和链路质量记录以及尚未下发的命令，确认迁移请加上--confirm',
  ),
  HOST_UNKNOWN: invalid('该域名未登记，请先加入域名配置', 'origin'),
  SERIAL_TAKEN: invalid('该序列号已存在', 'serial'),
  DEVICE_KEY_PINNED: forbidden('设备密钥已登记，请先重置激活码'),
  // Never again DEVICE_UNCLAIMED: agents of earlier releases empty themselves on that reason.
  DEVICE_UNBOUND: doFirst('设备尚未被账号绑定'),
  DEVICE_REMOVED: forbidden('设备已从账号中移除'),
  DEVICES_HELD: away('服务正在恢复数据，请稍后重试'),
  DEVICE_DISABLED: forbidden('设备已停用，请联系账号管理员启用'),
  DEVICE_REJECTED: badToken('设备身份校验失败'),
} as const satisfies Record<string, ErrorEntry>

export type ErrorKey = keyof typeof ERRORS

export function toMessage({ key, params }: Violation): string {
  const texts = {
    ...params,
    ...(params['retry_after'] !== undefined && { wait: waitText(Number(params['retry_after'])) }),
  }
  return ERRORS[key].msg.replace(/\{(\w+)\}/g, (_, name: string) => String(texts[name as keyof typeof texts] ?? ''))
}

export function fieldOf({ key, field }: Violation): string | undefined {
  const entry: ErrorEntry = ERRORS[key]
  return field ?? entry.field
}

/** Error of a refused call, answered from the catalogue. Every other error is a fault and answered as 500. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly violation: Violation
  constructor(found: Violation) {
    super(toMessage(found))
    this.violation = found
  }
}

export function throwIf(found: Violation | null): void {
  if (found) throw new Refusal(found)
}

export function refuse(key: ErrorKey, params: Violation['params'] = {}, field?: string): never {
  throw new Refusal(violation(key, params, field))
}
