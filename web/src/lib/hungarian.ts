/**
 * Hungarian grammar after a number: its suffix goes by how the number is spoken, `75-ször` but `76-szor`. The package has
 * the same rules (`core/hungarian.py`), where they are explained.
 */

/* oxlint-disable no-useless-concat -- digits, tens and what is larger stand apart */
// Of the last word that is spoken: 0 to 9, 10 to 90, hundred, thousand, million.
const VOWELS = 'oeöoeöoeoe' + 'eooeeoeoe' + 'oeo'
const LINKS = '-e-aeöoeae' + 'eaaeeaeae' + 'ae-'
/* oxlint-enable no-useless-concat */
const ENDS = 'v gy v m gy t t t c c z sz c n n n n n n z r v'.split(' ')
/** Each with its forms for a back vowel, a front one and a rounded one; the last form serves for what follows. */
const FORMS: Record<string, string[]> = {
  ban: ['ban', 'ben'],
  ba: ['ba', 'be'],
  bol: ['ból', 'ből'],
  tol: ['tól', 'től'],
  rol: ['ról', 'ről'],
  ra: ['ra', 're'],
  nal: ['nál', 'nél'],
  nak: ['nak', 'nek'],
  an: ['an', 'en'],
  szor: ['szor', 'szer', 'ször'],
  hoz: ['hoz', 'hez', 'höz'],
  ig: ['ig'],
  ert: ['ért'],
}
const VOWEL_FIRST = /^[„“"»(]?(5|1(\d{3})*(?!\d)|[aáeéiíoóöőuúüű])/i

/** A text with a suffix after the number at its end (no line breaks between); without a suffix, the article before it. */
export function hungarian(text: string, suffix?: string): string {
  if (!suffix) return VOWEL_FIRST.test(text) ? 'az' : 'a'
  const digits = /\d+$/.exec(text)
  return digits ? `${text}‑${ending(lastWord(Number(digits[0])), suffix)}` : text
}

function lastWord(n: number): number {
  if (n === 0 || n % 10) return n % 10
  if (n % 100) return 9 + (Math.floor(n / 10) % 10)
  return n % 1000 ? 19 : n % 1_000_000 ? 20 : 21
}

function ending(last: number, suffix: string): string {
  const vowel = VOWELS[last]!
  const link = LINKS[last]!.replace('-', '')
  if (suffix === 'val') return ENDS[last] + (vowel === 'o' ? 'al' : 'el')
  if (suffix === 't') return `${link}t`
  if (suffix === 'os') return last === 2 ? 'es' : `${link}s`
  if (suffix === 'on') return link ? `${vowel}n` : 'n'
  const forms = FORMS[suffix]!
  const at = last === 2 && suffix === 'szor' ? 1 : 'oeö'.indexOf(vowel)
  return forms[Math.min(at, forms.length - 1)]!
}
