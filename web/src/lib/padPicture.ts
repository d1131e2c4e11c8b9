/** What a game draws for a row of its pad (`games/<game>/PadPicture.svelte`). */
export interface PadPicture {
  /** As `Row.piece` or `Cell.piece` names it; without one only the icons are made known. */
  piece?: string
  size?: number
}
