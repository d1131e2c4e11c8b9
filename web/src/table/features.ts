/** The features that are there, in the order of their names. */
import type { PageFeature } from './feature'
import type { PageDeclaration } from '../lib/router.svelte'

const found = import.meta.glob<PageFeature>('../features/*/feature.ts', { import: 'feature', eager: true })

export const features = Object.values(found)

/** Their pages, by the first word of their addresses. */
export const pages = new Map<string, PageDeclaration>(features.flatMap((one) => Object.entries(one.pages ?? {})))
