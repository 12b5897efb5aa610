/** Site message about a suspended network, whose devices lose its configuration in so many days. */
export const suspensionMessage = (
  name: string,
  days: number,
): { readonly title: string; readonly content: string } => ({
  title: `组网“${name}”已停用`,
  content: `成员配额不足，组网“${name}”已停用。若未恢复，${days}天后将移除设备上的该组网配置，成员之间不再互通，请续费或移除多余成员。`,
})
