// The languages, as the package declares them (`core/languages.py`): the first is the one from which all are translated.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const DECLARED = JSON.parse(readFileSync(join(import.meta.dirname, '../../src/ziggurat/languages.json'), 'utf8'))
export const LANGUAGES = Object.keys(DECLARED)

/** What the page knows of them: how each writes dates and lists, and whose units are whole words. */
export const locales = Object.fromEntries(LANGUAGES.map((one) => [one, DECLARED[one].locale]))
export const wholeUnits = LANGUAGES.filter((one) => DECLARED[one].whole_units)
/** And where one is chosen: what each calls itself. */
export const names = Object.fromEntries(LANGUAGES.map((one) => [one, DECLARED[one].name]))
