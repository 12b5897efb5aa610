/**
 * Navigation for code outside of components. `assign` and `reload` load a new document, which drops everything held in
 * memory, so that no data of one account is shown to the next. `back` is the router's, set by the app;
 * it leads to `home` where the page is the first of its tab.
 */
export const navigation = {
  assign: (to: string): void => location.assign(to),
  reload: (): void => location.reload(),
  back: (_home?: string): void => history.back(),
}
