/** Industry codes in the order of account 3, which has no I23, with their names on the page. */
export const INDUSTRIES = {
  I1: '政府及非营利组织',
  I2: '信息与咨询',
  I3: '社会服务',
  I4: '工商团体与纳税企业',
  I5: '体育与娱乐',
  I6: '交通运输',
  I7: '广告与传媒',
  I8: '商业机构',
  I9: '教育培训',
  I10: '房地产与建筑',
  I11: '邮政',
  I12: '互联网',
  I13: '制造业',
  I14: '能源与环保',
  I15: '建筑业',
  I16: '农林渔业',
  I17: '采矿业',
  I19: '餐饮与食品',
  I20: '医药与医疗',
  I21: '电子与通信',
  I22: '服务业',
  I24: '金融',
  I18: '其他',
} as const
export type Industry = keyof typeof INDUSTRIES

export const INDUSTRY_CODES = Object.keys(INDUSTRIES) as [Industry, ...Industry[]]
