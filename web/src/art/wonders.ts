/**
 * The seven wonders as measured drawings, piece by piece. 320 units wide, the ground at 200; each piece is a list of
 * outlines with the ink that they are filled with once the piece stands. Until then the same outlines are only drawn.
 */
import { arch, cypress } from './outlines'

/** stone, its shade, a dark opening, cuts in the stone; the wonder's own pigment and its shade; leaves, water, gold. */
export type Ink = 's' | 'h' | 'd' | 'l' | 'a' | 'b' | 'g' | 'w' | 'm'

export interface Piece {
  /** Which part of the drawing answers to a touch: x, y, width, height. */
  box: [number, number, number, number]
  /** Where its marks stand: on both sides of the level, on one side, or on the piece. */
  marks: 'both' | 'left' | 'right' | 'on'
  art: [Ink, string][]
}

export const rect = (x: number, y: number, w: number, h: number): string => `M${x} ${y}h${w}v${h}h${-w}z`
export const mid = (y: number, w: number, h: number): string => rect(160 - w / 2, y, w, h)
/** A tapering body around the axis: half widths at its top and its foot. */
export const taper = (top: number, half: number, foot: number, base: number, axis = 160): string =>
  `M${axis - base} ${foot}L${axis - half} ${top}H${axis + half}L${axis + base} ${foot}z`
export const many = (xs: number[], draw: (x: number) => string): string => xs.map(draw).join('')
export const steps = (from: number, by: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + i * by)
const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`
const column = (x: number, top: number, foot: number, w = 10): string =>
  `M${x - w / 2} ${foot}v-3h1.500V${top + 5}l-2.500-2V${top}h${w + 2}v3l-2.500 2V${foot - 3}h1.500v3z`
const flutes = (xs: number[], top: number, foot: number): string =>
  many(xs, (x) => `M${x - 1.5} ${top + 6}V${foot - 4}M${x + 1.5} ${top + 6}V${foot - 4}`)
/** Plants that hang over an edge. */
const hanging = (x: number, y: number, count: number, w = 12): string =>
  `M${x} ${y}` +
  many(steps(0, 1, count), (i) => `q${w / 4} ${-9 - (i % 3) * 3} ${w / 2} ${-4}q${w / 4} -5 ${w / 2} 4`) +
  many(steps(0, 1, count), (i) => `q${-w / 4} ${9 + ((i * 2) % 3) * 4} ${-w / 2} 1q${-w / 4} 7 ${-w / 2} -1`) +
  'z'
const whole = (y: number, h: number): Piece['box'] => [0, y, 320, h]

/** A course of the pyramid: the sunlit face, the face in shade, the joints. */
function course(top: number, foot: number, joints: number): [Ink, string][] {
  const half = (y: number): number => ((y - 8) * 100) / 192
  const ridge = (y: number): number => 160 + (y - 8) * 0.17
  const middle = (top + foot) / 2
  const cut = (y: number, end: number, shift: number): string =>
    many(steps(0, 1, joints), (i) => `M${160 - half(y) + ((i + shift) * (2 * half(y))) / joints} ${y}V${end}`)
  return [
    ['s', `M${160 - half(foot)} ${foot}L${160 - half(top)} ${top}H${ridge(top)}L${ridge(foot)} ${foot}z`],
    ['h', `M${ridge(foot)} ${foot}L${ridge(top)} ${top}H${160 + half(top)}L${160 + half(foot)} ${foot}z`],
    ['l', `M${160 - half(middle)} ${middle}H${160 + half(middle)}${cut(top, middle, 0.7)}${cut(middle, foot, 0.35)}`],
  ]
}

const giza: Piece[] = [
  {
    box: whole(160, 40),
    marks: 'both',
    art: [...course(160, 200, 9), ['d', 'M150 200l3-18h14l3 18z'], ['l', 'M146 200l5-24h18l5 24']],
  },
  { box: whole(122, 38), marks: 'both', art: course(122, 160, 8) },
  { box: whole(84, 38), marks: 'both', art: course(84, 122, 6) },
  { box: whole(46, 38), marks: 'both', art: course(46, 84, 4) },
  {
    box: whole(4, 42),
    marks: 'both',
    art: [
      ['m', 'M140.200 46 160 8l6.500 38z'],
      ['a', 'M166.500 46 160 8l19.800 38z'],
      ['l', 'M160 2v3M140 12l4 3M180 12l-4 3'],
    ],
  },
]

const alexandria: Piece[] = [
  {
    box: whole(162, 38),
    marks: 'both',
    art: [
      ['h', 'M70 200c4-12 18-18 32-20l10-6h98l14 8c16 2 24 8 28 18z'],
      ['s', taper(162, 62, 180, 66)],
      ['h', 'M194 162h28l4 18h-30z'],
      ['d', arch(160, 166, 12, 180)],
      ['l', 'M97 171h126M112 162v9M136 171v9M184 171v9M208 162v9'],
      ['w', 'M62 200q8-7 16 0t16 0 16 0 16 0h-64zM196 200q8-7 16 0t16 0 16 0 16 0h-64z'],
    ],
  },
  {
    box: whole(108, 54),
    marks: 'both',
    art: [
      ['s', taper(114, 34, 162, 40)],
      ['h', 'M176 114h18l6 48h-22z'],
      ['s', mid(108, 76, 6)],
      ['d', many([144, 160, 176], (x) => arch(x, 122, 6, 134)) + many([144, 160, 176], (x) => arch(x, 142, 6, 154))],
      ['l', 'M125 128h70M123 138h74M121 150h78'],
    ],
  },
  {
    box: whole(72, 36),
    marks: 'both',
    art: [
      ['s', taper(77, 22, 108, 26)],
      ['h', 'M170 77h12l4 31h-14z'],
      ['a', mid(72, 52, 5)],
      ['d', arch(160, 84, 7, 98)],
      ['l', 'M150 77l-2 31M136 93h48'],
    ],
  },
  {
    box: whole(40, 32),
    marks: 'both',
    art: [
      ['s', taper(45, 14, 72, 16)],
      ['h', 'M166 45h8l2 27h-9z'],
      ['a', mid(40, 38, 5)],
      ['d', many([153, 162], (x) => arch(x, 51, 4.5, 62))],
    ],
  },
  {
    box: whole(2, 38),
    marks: 'both',
    art: [
      ['m', 'M160 39c-8-3-8-9-4-13 1 3 3 3 3 0 0-3 2-5 4-6-1 5 5 7 4 13-1 4-4 6-7 6z'],
      ['s', rect(146, 20, 3.5, 20) + rect(170.5, 20, 3.5, 20)],
      ['a', 'M143 20h34L160 8z'],
      ['s', disc(160, 5, 3)],
      ['l', 'M136 24l-22-4M136 31l-24 3M184 24l22-4M184 31l24 3'],
    ],
  },
]

const arcade = (xs: number[], top: number, foot: number, w: number): string => many(xs, (x) => arch(x, top, w, foot))

const babylon: Piece[] = [
  {
    box: whole(158, 42),
    marks: 'both',
    art: [
      ['s', mid(164, 196, 36)],
      ['h', rect(232, 164, 26, 36)],
      ['d', arcade([78, 104, 130, 190, 216, 242], 173, 200, 15)],
      ['a', mid(158, 204, 6)],
      ['s', 'M148 200l4-36h16l4 36z'],
      ['l', 'M148.500 194h23M149 188h22M150 182h20M150.500 176h19M151 170h18M62 170h86M172 170h86'],
      ['g', hanging(62, 160, 6, 14) + hanging(174, 160, 6, 14)],
    ],
  },
  {
    box: whole(120, 38),
    marks: 'both',
    art: [
      ['s', mid(126, 152, 32)],
      ['h', rect(214, 126, 22, 32)],
      ['d', arcade([100, 126, 194, 220], 134, 158, 14)],
      ['a', mid(120, 160, 6)],
      ['w', 'M152 126h16v32h-16z'],
      ['l', 'M156 128v28M160 128v28M164 128v28'],
      ['g', hanging(82, 122, 5, 14) + hanging(170, 122, 5, 14)],
    ],
  },
  {
    box: whole(84, 36),
    marks: 'both',
    art: [
      ['s', mid(90, 110, 30)],
      ['h', rect(196, 90, 19, 30)],
      ['d', arcade([122, 142, 178, 198], 98, 120, 11)],
      ['a', mid(84, 118, 6)],
      ['w', 'M154 90h12v30h-12z'],
      ['g', hanging(102, 86, 4, 12) + hanging(170, 86, 4, 12)],
    ],
  },
  {
    box: [0, 18, 160, 66],
    marks: 'left',
    art: [
      ['s', rect(116, 54, 38, 30)],
      ['a', 'M112 54h46l-7-10h-32zM119 44c2-12 30-12 32 0z'],
      ['d', arch(135, 62, 12, 84)],
      ['g', cypress(104, 84, 46) + hanging(116, 56, 3, 12)],
    ],
  },
  {
    box: [160, 18, 160, 66],
    marks: 'right',
    art: [
      ['s', rect(168, 50, 34, 34)],
      ['h', rect(192, 50, 10, 34)],
      ['a', 'M164 50h42v-5h-5v-5h-6v5h-7v-5h-6v5h-7v-5h-6v5h-5z'],
      ['d', arcade([177, 193], 58, 72, 8)],
      [
        'g',
        'M216 84l1.500-34c-8-8-13-6-17-1 3-9 10-11 17-4 1-9 6-13 13-10-6 1-9 5-10 10 8-4 14-1 15 6-5-5-10-5-15-2L220 84zM168 52q4-8 8 0t8 0 8 0q-4 8-8 2t-8 2-8-4z',
      ],
    ],
  },
]

const giant = (xs: number[]): [Ink, string][] => [
  ['s', many(xs, (x) => column(x, 84, 162, 13))],
  ['l', flutes(xs, 84, 162)],
  ['a', many(xs, (x) => rect(x - 6.5, 146, 13, 8))],
]

const ephesus: Piece[] = [
  {
    box: whole(162, 38),
    marks: 'both',
    art: [
      ['s', mid(187, 204, 13) + mid(174, 190, 13) + mid(162, 176, 12)],
      ['h', rect(240, 187, 22, 13) + rect(236, 174, 19, 13) + rect(232, 162, 16, 12)],
      [
        'l',
        'M90 187v13M124 187v13M158 187v13M192 187v13M226 187v13M108 174v13M142 174v13M176 174v13M210 174v13M126 162v12M160 162v12M194 162v12',
      ],
    ],
  },
  { box: [0, 80, 126, 82], marks: 'left', art: [['h', rect(78, 84, 48, 78)], ...giant([86, 110])] },
  {
    box: [126, 80, 68, 82],
    marks: 'on',
    art: [
      ['h', rect(126, 84, 68, 78)],
      ['d', rect(146, 100, 28, 62)],
      ['m', 'M155 162l1-34q-5-3-5-10h5q-1-8 4-8t4 8h5q0 7-5 10l1 34z'],
      ...giant([134, 186]),
    ],
  },
  { box: [194, 80, 126, 82], marks: 'right', art: [['h', rect(194, 84, 48, 78)], ...giant([210, 234])] },
  {
    box: whole(16, 64),
    marks: 'both',
    art: [
      ['s', mid(70, 180, 14)],
      ['s', 'M64 70 160 22l96 48z'],
      ['a', 'M88 66 160 30l72 36z'],
      ['h', rect(226, 70, 24, 14)],
      ['m', disc(160, 50, 8) + 'M154 22l6-9 6 9zM62 70l2-9 8 5zM258 70l-2-9-8 5z'],
      ['l', many(steps(80, 16, 11), (x) => `M${x} 73v8`) + 'M70 77h180M160 38v24M148 50h24M116 62l14-4M204 62l-14-4'],
    ],
  },
]

const halicarnassus: Piece[] = [
  {
    box: whole(154, 46),
    marks: 'both',
    art: [
      ['s', mid(190, 196, 10) + mid(158, 172, 32) + mid(154, 182, 4)],
      ['h', rect(222, 158, 24, 32) + rect(236, 190, 22, 10)],
      ['d', arch(160, 168, 14, 190)],
      [
        'l',
        'M74 174h74M172 174h74M98 158v16M128 158v16M192 158v16M218 158v16M86 174v16M114 174v16M202 174v16M230 174v16',
      ],
    ],
  },
  {
    box: whole(118, 36),
    marks: 'both',
    art: [
      ['s', mid(122, 152, 32) + mid(118, 162, 4)],
      ['h', rect(214, 122, 22, 32)],
      ['a', mid(128, 144, 18)],
      ['m', many(steps(96, 16, 9), (x) => `M${x - 3} 146l2-9-3-3 4-5 4 5-3 3 2 9z`)],
    ],
  },
  {
    box: [0, 68, 160, 50],
    marks: 'left',
    art: [
      ['h', rect(88, 74, 72, 44)],
      ['s', many([92, 111, 130, 149], (x) => column(x, 76, 118)) + rect(82, 68, 78, 8)],
      ['l', flutes([92, 111, 130, 149], 76, 118)],
    ],
  },
  {
    box: [160, 68, 160, 50],
    marks: 'right',
    art: [
      ['h', rect(160, 74, 72, 44)],
      ['s', many([171, 190, 209, 228], (x) => column(x, 76, 118)) + rect(160, 68, 78, 8)],
      ['l', flutes([171, 190, 209, 228], 76, 118)],
    ],
  },
  {
    box: whole(2, 66),
    marks: 'both',
    art: [
      ['s', many(steps(0, 1, 6), (i) => mid(62 - i * 6, 144 - i * 20, 6))],
      ['h', many(steps(0, 1, 6), (i) => rect(216 - i * 9, 62 - i * 6, 16 - i, 6))],
      ['s', mid(26, 34, 6)],
      ['m', 'M140 26l2-7-4-4 2-5 6 3 1 4h14v-8l-2-1q-1-6 3-6t3 6l-1 1v6l4 2h8l2 5q4 0 4 4h-46z'],
      ['l', disc(176, 22, 4)],
    ],
  },
]

const olympia: Piece[] = [
  {
    box: whole(160, 40),
    marks: 'both',
    art: [
      ['s', mid(190, 204, 10) + mid(180, 190, 10) + mid(160, 92, 20)],
      ['h', rect(238, 190, 24, 10) + rect(234, 180, 21, 10)],
      ['a', mid(165, 80, 10)],
      ['l', 'M96 190v10M136 190v10M184 190v10M224 190v10M84 180v10M114 180v10M206 180v10M236 180v10'],
    ],
  },
  {
    box: [0, 122, 160, 38],
    marks: 'left',
    art: [
      ['s', column(82, 58, 180, 15)],
      ['l', flutes([82], 58, 180)],
      ['h', rect(118, 122, 10, 38) + rect(114, 116, 18, 6)],
      ['m', 'M160 160h-28l2-26q2-12 14-12h12z'],
      ['l', 'M140 158l2-22M148 158l1-24M155 158v-22'],
    ],
  },
  {
    box: [160, 122, 160, 38],
    marks: 'right',
    art: [
      ['s', column(238, 58, 180, 15)],
      ['l', flutes([238], 58, 180)],
      ['h', rect(192, 122, 10, 38) + rect(188, 116, 18, 6)],
      ['m', 'M160 160h28l-2-26q-2-12-14-12h-12z'],
      ['l', 'M180 158l-2-22M172 158l-1-24M165 158v-22'],
    ],
  },
  {
    box: whole(84, 38),
    marks: 'both',
    art: [
      ['h', 'M128 122V74h64v48z'],
      ['a', 'M132 122V78h56v44z'],
      ['s', 'M142 122q-4-18-3-28 1-7 9-8h24q8 1 9 8 1 10-3 28z'],
      ['s', 'M140 92l-14 14-12-2v7l15 2 14-10zM180 92l14 8 4-14 5 2-5 21-20-6z'],
      ['m', 'M142 122l32-36 6 4-10 32zM199 62h3v98h-3zM195 62q5.500-9 11 0zM116 104l-2-8 3-4 3 4-1 8z'],
      ['l', 'M160 90v10'],
    ],
  },
  {
    box: whole(6, 78),
    marks: 'both',
    art: [
      ['s', mid(46, 196, 12) + 'M56 46 160 8l104 38z'],
      ['a', 'M84 42 160 15l76 27z'],
      ['l', many(steps(72, 16, 12), (x) => `M${x} 49v6`)],
      ['s', 'M149 70q0-11 11-11t11 11q0 8-4 12l-7 8-7-8q-4-4-4-12z'],
      ['h', 'M150 76q10 5 20 0l-3 7-7 9-7-9z'],
      ['m', 'M147 70q1-13 13-13t13 13l-4-5-4 2-5-3-5 3-4-2zM148 36l12-14 12 14-12-5z'],
      ['l', 'M156 72h.5M163.500 72h.5'],
    ],
  },
]

const foot = (x: number, flip: 1 | -1): [Ink, string][] => [
  ['s', rect(x - 30, 178, 60, 22) + rect(x - 34, 172, 68, 6)],
  ['h', rect(x + 14, 178, 16, 22)],
  ['l', `M${x - 30} 189h60M${x - 12} 178v11M${x + 4} 189v11`],
  ['a', `M${x - 9 * flip} 156h${18 * flip}v8l${-2 * flip} 8h${-26 * flip}q${-2 * flip}-6 ${6 * flip}-8z`],
]

const rhodes: Piece[] = [
  { box: [0, 156, 160, 44], marks: 'left', art: foot(108, 1) },
  { box: [160, 156, 160, 44], marks: 'right', art: foot(212, -1) },
  {
    box: whole(112, 44),
    marks: 'both',
    art: [
      ['a', 'M98 156q0-12 8-22 4-12 18-22h36v10q-14 2-26 14-14 8-17 20z'],
      ['b', 'M222 156q0-12-8-22-4-12-18-22h-36v10q14 2 26 14 14 8 17 20z'],
      ['l', 'M110 138q6-4 10-2M210 138q-6-4-10-2'],
    ],
  },
  {
    box: whole(62, 50),
    marks: 'both',
    art: [
      ['a', 'M126 116q10-22 8-34-2-14 6-18h40q8 4 6 18-2 12 8 34-34 12-68 0z'],
      ['b', 'M166 64h14q8 4 6 18-2 12 8 34-12 5-24 6z'],
      ['m', 'M132 104q28 8 56 0l6 12q-34 12-68 0z'],
      ['a', 'M180 66q14 0 16 12l4 24-8 2-8-22z'],
      ['b', 'M190 98l10 4 2 22-8 2z'],
      ['l', 'M160 70v30M142 82q9 6 18 0 9 6 18 0M140 112v5M152 114v5M168 114v5M180 112v5'],
    ],
  },
  {
    box: whole(2, 60),
    marks: 'both',
    art: [
      ['a', 'M154 54h12v10h-12zM149 42q0-13 11-13t11 13q0 8-5 12l-6 4-6-4q-5-4-5-12z'],
      ['b', 'M160 29q11 0 11 13 0 8-5 12l-6 4z'],
      ['m', 'M148 36l-9-6 10 1-4-10 8 7 2-11 5 10 5-10 2 11 8-7-4 10 10-1-9 6q-12-9-24 0z'],
      ['a', 'M140 64q-14-2-16-14l-6-18 8-2 8 18 14 12z'],
      ['s', 'M114 30l16-4-3 7-10 2z'],
      ['m', 'M120 27q-8-6-1-15 0 4 3 4 1-5 5-8-1 6 3 9 2 6-4 10z'],
      ['l', 'M156 44h1M163 44h1M157 50q3 2 6 0'],
    ],
  },
]

/** By stage: the first piece of each is the one that costs least. */
export const ART: Record<string, Piece[]> = { alexandria, babylon, ephesus, giza, halicarnassus, olympia, rhodes }
