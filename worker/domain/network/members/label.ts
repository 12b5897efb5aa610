/** Display name of a member: the note, else the name. */
export const labelOf = (member: { readonly note: string; readonly routerName: string }): string =>
  member.note || member.routerName
