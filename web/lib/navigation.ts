/**
 * Navigation for code outside of components. `assign` and `reload` load a new document, which drops all memory, so that no
 * data of one account is shown to the next. The app sets `back` to the router's; on the first page of a tab it leads to
 * `home`.
 */
export const navigation = {
  assign: (to: string): void => location.assign(to),
  reload: (): void => location.reload(),
  back: (_home?: string): void => history.back(),
}
