/** The eighth wonder, drawn as the other seven are: brick, lapis, and a ramp that leads up. */
import { ART as SEVEN, many, mid, rect, steps, taper, type Ink, type Piece } from '../../art/wonders'
import { arch } from '../../art/outlines'

/** A storey of burnt brick between two heights, with its bands, openings, and the stairs before it. */
function storey(top: number, foot: number, half: number, base: number, doors: number[]): [Ink, string][] {
  const band = top + (foot - top) * 0.24
  return [
    ['s', taper(top, half, foot, base)],
    ['h', `M${160 + half * 0.45} ${top}H${160 + half}L${160 + base} ${foot}H${160 + base * 0.52}z`],
    ['a', `M${160 - half - 2} ${top}h${2 * half + 4}v${band - top}h${-(2 * half + 4)}z`],
    ['m', many(steps(160 - half + 4, 12, Math.floor((2 * half) / 12)), (x) => rect(x, top + 2, 5, 2.4))],
    ['d', many(doors, (x) => arch(160 + x, foot - 19, 8, foot) + arch(160 - x, foot - 19, 8, foot))],
    ['l', `M${160 - base + 2} ${(band + foot) / 2}h${2 * base - 4}`],
  ]
}

const box: Piece['box'] = [0, 0, 320, 200]
const tower: Piece[] = [
  { box, marks: 'both', art: [...storey(160, 200, 92, 98, [34, 58, 80]), ['s', 'M150 200l3-40h14l3 40z']] },
  { box, marks: 'both', art: [...storey(122, 160, 74, 79, [30, 52, 68]), ['s', 'M152 160l2.500-38h11l2.500 38z']] },
  { box, marks: 'both', art: [...storey(88, 122, 57, 61, [26, 46]), ['s', 'M153.500 122l2-34h9l2 34z']] },
  { box, marks: 'both', art: [...storey(57, 88, 41, 45, [22, 36]), ['s', 'M155 88l1.500-31h7l1.500 31z']] },
  {
    box,
    marks: 'both',
    art: [
      ['s', mid(34, 54, 23)],
      ['a', 'M129 34h62v-6h-7v-4h-8v4h-6v-4h-8v4h-4v-4h-8v4h-6v-4h-8v4h-7z'],
      ['h', rect(174, 34, 13, 23)],
      ['d', arch(160, 40, 11, 57)],
      ['m', 'M158.800 24V5h2.400v19zM161 6l14 4-14 5z'],
    ],
  },
]

const named = { artemis: 'ephesus', pyramids: 'giza', gardens: 'babylon', mausoleum: 'halicarnassus' } as const
const ART: Record<string, Piece[]> = {
  ...Object.fromEntries(Object.entries(named).map(([wonder, place]) => [wonder, SEVEN[place]!])),
  lighthouse: SEVEN.alexandria!,
  colossus: SEVEN.rhodes!,
  zeus: SEVEN.olympia!,
  tower,
}

/** What stands of a wonder when that many of its discs are built: with the last of three it is whole. */
export const standing = (pieces: Piece[], built: number): number => Math.ceil((pieces.length * built) / 3)
export const artOf = (wonder: string): Piece[] => ART[wonder] ?? []
