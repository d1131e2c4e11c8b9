/** What the parts of talk have in common. */
import { MediaQuery } from 'svelte/reactivity'

/** Lucide's `message-circle`, `send-horizontal`, `ellipsis` and `eye`: for what is said at a table. */
export const MESSAGE =
  '<path d="M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719"/>'
export const SEND =
  '<path d="M3.714 3.048a.498.498 0 0 0-.683.627l2.843 7.627a2 2 0 0 1 0 1.396l-2.842 7.627a.498.498 0 0 0 .682.627l18-8.500a.5.500 0 0 0 0-.904z"/><path d="M6 12h16"/>'
export const ELLIPSIS = '<circle cx="12" cy="12" r="1"/><circle cx="19" cy="12" r="1"/><circle cx="5" cy="12" r="1"/>'
export const EYE =
  '<path d="M2.062 12.348a1 1 0 0 1 0-.696 10.750 10.750 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.750 10.750 0 0 1-19.876 0"/><circle cx="12" cy="12" r="3"/>'

/** Whether there is room next to the table (TableTop.svelte). */
export const WIDE = new MediaQuery('(min-width: 1101px)')
