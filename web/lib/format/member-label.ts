/** Display label of a member: the note, else the name. */
export function memberLabel({ note, router_name }: { readonly note: string; readonly router_name: string }): string {
  return note || router_name
}
