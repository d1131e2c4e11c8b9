/** The people who sit on one device. */
import { texts } from '../lib/i18n.svelte'

/** Those of whom one takes the device, whichever: "Ada or Béla". */
export const either = (names: string[]): string =>
  new Intl.ListFormat(texts.locale, { type: 'disjunction' }).format(names)
