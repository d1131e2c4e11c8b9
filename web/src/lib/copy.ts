/** Copies a text that stands in a field, on a page without https (a laptop on the LAN) by the old way. */
export async function copy(text: string, field: HTMLInputElement | undefined): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    field?.select()
    document.execCommand('copy')
  }
}
